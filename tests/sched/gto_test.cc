#include <gtest/gtest.h>

#include "tests/sched/issue_bench.h"

namespace heddle::sched {

TEST(Gto, VisitsTheGreedyWarpAndWarpsOlderThanTheChosenOne) {
  IssueBench bench{"gto", warps(6)};
  bench.exit(warp(0));
  bench.launch(warp(0));  // the youngest
  bench.issue(ready(4));
  EXPECT_EQ(bench.visited_before(warps(6), warp(4)), WarpMask{});
  EXPECT_EQ(bench.visited_before(warps(6), warp(3)), ready(4, 1, 2));
  EXPECT_EQ(bench.visited_before(ready(0, 1), warp(5)), ready(1));
}

TEST(Gto, KeepsItsWarpUntilItStallsThenPicksTheOldest) {
  IssueBench bench{"gto", warps(4)};
  EXPECT_EQ(bench.issue(ready(1, 2, 3)), warp(1));
  EXPECT_EQ(bench.issue(ready(0, 1, 2)), warp(1));  // greedy: still ready, although 0 is older
  EXPECT_EQ(bench.issue(ready(2, 3)), warp(2));     // 1 stalled: the oldest issuable
  EXPECT_EQ(bench.issue(ready(1, 2, 3)), warp(2));  // 2 is the greedy warp now
}

TEST(Gto, StaysGreedyAfterACycleWithoutIssue) {
  IssueBench bench{"gto", warps(4)};
  bench.issue(ready(3));
  bench.issue(ready());
  EXPECT_EQ(bench.issue(ready(0, 3)), warp(3));
}

TEST(Gto, MeasuresAgeByLaunchNotBySlot) {
  IssueBench bench{"gto", warps(4)};
  bench.exit(warp(0));
  bench.launch(warp(0));
  EXPECT_EQ(bench.issue(ready(0, 2)), warp(2));
}

TEST(Gto, PrefersANewWarpInTheGreedySlotOnlyWhereSchedulersRunWithoutWarps) {
  for (const std::uint32_t before : {0u, 1u}) {
    PolicyContext where;
    where.cycles_before_ctas = before;
    IssueBench bench{"gto", warps(4), where};
    bench.issue(ready(0));
    bench.exit(warp(0));
    bench.launch(warp(0));
    EXPECT_EQ(bench.issue(ready(0, 1)), before ? warp(0) : warp(1));
  }
}

}  // namespace heddle::sched
