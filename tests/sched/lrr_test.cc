#include <gtest/gtest.h>

#include "tests/sched/issue_bench.h"

namespace heddle::sched {

TEST(Lrr, PicksTheNextReadyWarpAfterTheOneThatIssuedLast) {
  IssueBench bench{"lrr", warps(4)};
  EXPECT_EQ(bench.issue(ready(0, 1, 2, 3)), warp(0));
  EXPECT_EQ(bench.issue(ready(0, 1, 2, 3)), warp(1));
  EXPECT_EQ(bench.issue(ready(0, 3)), warp(3));  // 2 stalls: skipped
  EXPECT_EQ(bench.issue(ready(2, 3)), warp(2));  // wraps around
}

TEST(Lrr, DoesNotMoveInACycleWithoutIssue) {
  IssueBench bench{"lrr", warps(4)};
  bench.issue(ready(1));
  bench.issue(ready());
  EXPECT_EQ(bench.issue(ready(0, 2, 3)), warp(2));
}

TEST(Lrr, ContinuesAfterASlotWhoseWarpExited) {
  IssueBench bench{"lrr", warps(4)};
  bench.issue(ready(2));
  bench.exit(warp(2));
  EXPECT_EQ(bench.issue(ready(0, 3)), warp(3));
}

TEST(Lrr, ReachesTheHighestSlotAndWraps) {
  IssueBench bench{"lrr", WarpMask::all()};
  EXPECT_EQ(bench.issue(ready(63)), warp(63));
  EXPECT_EQ(bench.issue(ready(0, 63)), warp(0));
}

TEST(Lrr, VisitsTheWarpsBetweenTheLastAndTheChosenOne) {
  IssueBench bench{"lrr", warps(6)};
  EXPECT_EQ(bench.visited_before(warps(6), warp(2)), ready(0, 1));  // no warp has issued
  bench.issue(ready(3));
  EXPECT_EQ(bench.visited_before(warps(6), warp(5)), ready(4));
  EXPECT_EQ(bench.visited_before(warps(6), warp(1)), ready(4, 5, 0));
  EXPECT_EQ(bench.visited_before(warps(6), warp(3)), ready(4, 5, 0, 1, 2));
  EXPECT_EQ(bench.visited_before(ready(0, 3), warp(1)), ready(0));
}

}  // namespace heddle::sched
