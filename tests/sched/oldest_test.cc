#include <gtest/gtest.h>

#include "tests/sched/issue_bench.h"

namespace heddle::sched {

TEST(Oldest, VisitsWarpsOlderThanTheChosenOne) {
  IssueBench bench{"oldest", warps(4)};
  EXPECT_EQ(bench.visited_before(warps(4), warp(2)), ready(0, 1));
}

TEST(Oldest, ReturnsToTheOldestAsSoonAsItCanIssue) {
  IssueBench bench{"oldest", warps(4)};
  EXPECT_EQ(bench.issue(ready(2, 3)), warp(2));
  EXPECT_EQ(bench.issue(ready(0, 2, 3)), warp(0));
  EXPECT_EQ(bench.issue(ready(1, 3)), warp(1));
}

}  // namespace heddle::sched
