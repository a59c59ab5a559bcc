#include <gtest/gtest.h>

#include "tests/sched/issue_bench.h"

namespace heddle::sched {

TEST(Gtrr, VisitsTheGreedyWarpAndTheWarpsBetween) {
  IssueBench bench{"gtrr", warps(6)};
  bench.issue(ready(2));
  EXPECT_EQ(bench.visited_before(ready(0, 2, 3, 5), warp(4)), ready(2, 3));
  EXPECT_EQ(bench.visited_before(ready(0, 3, 5), warp(2)), WarpMask{});
}

TEST(Gtrr, ContinuesInSlotOrderWhenTheGreedyWarpStalls) {
  IssueBench bench{"gtrr", warps(4)};
  EXPECT_EQ(bench.issue(ready(2)), warp(2));
  EXPECT_EQ(bench.issue(ready(0, 2, 3)), warp(2));
  EXPECT_EQ(bench.issue(ready(0, 1, 3)), warp(3));
  EXPECT_EQ(bench.issue(ready(0, 1)), warp(0));
}

TEST(Gtrr, DoesNotPreferANewWarpInTheGreedySlot) {
  IssueBench bench{"gtrr", warps(4)};
  bench.issue(ready(1));
  bench.exit(warp(1));
  bench.launch(warp(1));
  EXPECT_EQ(bench.issue(ready(1, 3)), warp(3));
}

}  // namespace heddle::sched
