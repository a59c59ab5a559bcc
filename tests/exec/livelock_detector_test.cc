// Which states of a warp count as repeated, and which instructions as changes.
#include "exec/livelock/livelock_detector.h"

#include <gtest/gtest.h>

#include "tests/exec/observed_warp.h"

namespace heddle::exec::test {
namespace {

using ptx::BarrierOp;
using ptx::OpClass;

// A warp whose registers the test changes. Its code is what the test says.
struct DetectorBench : ObservedWarp {
  void step(Pc pc = 0, std::uint32_t mask = ~std::uint32_t{0}) {
    detector.observe(warp, decoded->code[pc], mask);
  }
  bool repeats() {
    step();
    step();
    return detector.repeats(warp);
  }
  // Does this instruction count as a change, and can other threads see it?
  struct Change {
    bool any, visible;
    bool operator==(const Change&) const = default;
  };
  Change change_of(const Instruction& instruction, Flow flow = Flow::plain,
                   std::uint64_t address = 0) {
    detector.begin();
    code[0] = instruction;
    decoded->code[0].flow = flow;
    std::fill_n(rows.begin(), 64, static_cast<std::uint32_t>(address >> 32));
    std::fill_n(rows.begin(), 32, static_cast<std::uint32_t>(address));
    decoded->code[0].src[0] = {.offset = 0, .bytes = 8, .present = true, .pair = true};
    step();
    return {detector.changed(), detector.visible_change()};
  }
  LivelockDetector detector;
};

constexpr DetectorBench::Change kNone{false, false}, kOwn{true, false}, kVisible{true, true};

Instruction store_to(Space space) {
  Instruction i;
  i.opcode = Opcode::st;
  i.op_class = OpClass::store;
  i.space = space;
  return i;
}

}  // namespace

TEST(LivelockDetector, AWarpRepeatsWhenItReachesAStateAgain) {
  DetectorBench b;
  b.step();
  EXPECT_TRUE(b.detector.has_run(b.warp));
  EXPECT_FALSE(b.detector.repeats(b.warp));
  b.step();
  EXPECT_TRUE(b.detector.repeats(b.warp));
  b.detector.begin();
  EXPECT_FALSE(b.detector.repeats(b.warp));
}

TEST(LivelockDetector, EveryPartOfTheStateCounts) {
  const auto repeats_after = [](auto&& change) {
    DetectorBench b;
    b.step();
    change(b.warp, b);
    b.step();
    return b.detector.repeats(b.warp);
  };
  EXPECT_FALSE(repeats_after([](Warp&, DetectorBench& b) { ++b.rows[5]; }));
  EXPECT_FALSE(repeats_after([](Warp&, DetectorBench& b) { b.predicates[0] = 1; }));
  EXPECT_FALSE(repeats_after([](Warp& w, DetectorBench&) { w.carry = 4; }));
  EXPECT_FALSE(repeats_after([](Warp& w, DetectorBench&) { w.stack.advance(1); }));
  EXPECT_FALSE(repeats_after([](Warp& w, DetectorBench&) { w.stack.exit(2, 0); }));
  EXPECT_FALSE(repeats_after([](Warp& w, DetectorBench&) { w.stack.call(Pc{0}, 1, 1); }));
  EXPECT_FALSE(repeats_after([](Warp& w, DetectorBench&) { w.fragments.push_back(w.stack); }));
}

// Iterations decide when the running lanes yield to others.
TEST(LivelockDetector, IterationsCountOnlyWhileOtherLanesWait) {
  for (const auto part : {&Warp::spin_iterations, &Warp::spin_lanes, &Warp::spin_pc}) {
    const auto repeats = [&](bool entry, bool fragment) {
      DetectorBench b;
      if (entry) b.warp.stack.diverge({2, 0xffff}, {0, 0xffff0000}, 3);
      if (fragment) b.warp.fragments.push_back(b.warp.stack);
      b.step();
      ++(b.warp.*part);
      b.step();
      return b.detector.repeats(b.warp);
    };
    EXPECT_TRUE(repeats(false, false));
    EXPECT_FALSE(repeats(true, false));
    EXPECT_FALSE(repeats(false, true));
  }
}

TEST(LivelockDetector, StatesOnPathsThatTheClockSelectedAreNotCompared) {
  DetectorBench here, below, fragment, elsewhere;
  for (DetectorBench* b : {&here, &below, &fragment, &elsewhere}) b->code[2].clock_decides = true;
  EXPECT_TRUE(elsewhere.repeats());
  here.warp.stack.advance(2);
  EXPECT_FALSE(here.repeats());
  below.warp.stack.diverge({2, 0xffff}, {0, 0xffff0000}, 3);
  EXPECT_FALSE(below.repeats());
  fragment.warp.fragments.push_back(fragment.warp.stack);
  fragment.warp.fragments.back().advance(2);
  EXPECT_FALSE(fragment.repeats());
}

TEST(LivelockDetector, RegistersThatHoldAClockAreNotCompared) {
  DetectorBench b;
  b.decoded->clock_rows = {1};
  b.step();
  b.rows[32] = 7;
  b.step();
  EXPECT_TRUE(b.detector.repeats(b.warp));
}

TEST(LivelockDetector, LoopsOfAnyLengthAreFound) {
  DetectorBench b;
  for (std::uint32_t i = 0; i < 700; ++i) {
    b.rows[0] = i % 100;
    b.step();
  }
  EXPECT_TRUE(b.detector.repeats(b.warp));
}

TEST(LivelockDetector, AStoreIsAChangeAndOneToLocalMemoryIsTheThreadsOwn) {
  DetectorBench b;
  EXPECT_EQ(b.change_of(store_to(Space::global)), kVisible);
  EXPECT_EQ(b.change_of(store_to(Space::shared)), kVisible);
  EXPECT_EQ(b.change_of(store_to(Space::local)), kOwn);
  EXPECT_EQ(b.change_of(store_to(Space::frame)), kOwn);
  EXPECT_EQ(b.change_of(store_to(Space::generic), Flow::plain, kLocalWindow + 4), kOwn);
  EXPECT_EQ(b.change_of(store_to(Space::generic), Flow::plain, kSharedWindow), kVisible);
  Instruction other = store_to(Space::generic);
  other.opcode = Opcode::stmatrix;
  EXPECT_EQ(b.change_of(other, Flow::plain, kLocalWindow + 4), kVisible);
  b.decoded->code[0].uniform_pointer = true;
  EXPECT_EQ(b.change_of(store_to(Space::generic), Flow::plain, kLocalWindow + 4), kVisible);
}

TEST(LivelockDetector, WhatChangesOnlyRegistersIsNoChange) {
  DetectorBench b;
  Instruction add, barrier;
  barrier.op_class = OpClass::barrier;
  add.op_class = OpClass::alu;
  EXPECT_EQ(b.change_of(add), kNone);
  add.clock_acts = true;
  EXPECT_EQ(b.change_of(add), kVisible);
  for (const auto& [op, change] : {std::pair{BarrierOp::sync, kNone},
                                   {BarrierOp::warp_sync, kNone},
                                   {BarrierOp::arrive, kVisible}}) {
    barrier.barrier = op;
    EXPECT_EQ(b.change_of(barrier), change);
  }
}

// A return from the kernel ends lanes, one from a function does not.
TEST(LivelockDetector, AReturnFromTheKernelIsAChange) {
  DetectorBench b;
  EXPECT_EQ(b.change_of({}, Flow::return_), kVisible);
  b.warp.stack.call(Pc{0}, 1, ~std::uint32_t{0});
  EXPECT_EQ(b.change_of({}, Flow::return_), kNone);
}

TEST(LivelockDetector, AStoreOfNoLaneChangesNothing) {
  DetectorBench b;
  b.code[0] = store_to(Space::global);
  b.step(0, 0);
  EXPECT_FALSE(b.detector.changed());
}

TEST(LivelockDetector, NothingRepeatsAfterAChange) {
  DetectorBench b;
  b.detector.note_change();
  EXPECT_FALSE(b.repeats());
}

}  // namespace heddle::exec::test
