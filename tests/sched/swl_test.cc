#include <gtest/gtest.h>

#include "tests/sched/issue_bench.h"

namespace heddle::sched {

TEST(Swl, DoesNotCountAWarpAtABarrier) {
  IssueBench bench{"swl:warps=2+lrr", warps(5)};
  EXPECT_EQ(bench.issue(ready(2, 3)), WarpSlot::none);
  bench.enter_barrier(warp(0));
  EXPECT_EQ(bench.issue(ready(3)), WarpSlot::none);
  EXPECT_EQ(bench.issue(ready(2, 3)), warp(2));  // 1 and 2 run
  bench.enter_barrier(warp(1));
  EXPECT_EQ(bench.issue(ready(4)), WarpSlot::none);
  EXPECT_EQ(bench.issue(ready(3, 4)), warp(3));  // 2 and 3 run
}

TEST(Swl, WithBeforeLastAWarpMoreRunsWhileTheLastOneIsAtABarrier) {
  IssueBench bench{"swl:warps=2,barrier=before_last+lrr", warps(5)};
  bench.enter_barrier(warp(0));
  EXPECT_EQ(bench.issue(ready(2, 3)), WarpSlot::none);  // 1 is at no barrier and counts
  bench.enter_barrier(warp(1));
  EXPECT_EQ(bench.issue(ready(2, 3)), warp(2));
  EXPECT_EQ(bench.issue(ready(3, 4)), WarpSlot::none);  // one more warp may run, not two
}

TEST(Swl, WithLiftsAllWarpsRunWhileTheLastOneIsAtABarrier) {
  IssueBench bench{"swl:warps=2,barrier=lifts+lrr", warps(5)};
  bench.enter_barrier(warp(0));
  EXPECT_EQ(bench.issue(ready(2, 3)), WarpSlot::none);
  bench.enter_barrier(warp(1));
  EXPECT_EQ(bench.issue(ready(3, 4)), warp(3));
  EXPECT_EQ(bench.issue(ready(4)), warp(4));
  bench.pass_barrier(warp(1));
  EXPECT_EQ(bench.issue(ready(4)), WarpSlot::none);
}

TEST(Swl, PassesABarrierOfMoreWarpsThanTheLimit) {
  IssueBench bench{"swl:warps=1+srr", warps(4)};
  for (int w = 0; w < 4; ++w) {
    EXPECT_EQ(bench.issue(warps(4)), warp(w));
    bench.enter_barrier(warp(w));
  }
  for (int w = 0; w < 4; ++w) bench.pass_barrier(warp(w));
  EXPECT_EQ(bench.issue(warps(4)), warp(0));
}

TEST(Swl, CountsWarpsThatItBeginsToVeto) {
  IssueBench bench{"swl:warps=2+lrr", warps(5)};
  bench.issue(ready(0, 3));
  bench.issue(ready(3));
  bench.issue(ready(3, 4));
  sm::PolicyReport report;
  bench.policy().report_statistics(report, bench.now());
  EXPECT_EQ(report.counters(), (sm::PolicyReport::Values{{"swl.vetoed_warps", 2}}));
}

TEST(Swl, TheNextOldestWarpRunsWhenOneEnds) {
  IssueBench bench{"swl:warps=2+oldest", warps(4)};
  bench.exit(warp(0));
  bench.launch(warp(0));  // the youngest now
  EXPECT_EQ(bench.issue(ready(0, 2, 3)), warp(2));
  EXPECT_EQ(bench.issue(ready(0, 3)), WarpSlot::none);
}

TEST(Swl, CountsTheWarpsOfAllSchedulersOfItsSm) {
  PolicyContext context;
  context.schedulers = 2;
  const auto policy = parse_policy("swl:warps=3+oldest");
  IssueBench even{policy->build(context), warps(6)};
  even.supervise(ready(0, 2, 4));
  EXPECT_EQ(even.issue(ready(2, 4)), warp(2));  // 0, 1, 2 may run
  EXPECT_EQ(even.issue(ready(4)), WarpSlot::none);
}

}  // namespace heddle::sched
