#include <gtest/gtest.h>

#include "tests/sched/issue_bench.h"

namespace heddle::sched {

TEST(Youngest, VisitsWarpsYoungerThanTheChosenOne) {
  IssueBench bench{"youngest", warps(4)};
  EXPECT_EQ(bench.visited_before(ready(0, 1, 3), warp(1)), ready(3));
}

TEST(Youngest, IsTheReverseOfOldestFirst) {
  IssueBench bench{"youngest", warps(4)};
  EXPECT_EQ(bench.issue(ready(0, 2)), warp(2));
  EXPECT_EQ(bench.issue(ready(0, 2, 3)), warp(3));
  bench.exit(warp(0));
  bench.launch(warp(0));
  EXPECT_EQ(bench.issue(ready(0, 3)), warp(0));
}

}  // namespace heddle::sched
