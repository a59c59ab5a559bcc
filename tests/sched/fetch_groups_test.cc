#include <gtest/gtest.h>

#include "tests/sched/issue_bench.h"

namespace heddle::sched {

TEST(FetchGroups, VisitsTheGroupsBeforeTheChosenOne) {
  IssueBench bench{"fetch-groups:group_size=2", warps(6)};
  bench.issue(ready(2));  // the group of 2 and 3
  EXPECT_EQ(bench.visited_before(ready(0, 1, 3, 5), warp(4)), ready(3));
  EXPECT_EQ(bench.visited_before(ready(0, 3, 4), warp(1)), ready(3, 4, 0));
}

TEST(FetchGroups, SwitchesGroupsWhenNoMemberCanIssue) {
  IssueBench bench{"fetch-groups:group_size=2", warps(6)};
  EXPECT_EQ(bench.issue(warps(6)), warp(0));
  EXPECT_EQ(bench.issue(warps(6)), warp(1));
  EXPECT_EQ(bench.issue(warps(6)), warp(0));
  EXPECT_EQ(bench.issue(ready(2, 3, 4)), warp(2));
  EXPECT_EQ(bench.issue(warps(6)), warp(3));
  EXPECT_EQ(bench.issue(ready(0, 1, 5)), warp(5));
}

TEST(FetchGroups, MaySwitchOnLongStallsOnly) {
  IssueBench bench{"fetch-groups:group_size=2,switch_on=long_stall", warps(4)};
  EXPECT_EQ(bench.issue(warps(4)), warp(0));
  EXPECT_EQ(bench.issue(ready(2, 3)), WarpSlot::none);
  bench.wait_for_long(ready(0));
  EXPECT_EQ(bench.issue(ready(2, 3)), WarpSlot::none);  // 1 has a short stall
  bench.wait_for_long(ready(0, 1));
  EXPECT_EQ(bench.issue(ready(2, 3)), warp(2));
}

}  // namespace heddle::sched
