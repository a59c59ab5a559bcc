#include <gtest/gtest.h>

#include "tests/sched/issue_bench.h"

namespace heddle::sched {

TEST(CriticalityAware, IsGreedyThenTakesTheWarpWithTheMostBeforeIt) {
  IssueBench bench{"cawa", warps(3)};
  for (int w = 0; w < 3; ++w) bench.issue(ready(w));
  // Each has issued once: a branch over 5, 40 and 20 instructions.
  bench.policy().on_branch({warp(0), 0, LaneMask{}, LaneMask::all(), 6, 6});
  bench.policy().on_branch({warp(1), 0, LaneMask{}, LaneMask::all(), 41, 41});
  bench.policy().on_branch({warp(2), 0, LaneMask{}, LaneMask::all(), 21, 21});
  EXPECT_EQ(bench.issue(ready(0, 1, 2)), warp(2));  // issued last
  EXPECT_EQ(bench.issue(ready(0, 1)), warp(1));
  EXPECT_EQ(bench.issue(ready(0, 2)), warp(2));
}

TEST(CriticalityAware, CountsBothPathsOfADivergedBranchAndALoopsBody) {
  IssueBench bench{"cawa", warps(3)};
  for (int w = 0; w < 3; ++w) bench.issue(ready(w));
  bench.policy().on_branch({warp(0), 10, LaneMask::first(3), LaneMask::first(2), 31, 21});      // 10 + 20
  bench.policy().on_branch({warp(1), 50, LaneMask::all(), LaneMask{}, 51, 20});                 // back over 31
  bench.policy().on_branch({warp(2), 10, LaneMask::all(), LaneMask{}, 31, 21});                 // 10
  bench.exit(warp(2));
  EXPECT_EQ(bench.issue(ready(0, 1)), warp(1));
}

TEST(CriticalityAware, TakesTheOlderOfEqualWarps) {
  IssueBench bench{"cawa", warps(3)};
  EXPECT_EQ(bench.issue(ready(1, 2)), warp(1));
}

}  // namespace heddle::sched
