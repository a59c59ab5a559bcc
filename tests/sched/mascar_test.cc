#include <gtest/gtest.h>

#include "tests/sched/issue_bench.h"

namespace heddle::sched {
namespace {

constexpr sm::L1Pressure kCalm{32, 8}, kFull{0, 8};

}  // namespace

TEST(Mascar, PutsMemoryFirstWhileMemoryKeepsUp) {
  IssueBench bench{"mascar", warps(4)};
  bench.policy().on_l1_pressure(kCalm);
  bench.long_heads(ready(2, 3));
  EXPECT_EQ(bench.issue(warps(4)), warp(2));
  EXPECT_EQ(bench.issue(warps(4)), warp(3));
  EXPECT_EQ(bench.issue(warps(4)), warp(2));
  EXPECT_EQ(bench.issue(ready(0, 1)), warp(0));
}

TEST(Mascar, ComputesFirstAndGivesMemoryToOneOwnerWhenSaturated) {
  IssueBench bench{"mascar", warps(3)};
  bench.policy().on_l1_pressure(kFull);
  bench.long_heads(ready(0, 1));
  EXPECT_EQ(bench.issue(warps(3)), warp(2));
  EXPECT_EQ(bench.issue(ready(0, 1)), warp(0));              // becomes the owner
  EXPECT_EQ(bench.issue(ready(1)), WarpSlot::none);          // not the owner
  EXPECT_EQ(bench.issue(ready(0, 1)), warp(0));
  bench.policy().on_l1_pressure(kCalm);
  EXPECT_EQ(bench.issue(ready(1)), warp(1));
}

TEST(Mascar, TheNextWarpOwnsWhenTheOwnerWaitsForItsData) {
  IssueBench bench{"mascar", warps(3)};
  bench.policy().on_l1_pressure(kFull);
  bench.long_heads(warps(3));
  EXPECT_EQ(bench.issue(warps(3)), warp(0));
  EXPECT_EQ(bench.issue(ready(1, 2)), WarpSlot::none);
  bench.wait_for_long(ready(0));
  EXPECT_EQ(bench.issue(ready(1, 2)), warp(1));
  EXPECT_EQ(bench.issue(ready(2)), WarpSlot::none);
}

TEST(Mascar, AnOwnerAtABarrierOrEndedGivesWay) {
  IssueBench bench{"mascar", warps(3)};
  bench.policy().on_l1_pressure(kFull);
  bench.long_heads(warps(3));
  EXPECT_EQ(bench.issue(ready(0)), warp(0));
  bench.enter_barrier(warp(0));
  EXPECT_EQ(bench.issue(ready(1)), warp(1));
  bench.exit(warp(1));
  EXPECT_EQ(bench.issue(ready(2)), warp(2));
}

TEST(Mascar, AnOwnerThatCannotIssueForLongIsReleased) {
  IssueBench bench{"mascar:guard=5", warps(2)};
  bench.policy().on_l1_pressure(kFull);
  bench.long_heads(warps(2));
  EXPECT_EQ(bench.issue(warps(2)), warp(0));
  EXPECT_EQ(bench.policy().wake_at(bench.now()), Cycle{5});
  for (int i = 0; i < 4; ++i) EXPECT_EQ(bench.issue(ready(1)), WarpSlot::none);
  EXPECT_EQ(bench.issue(ready(1)), warp(1));
}

}  // namespace heddle::sched
