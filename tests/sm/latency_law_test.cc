#include "sm/warp/latency_law.h"

#include <gtest/gtest.h>

#include "tests/sm/guided_bench.h"

namespace heddle::sm::test {
namespace {

using isa::OpClass;
using isa::Space;

isa::Instruction stalling(isa::Instruction i, std::uint8_t cycles) {
  i.control.stall_cycles = cycles;
  return i;
}
isa::Instruction fma(std::uint16_t from, std::uint16_t to, std::uint8_t stall = 1) {
  return stalling(make(OpClass::fp_fma, {from}, {to}), stall);
}
isa::Instruction transfer(OpClass op, Pc target, std::uint8_t stall = 1) {
  isa::Instruction i = stalling(make(op), stall);
  i.target = target;
  return i;
}
isa::Instruction with_guard(isa::Instruction i, std::uint16_t guard) {
  i.guard_register = guard;
  i.reads[i.read_count++] = guard;
  return i;
}

// Of code with the control words of its compiler.
ProvenLaw proven(std::vector<isa::Instruction> code) {
  code.push_back(exit());
  Script script(std::move(code));
  script.kernel_ref().has_control_words = true;
  return timing_of(script.kernel(), guided().sm).front().proven;
}
bool covered(std::vector<isa::Instruction> code) {
  return proven(std::move(code)) != ProvenLaw::nothing;
}
bool all_proven(std::vector<isa::Instruction> code) {
  return proven(std::move(code)) == ProvenLaw::all;
}
// The counter rises with the issue; the next instruction is `stall` cycles later.
isa::Instruction raising(isa::Instruction i, std::uint8_t write, std::uint8_t read,
                         std::uint8_t stall = 2) {
  i.control.write_barrier = write;
  i.control.read_barrier = read;
  return stalling(i, stall);
}
isa::Instruction waiting(isa::Instruction i, std::uint8_t mask, std::uint8_t stall = 1) {
  i.control.wait_mask = mask;
  return stalling(i, stall);
}
constexpr std::uint8_t kNone = isa::ControlWord::kNone;
isa::Instruction load(std::uint16_t from, std::uint16_t to) {
  return memory(OpClass::load, Space::global, {from}, {to});
}
isa::Instruction store(std::uint16_t to, std::uint16_t what) {
  return memory(OpClass::store, Space::global, {to, what}, {});
}

TEST(LatencyLaw, StallCyclesCoverTheLatencyOfAnOperand) {
  EXPECT_TRUE(covered({fma(1, 2, 4), fma(2, 3)}));
  EXPECT_FALSE(covered({fma(1, 2, 3), fma(2, 3)}));
  EXPECT_TRUE(covered({fma(1, 2, 3), fma(1, 4), fma(2, 3)}));
  EXPECT_FALSE(covered({fma(1, 2, 2), fma(1, 4), fma(2, 3)}));
}

TEST(LatencyLaw, AGuardIsReadyLater) {
  const isa::Instruction use = with_guard(make(OpClass::fp_add, {1}, {3}), 2);
  EXPECT_TRUE(covered({stalling(make(OpClass::alu, {1}, {2}), 13), use}));
  EXPECT_FALSE(covered({stalling(make(OpClass::alu, {1}, {2}), 12), use}));
}

// r10, r11 = r2 * r3 + the pair r4, r5. The lower half is ready a cycle early, and the upper addend
// is read two cycles late.
TEST(LatencyLaw, AWideProductMakesItsLowerHalfFirst) {
  const isa::Instruction product = make(OpClass::int_mad, {2, 3, 4, 5}, {10, 11});
  for (const isa::Instruction& use : {product, with_guard(product, 9)}) {
    EXPECT_TRUE(covered({fma(1, 5, 2), use}));
    EXPECT_FALSE(covered({fma(1, 5, 1), use}));
    for (const std::uint16_t other : {2, 3, 4}) EXPECT_FALSE(covered({fma(1, other, 3), use}));
  }
  EXPECT_FALSE(covered({fma(1, 5, 3), make(OpClass::int_mad, {2, 3, 3, 5}, {10, 11})}));
  EXPECT_FALSE(covered({fma(1, 5, 3), make(OpClass::int_mad, {2, 3, 4, 5}, {10})}));
  const auto least_stall = [&](std::uint16_t from) {
    std::uint8_t stall = 1;
    while (!covered({stalling(product, stall), fma(from, 6)})) ++stall;
    return stall;
  };
  EXPECT_EQ(least_stall(10) + 1, least_stall(11));
}

TEST(LatencyLaw, AYieldTakesACycleMore) {
  isa::Instruction first = fma(1, 2, 1);
  first.control.yield = true;
  EXPECT_TRUE(covered({first, fma(1, 3, 2), fma(2, 4)}));
  first.control.stall_cycles = 0;  // 46 cycles
  EXPECT_TRUE(covered({first, fma(2, 4)}));
}

TEST(LatencyLaw, ResultsWithACounterAndLoadsDoNotCount) {
  isa::Instruction counted = fma(1, 2);
  counted.control.write_barrier = 0;
  EXPECT_TRUE(covered({counted, fma(2, 3)}));
  EXPECT_TRUE(covered({memory(OpClass::load, Space::global, {1}, {2}), fma(2, 3)}));
}

TEST(LatencyLaw, AWaitForItsCounterCoversALoadOnceTheCounterHasRisen) {
  EXPECT_TRUE(all_proven({raising(load(1, 2), 0, kNone), waiting(fma(2, 3), 1)}));
  EXPECT_FALSE(all_proven({raising(load(1, 2), 0, kNone), waiting(fma(2, 3), 2)}));
  EXPECT_FALSE(all_proven({raising(load(1, 2), 0, kNone, 1), waiting(fma(2, 3), 1)}));
  EXPECT_FALSE(all_proven({raising(load(1, 2), 0, kNone), fma(4, 2)}));  // overtakes it
}

TEST(LatencyLaw, DataOfSharedMemoryArriveInOrder) {
  const auto second = [](Space space) {
    return all_proven({memory(OpClass::load, space, {1}, {2}),
                       raising(memory(OpClass::load, Space::shared, {1}, {3}), 0, kNone),
                       waiting(fma(2, 4), 1)});
  };
  EXPECT_TRUE(second(Space::shared));
  EXPECT_FALSE(second(Space::global));
}

TEST(LatencyLaw, ASourceIsReadBeforeItIsOverwritten) {
  EXPECT_FALSE(all_proven({store(1, 2), fma(3, 2)}));
  EXPECT_TRUE(all_proven({raising(store(1, 2), kNone, 0), waiting(fma(3, 2), 1)}));
  // The next instruction of the unit reads later, and overwrites in order.
  EXPECT_TRUE(all_proven({store(1, 2), raising(store(1, 4), kNone, 0), waiting(fma(3, 2), 1)}));
  EXPECT_FALSE(all_proven({raising(store(1, 4), kNone, 0), store(1, 2), waiting(fma(3, 2), 1)}));
  EXPECT_TRUE(all_proven({store(1, 2), raising(load(3, 2), 0, kNone)}));
}

TEST(LatencyLaw, ALoadInALoopIsWaitedForInTheNextIteration) {
  const auto loop = [](std::uint8_t mask) {
    return all_proven({waiting(fma(2, 3), mask), waiting(raising(load(1, 2), 0, kNone), mask),
                       with_guard(transfer(OpClass::branch, 0, 4), 9)});
  };
  EXPECT_TRUE(loop(1));
  EXPECT_FALSE(loop(0));
}

TEST(LatencyLaw, TheShortestPathCounts) {
  const isa::Instruction skip = with_guard(transfer(OpClass::branch, 4), 9);
  EXPECT_TRUE(covered({fma(1, 2, 3), skip, fma(1, 4), fma(1, 5), fma(2, 3)}));
  EXPECT_FALSE(covered({fma(1, 2, 2), skip, fma(1, 4), fma(1, 5), fma(2, 3)}));
}

TEST(LatencyLaw, ALoopMeetsItself) {
  const auto loop = [](std::uint8_t stall) {
    return covered({fma(3, 1), fma(4, 3, stall), with_guard(transfer(OpClass::branch, 0), 9)});
  };
  EXPECT_TRUE(loop(3));
  EXPECT_FALSE(loop(2));
}

// Nobody says where these continue.
TEST(LatencyLaw, NothingIsInFlightAcrossCallsReturnsAndIndirectBranches) {
  EXPECT_FALSE(covered({fma(1, 2, 2), transfer(OpClass::call, 2), transfer(OpClass::return_, 0)}));
  EXPECT_TRUE(covered({fma(1, 2, 3), transfer(OpClass::call, 2), transfer(OpClass::return_, 0)}));
  EXPECT_FALSE(covered({transfer(OpClass::call, 1), fma(1, 2, 2), transfer(OpClass::return_, 0)}));
  EXPECT_FALSE(covered({fma(1, 2, 2), transfer(OpClass::branch, kNoPc)}));
}

TEST(LatencyLaw, CodeBehindThemIsReachedAllTheSame) {
  EXPECT_FALSE(covered({transfer(OpClass::branch, kNoPc), fma(1, 2, 3), fma(2, 3)}));
}

// WARPSYNC.COLLECTIVE. BSSY, which only names a place, reads nothing.
TEST(LatencyLaw, WhereLanesOfSeveralPlacesMeetNothingIsProved) {
  isa::Instruction meeting = make(OpClass::alu);
  meeting.target = 2;
  EXPECT_TRUE(covered({meeting, fma(1, 2)}));
  meeting.reads[meeting.read_count++] = 5;
  EXPECT_FALSE(covered({meeting, fma(1, 2)}));
}

TEST(LatencyLaw, ComputedWordsCoverTheLatencies) {
  Script script({fma(1, 2), with_guard(transfer(OpClass::branch, 4), 2), fma(2, 3),
                 make(OpClass::dp_fma, {3}, {4}), fma(4, 5),
                 with_guard(transfer(OpClass::branch, 0), 5), exit()});
  EXPECT_EQ(timing_of(script.kernel(), guided().sm).front().proven, ProvenLaw::all);
}

// The law finds the same in code that is not proved.
TEST(LatencyLaw, ARunCountsWhatIsNotCovered) {
  for (const std::uint8_t stall : {3, 4}) {
    Bench bench({fma(1, 2, stall), fma(2, 3), exit()}, {}, guided());
    bench.source.kernel_ref().has_control_words = true;
    bench.run();
    EXPECT_EQ(bench.stats().control_violations, stall == 3 ? 1u : 0u);
  }
}

}  // namespace
}  // namespace heddle::sm::test
