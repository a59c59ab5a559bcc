#include <gtest/gtest.h>

#include "tests/sched/issue_bench.h"

namespace heddle::sched {

TEST(Srr, VisitsTheCurrentWarpOnly) {
  IssueBench bench{"srr", warps(4)};
  bench.issue(ready(0));
  EXPECT_EQ(bench.visited_before(ready(1, 2, 3), warp(0)), WarpMask{});
}

TEST(Srr, IdlesWhileTheCurrentWarpStalls) {
  IssueBench bench{"srr", warps(3)};
  EXPECT_EQ(bench.issue(ready(0, 1, 2)), warp(0));
  EXPECT_EQ(bench.issue(ready(0, 2)), WarpSlot::none);  // 1 is the current warp
  EXPECT_EQ(bench.issue(ready(0, 2)), WarpSlot::none);
  EXPECT_EQ(bench.issue(ready(0, 1, 2)), warp(1));
  EXPECT_EQ(bench.issue(ready(0, 1, 2)), warp(2));
  EXPECT_EQ(bench.issue(ready(0, 1, 2)), warp(0));
}

TEST(Srr, MovesOnAfterAnIssueAlsoWhenNothingCanIssueNext) {
  IssueBench bench{"srr", warps(3)};
  bench.issue(ready(0));
  bench.issue(ready());
  EXPECT_EQ(bench.issue(ready(0, 1)), warp(1));
}

TEST(Srr, SkipsWarpsAtABarrier) {
  IssueBench bench{"srr", warps(3)};
  EXPECT_EQ(bench.issue(ready(0, 1, 2)), warp(0));
  bench.enter_barrier(warp(0));
  EXPECT_EQ(bench.issue(ready(1, 2)), warp(1));
  bench.enter_barrier(warp(1));
  EXPECT_EQ(bench.issue(ready(2)), warp(2));
  EXPECT_EQ(bench.issue(ready(2)),
            warp(2));  // the only warp outside the barrier
  bench.pass_barrier(warp(0));
  bench.pass_barrier(warp(1));
  EXPECT_EQ(bench.issue(ready(0, 1, 2)), warp(0));
}

TEST(Srr, SkipsFinishedWarps) {
  IssueBench bench{"srr", warps(3)};
  bench.issue(ready(0, 1, 2));
  bench.issue(ready(1, 2));
  bench.exit(warp(1));
  EXPECT_EQ(bench.issue(ready(0, 2)), warp(2));
  EXPECT_EQ(bench.issue(ready(0, 2)), warp(0));
  EXPECT_EQ(bench.issue(ready(0, 2)), warp(2));
}

}  // namespace heddle::sched
