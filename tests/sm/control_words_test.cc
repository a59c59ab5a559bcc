#include "sm/warp/control_words.h"

#include <gtest/gtest.h>

#include "tests/sm/guided_bench.h"

namespace heddle::sm::test {
namespace {

using isa::ControlWord;
using isa::OpClass;
using isa::Space;

isa::Instruction guarded(isa::Instruction i, std::uint16_t guard) {
  i.guard_register = guard;
  i.reads[i.read_count] = guard;
  i.not_values |= 1u << i.read_count++;
  return i;
}
isa::Instruction branch(Pc target) {
  isa::Instruction i = make(OpClass::branch);
  i.target = target;
  return i;
}
bool waits_for(const ControlWord& w, std::uint8_t counter) { return w.wait_mask >> counter & 1; }

TEST(ControlWords, StallUntilAResultOfFixedLatencyIsReady) {
  const auto w =
      words_of({make(OpClass::fp_fma, {1}, {2}), make(OpClass::fp_fma, {2}, {3}), exit()});
  EXPECT_EQ(w[0].stall_cycles, 4);  // read window of 3 and latency 1
  EXPECT_EQ(w[1].stall_cycles, 1);
  EXPECT_FALSE(w[0].has_counters());
}

TEST(ControlWords, AnIndependentInstructionBetweenTakesAStallCycle) {
  const auto w = words_of({make(OpClass::fp_fma, {1}, {2}), make(OpClass::fp_fma, {1}, {4}),
                           make(OpClass::fp_fma, {2}, {3}), exit()});
  EXPECT_EQ(w[0].stall_cycles, 1);
  EXPECT_EQ(w[1].stall_cycles, 3);
}

TEST(ControlWords, AGuardIsReadyLaterThanAValue) {
  const auto w =
      words_of({make(OpClass::alu, {1}, {2}), guarded(make(OpClass::fp_add, {1}, {3}), 2), exit()});
  EXPECT_EQ(w[0].stall_cycles, 13);
}

TEST(ControlWords, ALoadHasACounterForWhichItsReaderWaits) {
  const auto w = words_of(
      {memory(OpClass::load, Space::global, {1}, {2}), make(OpClass::fp_add, {2}, {3}), exit()});
  ASSERT_NE(w[0].write_barrier, ControlWord::kNone);
  EXPECT_EQ(w[0].read_barrier, ControlWord::kNone);  // nothing overwrites the address
  EXPECT_TRUE(waits_for(w[1], w[0].write_barrier));
  EXPECT_EQ(w[0].stall_cycles, 2);  // the counter is raised a cycle after the issue
}

TEST(ControlWords, AnOverwrittenSourceHasAReadCounter) {
  const auto w = words_of({memory(OpClass::store, Space::global, {1, 2}, {}),
                           make(OpClass::int_add, {3}, {2}), exit()});
  ASSERT_NE(w[0].read_barrier, ControlWord::kNone);
  EXPECT_TRUE(waits_for(w[1], w[0].read_barrier));
}

TEST(ControlWords, ACounterIsWaitedForOnce) {
  const auto read =
      words_of({memory(OpClass::load, Space::global, {1}, {2}), make(OpClass::fp_add, {2}, {3}),
                make(OpClass::fp_add, {2}, {4}), exit()});
  EXPECT_NE(read[1].wait_mask, 0);
  EXPECT_EQ(read[2].wait_mask, 0);
  const auto written =
      words_of({memory(OpClass::store, Space::global, {1, 2}, {}), make(OpClass::int_add, {3}, {2}),
                make(OpClass::int_add, {3}, {1}), exit()});
  EXPECT_NE(written[1].wait_mask, 0);
  EXPECT_EQ(written[2].wait_mask, 0);
}

TEST(ControlWords, AResultThatTakesLongerThanAnyStallHasACounter) {
  const auto w = words_of({make(OpClass::sfu, {1}, {2}), make(OpClass::fp_add, {2}, {3}), exit()});
  EXPECT_TRUE(waits_for(w[1], w[0].write_barrier));
  EXPECT_LE(w[0].stall_cycles, 2);
}

TEST(ControlWords, ALoopWaitsForTheLoadOfItsLastIteration) {
  // 0: add r3 = r2   1: load r2   2: @p bra 0
  const auto w =
      words_of({make(OpClass::fp_add, {2}, {3}), memory(OpClass::load, Space::global, {1}, {2}),
                guarded(branch(0), 4), exit()});
  EXPECT_TRUE(waits_for(w[0], w[1].write_barrier));
}

TEST(ControlWords, AJoinWaitsForTheSlowerPath) {
  // 0: @p bra 3   1: fma r2   2: bra 3   3: add r3 = r2
  const auto w = words_of({guarded(branch(3), 4), make(OpClass::fp_fma, {1}, {2}), branch(3),
                           make(OpClass::fp_add, {2}, {3}), exit()});
  EXPECT_EQ(w[1].stall_cycles + w[2].stall_cycles, 4);
  EXPECT_EQ(w[0].stall_cycles, 1);
}

TEST(ControlWords, ACallWaitsForEverything) {
  isa::Instruction call = make(OpClass::call);
  call.target = 3;
  const auto w = words_of(
      {memory(OpClass::load, Space::global, {1}, {2}), call, exit(), make(OpClass::return_)});
  EXPECT_TRUE(waits_for(w[1], w[0].write_barrier));
}

TEST(ControlWords, AReturnOfTheKernelWaitsForNothing) {
  const auto w =
      words_of({memory(OpClass::store, Space::global, {1, 2}, {}), make(OpClass::return_)});
  EXPECT_EQ(w[1].wait_mask, 0);
  EXPECT_FALSE(w[0].has_counters());
}

TEST(ControlWords, AnOperandThatTheNextInstructionReadsInItsPlaceIsReused) {
  const auto w = words_of(
      {make(OpClass::fp_fma, {1, 2, 3}, {4}), make(OpClass::fp_fma, {1, 5, 3}, {6}), exit()});
  EXPECT_EQ(w[0].reuse, 0b101);
  EXPECT_EQ(w[1].reuse, 0);
}

TEST(ControlWords, WordsOfTheCodeAreKept) {
  Script script({make(OpClass::fp_fma, {1}, {2}), make(OpClass::fp_fma, {2}, {3}), exit()});
  script.kernel_ref().has_control_words = true;
  script.kernel_ref().instructions[0].control.stall_cycles = 9;
  EXPECT_EQ(timing_of(script.kernel(), guided().sm)[0].control.stall_cycles, 9);
}

}  // namespace
}  // namespace heddle::sm::test
