#include <gtest/gtest.h>

#include "sched/framework/policy_entry.h"
#include "tests/sched/issue_bench.h"

namespace heddle::sched {

PolicyEntry bounded_greed();

TEST(BoundedGreed, PicksTheOldestOtherWarpAfterRunIssues) {
  IssueBench bench{bounded_greed().parse("run=2")->build({}), warps(4)};
  EXPECT_EQ(bench.issue(ready(2, 3)), warp(2));
  EXPECT_EQ(bench.issue(ready(0, 2, 3)), warp(2));  // greedy: 0 is older, but 2 has issued once
  EXPECT_EQ(bench.issue(ready(0, 2, 3)), warp(0));  // two in a row: the oldest other warp
  EXPECT_EQ(bench.issue(ready(0)), warp(0));
  EXPECT_EQ(bench.issue(ready(0)), warp(0));  // no other warp is issuable
}

}  // namespace heddle::sched
