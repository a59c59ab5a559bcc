#include "exec/convergence/simt_stack.h"

#include <gtest/gtest.h>

namespace heddle::exec {
namespace {

TEST(SimtStack, TheSecondPathRunsFirst) {
  SimtStack s;
  s.start(0xff);
  s.diverge({1, 0xf0}, {10, 0x0f}, 20);
  EXPECT_EQ(s.pc(), 10u);
  EXPECT_EQ(s.active(), 0x0fu);
  s.advance(20);
  EXPECT_EQ(s.pc(), 1u);
  EXPECT_EQ(s.active(), 0xf0u);
  s.advance(20);
  EXPECT_EQ(s.pc(), 20u);
  EXPECT_EQ(s.active(), 0xffu);
  EXPECT_EQ(s.depth(), 1);
}

TEST(SimtStack, APathThatIsTheReconvergencePointWaitsThere) {
  SimtStack s;
  s.start(0xff);
  s.diverge({1, 0xf0}, {20, 0x0f}, 20);
  EXPECT_EQ(s.active(), 0xf0u);
  EXPECT_EQ(s.depth(), 2);
  s.advance(20);
  EXPECT_EQ(s.active(), 0xffu);
}

TEST(SimtStack, NestedDivergenceReconvergesInsideOut) {
  SimtStack s;
  s.start(0xf);
  s.diverge({1, 0xc}, {10, 0x3}, 30);
  s.diverge({11, 0x2}, {15, 0x1}, 20);
  EXPECT_EQ(s.active(), 0x1u);
  s.advance(20);
  EXPECT_EQ(s.active(), 0x2u);
  s.advance(20);
  EXPECT_EQ(s.active(), 0x3u);
  EXPECT_EQ(s.pc(), 20u);
  s.advance(30);
  EXPECT_EQ(s.active(), 0xcu);
  s.advance(30);
  EXPECT_EQ(s.active(), 0xfu);
}

TEST(SimtStack, DoesNotGrowInLoopsThatLanesExitOneByOne) {
  SimtStack s;
  s.start(~0u);
  std::uint32_t left = ~0u;
  for (int lane = 0; lane < 31; ++lane) {
    const std::uint32_t exiting = 1u << lane;
    s.diverge({8, exiting}, {1, left & ~exiting}, 8);  // back to the header, or out
    left &= ~exiting;
    EXPECT_LE(s.depth(), 2);
    EXPECT_EQ(s.active(), left);
    s.advance(5);
  }
  s.advance(8);
  EXPECT_EQ(s.active(), ~0u);
  EXPECT_EQ(s.depth(), 1);
}

TEST(SimtStack, ExitedLanesAreRemovedFromAllEntries) {
  SimtStack s;
  s.start(0xf);
  s.diverge({1, 0xc}, {10, 0x3}, 30);
  s.exit(0x3, 11);
  EXPECT_EQ(s.active(), 0xcu);
  s.advance(30);
  EXPECT_EQ(s.active(), 0xcu);
  s.exit(0xc, 31);
  EXPECT_TRUE(s.finished());
}

TEST(SimtStack, CallersWaitUntilTheLastLaneReturns) {
  SimtStack s;
  s.start(0xf);
  s.call(100, 5, 0x7);
  s.diverge({101, 0x6}, {110, 0x1}, kNoPc);
  s.return_lanes(0x1, 111);
  EXPECT_EQ(s.active(), 0x6u);
  s.return_lanes(0x6, 102);
  EXPECT_EQ(s.pc(), 5u);
  EXPECT_EQ(s.active(), 0xfu);
  EXPECT_EQ(s.call_depth(), 0u);
}

TEST(SimtStack, LanesThatCallDifferentFunctionsReconvergeAtTheReturnAddress) {
  SimtStack s;
  s.start(0xff);
  const SimtStack::Path callees[3] = {{100, 0xa0}, {200, 0x50}, {300, 0x0f}};  // by highest lane
  s.call(callees, 3, 7);
  EXPECT_EQ(s.pc(), 300u);
  EXPECT_EQ(s.active(), 0x0fu);
  s.call(400, 301, 0x0f);  // the callee calls, one level deeper
  EXPECT_EQ(s.call_depth(), 2u);
  s.return_lanes(0x0f, 401);
  EXPECT_EQ(s.pc(), 301u);
  s.return_lanes(0x0f, 302);
  EXPECT_EQ(s.pc(), 200u);
  s.return_lanes(0x10, 201);  // one lane returns before the other
  EXPECT_EQ(s.active(), 0x40u);
  s.return_lanes(0x40, 202);
  EXPECT_EQ(s.pc(), 100u);
  s.return_lanes(0xa0, 101);
  EXPECT_EQ(s.pc(), 7u);
  EXPECT_EQ(s.active(), 0xffu);
  EXPECT_EQ(s.depth(), 1);
}

TEST(SimtStack, CallsNestWithoutLimit) {
  SimtStack s;
  s.start(3);
  for (int level = 0; level < 5000; ++level) s.call(1, 2, 3);
  EXPECT_EQ(s.call_depth(), 5000u);
  const SimtStack copy = s;
  for (int level = 0; level < 5000; ++level) s.return_lanes(3, 1);
  EXPECT_EQ(s.depth(), 1);
  EXPECT_EQ(s.pc(), 2u);
  EXPECT_EQ(copy.call_depth(), 5000u);
}

// 0xc0 and 0x30 diverge at a branch with reconvergence point 40; 0x30 diverges again until 20.
SimtStack nested() {
  SimtStack s;
  s.start(0xf0);
  s.diverge({1, 0xc0}, {10, 0x30}, 40);
  s.diverge({12, 0x20}, {11, 0x10}, 20);
  return s;
}

TEST(SimtStack, WaitingLanesContinueWhenTheOthersHaveConverged) {
  SimtStack s = nested();
  s.run_first(1);  // 0xc0
  EXPECT_EQ(s.pc(), 1u);
  EXPECT_EQ(s.active(), 0xc0u);
  s.advance(40);
  EXPECT_EQ(s.pc(), 11u);
  EXPECT_TRUE(s.top().waits);
  s.stop_waiting();
  s.advance(20);
  EXPECT_EQ(s.pc(), 12u);
  s.advance(20);
  EXPECT_EQ(s.active(), 0x30u);
  s.advance(40);
  EXPECT_EQ(s.active(), 0xf0u);
  EXPECT_EQ(s.depth(), 1);
}

TEST(SimtStack, MergedLanesReconvergeWhereMostEntriesWait) {
  for (const bool outer_comes_last : {false, true}) {
    SimtStack s = nested();
    if (outer_comes_last) s.run_first(1);
    s.advance(15);  // the running lanes reach 15, then those of the other level
    s.run_first(outer_comes_last ? s.depth() - 2 : 1);
    s.advance(15);
    s.merge_into_top(s.depth() - 2);
    EXPECT_EQ(s.active(), 0xd0u);
    s.advance(20);  // 0x20 has not been there
    EXPECT_EQ(s.pc(), 12u);
    EXPECT_EQ(s.active(), 0x20u);
    s.advance(20);
    EXPECT_EQ(s.active(), 0xf0u);
    EXPECT_EQ(s.pc(), 20u);
    s.advance(40);
    EXPECT_EQ(s.depth(), 1);
  }
}

TEST(SimtStack, LanesReturnWhenTheEntriesOfTheirCallAreNotAdjacent) {
  SimtStack s;
  s.start(0xff);
  s.diverge({1, 0xf0}, {2, 0x0f}, 40);
  s.call(100, 3, 0x0f);
  s.diverge({101, 0x0c}, {110, 0x03}, 120);
  s.run_first(1);  // 0xf0, which is in no call
  s.call(100, 2, 0xf0);
  s.return_lanes(0xf0, 101);
  EXPECT_EQ(s.pc(), 2u);
  s.advance(40);
  EXPECT_EQ(s.active(), 0x03u);
  s.return_lanes(0x03, 111);
  EXPECT_EQ(s.active(), 0x0cu);
  s.return_lanes(0x0c, 102);
  EXPECT_EQ(s.pc(), 3u);
  EXPECT_EQ(s.active(), 0x0fu);
}

}  // namespace
}  // namespace heddle::exec
