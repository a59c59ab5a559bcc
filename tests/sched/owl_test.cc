#include <gtest/gtest.h>

#include "tests/sched/issue_bench.h"

namespace heddle::sched {
namespace {

// Three CTAs of two warps on SM `sm`.
IssueBench three_ctas(const std::string& policy, int sm = 0) {
  PolicyContext context;
  context.sm = sm;
  IssueBench bench{parse_policy(policy)->build(context), warps(0)};
  bench.kernel(sm::KernelEvent::What::start);
  for (int w = 0; w < 6; ++w) bench.launch(warp(w), static_cast<std::uint64_t>(w / 2));
  return bench;
}

}  // namespace

TEST(Owl, ServesTheFirstGroupUntilAllItsWarpsWaitForMemory) {
  IssueBench bench = three_ctas("owl");
  EXPECT_EQ(bench.issue(warps(6)), warp(0));
  EXPECT_EQ(bench.issue(warps(6)), warp(1));
  EXPECT_EQ(bench.issue(ready(2, 3)), WarpSlot::none);  // 0 and 1 have short stalls
  bench.wait_for_long(ready(0));
  EXPECT_EQ(bench.issue(ready(2, 3)), WarpSlot::none);
  bench.wait_for_long(ready(0, 1));
  EXPECT_EQ(bench.issue(ready(2, 3)), warp(2));
}

TEST(Owl, ComeBackSelectsWhetherTheFirstGroupContinues) {
  for (const bool come_back : {true, false}) {
    IssueBench bench = three_ctas(come_back ? "owl" : "owl:come_back=no");
    bench.issue(ready(0));
    bench.wait_for_long(ready(0, 1));
    EXPECT_EQ(bench.issue(ready(2, 3)), warp(2));
    bench.wait_for_long(ready(0));
    EXPECT_EQ(bench.issue(ready(1, 3)), come_back ? warp(1) : warp(3));
  }
}

TEST(Owl, SpreadSelectsADifferentFirstGroupPerSm) {
  EXPECT_EQ(three_ctas("owl", 1).issue(warps(6)), warp(2));
  EXPECT_EQ(three_ctas("owl", 2).issue(warps(6)), warp(4));
  EXPECT_EQ(three_ctas("owl:spread=no", 2).issue(warps(6)), warp(0));
}

TEST(Owl, VisitsTheGroupsBeforeThatOfTheChosenWarpAndItsWarpsInRoundRobin) {
  for (const bool come_back : {true, false}) {
    IssueBench bench = three_ctas(come_back ? "owl:spread=no" : "owl:come_back=no,spread=no");
    EXPECT_EQ(bench.visited_before(warps(6), warp(3)), ready(0, 1, 2));
    bench.wait_for_long(ready(0, 1));
    EXPECT_EQ(bench.issue(ready(2, 4)), warp(2));
    EXPECT_EQ(bench.visited_before(warps(6), warp(5)), come_back ? warps(5) : ready(2, 3, 4));
  }
}

TEST(Owl, GroupsMayHoldSeveralCtasAndSwitchOnAnyStall) {
  IssueBench bench = three_ctas("owl:ctas=2,switch_on=any_stall");
  EXPECT_EQ(bench.issue(ready(3, 4)), warp(3));
  EXPECT_EQ(bench.issue(ready(4)), warp(4));
  EXPECT_EQ(bench.issue(warps(6)), warp(0));
}

}  // namespace heddle::sched
