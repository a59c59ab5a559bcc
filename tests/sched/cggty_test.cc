#include <gtest/gtest.h>

#include "tests/sched/issue_bench.h"

namespace heddle::sched {

TEST(Cggty, KeepsItsWarpUntilItStallsThenPicksTheYoungest) {
  IssueBench bench{"cggty", warps(4)};
  EXPECT_EQ(bench.issue(ready(0, 1, 2)), warp(2));
  EXPECT_EQ(bench.issue(ready(0, 2, 3)), warp(2));  // greedy: still ready, although 3 is younger
  EXPECT_EQ(bench.issue(ready(0, 1, 3)), warp(3));  // 2 stalled: the youngest issuable
  EXPECT_EQ(bench.issue(ready(2, 3)), warp(3));     // 3 is the greedy warp now
}

TEST(Cggty, MeasuresAgeByLaunchNotBySlot) {
  IssueBench bench{"cggty", warps(4)};
  bench.exit(warp(0));
  bench.launch(warp(0));
  EXPECT_EQ(bench.issue(ready(0, 3)), warp(0));
}

TEST(Cggty, VisitsTheGreedyWarpAndWarpsYoungerThanTheChosenOne) {
  IssueBench bench{"cggty", warps(6)};
  bench.issue(ready(1));
  EXPECT_EQ(bench.visited_before(warps(6), warp(1)), WarpMask{});
  EXPECT_EQ(bench.visited_before(warps(6), warp(4)), ready(1, 5));
}

}  // namespace heddle::sched
