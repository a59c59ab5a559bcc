#include <gtest/gtest.h>

#include "tests/sched/issue_bench.h"

namespace heddle::sched {

TEST(Saws, PicksWarpsThatOthersAwaitAtABarrierFirst) {
  IssueBench bench{"saws", warps(0)};
  for (int w = 0; w < 4; ++w) bench.launch(warp(w), static_cast<std::uint64_t>(w / 2));
  EXPECT_EQ(bench.issue(warps(4)), warp(0));
  bench.enter_barrier(warp(2));
  EXPECT_EQ(bench.issue(ready(0, 1, 3)), warp(3));
  EXPECT_EQ(bench.issue(ready(0, 1)), warp(0));
  bench.pass_barrier(warp(2));
  EXPECT_EQ(bench.issue(ready(1, 2, 3)), warp(1));
}

TEST(Saws, SharesTheAwaitedWarpsAmongTheSchedulersOfAnSm) {
  PolicyContext context;
  context.schedulers = 2;
  context.in_sm = std::make_shared<SharedState>();
  const auto policy = parse_policy("saws");
  IssueBench even{policy->build(context), warps(0)};
  context.scheduler = 1;
  IssueBench odd{policy->build(context), warps(0)};
  for (int w = 0; w < 6; w += 2) {  // CTAs of two warps, one with each scheduler
    even.launch(warp(w), static_cast<std::uint64_t>(w / 2));
    odd.launch(warp(w + 1), static_cast<std::uint64_t>(w / 2));
  }
  even.enter_barrier(warp(4));
  EXPECT_EQ(odd.issue(ready(1, 3, 5)), warp(5));
}

}  // namespace heddle::sched
