#include <gtest/gtest.h>

#include "tests/sched/issue_bench.h"

namespace heddle::sched {
namespace {

PolicyContext slots(int count) {
  PolicyContext where;
  where.warp_slots = count;
  return where;
}

}  // namespace

TEST(TwoLevel, VisitsActiveWarpsBeforeTheChosenOne) {
  IssueBench bench{"two-level:max_active=3", warps(6), slots(6)};
  bench.issue(ready(0));  // active: 1, 2, 0
  EXPECT_EQ(bench.visited_before(ready(0, 1, 4, 5), warp(2)), ready(1));
  EXPECT_EQ(bench.visited_before(ready(1, 2, 4, 5), warp(0)), ready(1, 2));
}

// GPGPU-Sim examines no pending warp, so a pending warp keeps a stale buffer until it is promoted.
TEST(TwoLevel, VisitsOnlyActiveWarpsInACycleWithoutAnIssue) {
  IssueBench bench{"two-level:max_active=2", warps(4), slots(4)};
  EXPECT_EQ(bench.visited_without_issue(warps(4)), ready(0, 1));
  bench.read_loaded(ready(0));
  bench.idle(1);
  EXPECT_EQ(bench.visited_without_issue(warps(4)), ready(1, 2));
}

TEST(TwoLevel, DemotesAWarpThatWaitsAndPromotesTheNext) {
  IssueBench bench{"two-level:max_active=2", warps(4), slots(4)};
  EXPECT_EQ(bench.issue(warps(4)), warp(0));
  EXPECT_EQ(bench.issue(warps(4)), warp(1));
  EXPECT_EQ(bench.issue(warps(4)), warp(0));
  bench.read_loaded(ready(0));
  EXPECT_EQ(bench.issue(ready(1, 2, 3)), warp(1));
  EXPECT_EQ(bench.issue(ready(1, 2, 3)), warp(2));  // promoted in place of 0
  EXPECT_EQ(bench.issue(ready(1, 3)), warp(1));
}

TEST(TwoLevel, PromotesAndDemotesBlockedPendingWarpsOnePerCycle) {
  IssueBench bench{"two-level:max_active=1", warps(4), slots(4)};
  EXPECT_EQ(bench.issue(warps(4)), warp(0));
  bench.read_loaded(ready(0, 1, 2));
  EXPECT_EQ(bench.issue(ready(3)), WarpSlot::none);  // 1 is promoted, but blocked
  EXPECT_EQ(bench.issue(ready(3)), WarpSlot::none);  // 2
  EXPECT_EQ(bench.issue(ready(3)), warp(3));
}

TEST(TwoLevel, ExchangesBlockedWarpsInIdleCyclesToo) {
  IssueBench bench{"two-level:max_active=1", warps(4), slots(4)};
  EXPECT_EQ(bench.issue(warps(4)), warp(0));
  bench.read_loaded(warps(4));
  bench.idle(3);  // 1, 2, 3 are promoted, but blocked
  bench.read_loaded(ready(0, 1, 2));
  EXPECT_EQ(bench.issue(ready(3)), warp(3));
}

// The CTA of an SM without live warps waits for its stores.
TEST(TwoLevel, MakesStepsWithoutLiveWarpsOnMachinesThatMakeThemBeforeTheFirstCta) {
  for (const std::uint32_t before : {0u, 1u}) {
    PolicyContext where = slots(4);
    where.cycles_before_ctas = before;
    IssueBench bench{"two-level:max_active=1", ready(0), where};
    EXPECT_EQ(bench.issue(ready(0)), warp(0));
    bench.exit(warp(0));
    bench.idle(2);  // the active slot is 2, or 0 as before
    bench.launch(warp(2));
    EXPECT_EQ(bench.issue(ready(2)), before ? warp(2) : WarpSlot::none);
  }
}

// Warp 0 waits for its own arithmetic only: GPGPU-Sim's rule keeps it active, the text of Liu et
// al. replaces it by warp 2.
TEST(TwoLevel, DemotesEveryWarpThatIsNotReadyOnRequest) {
  for (const bool all : {false, true}) {
    IssueBench bench{all ? "two-level:max_active=2,demoted=not_ready,promote_only_eligible=yes"
                         : "two-level:max_active=2",
                     warps(4), slots(4)};
    EXPECT_EQ(bench.issue(warps(4)), warp(0));
    EXPECT_EQ(bench.issue(ready(2, 3)), all ? warp(2) : WarpSlot::none);
    EXPECT_EQ(bench.issue(warps(4)), all ? warp(3) : warp(1));
    EXPECT_EQ(bench.issue(warps(4)), all ? warp(2) : warp(0));
  }
}

// As GPGPU-Sim's list, which holds all warps that the SM can have: slots without a live warp are
// promoted and demoted, too, so warp 0 returns after the sweep over the other slots.
TEST(TwoLevel, SlotsWithoutAWarpTakeTheirTurnInTheActiveSet) {
  IssueBench bench{"two-level:max_active=2", warps(1), slots(6)};
  EXPECT_EQ(bench.issue(ready(0)), warp(0));
  bench.read_loaded(ready(0));
  bench.idle(1);  // active: 3, 4 in place of 2, 0
  bench.read_loaded({});
  EXPECT_EQ(bench.issue(ready(0)), WarpSlot::none);  // 5, 1
  EXPECT_EQ(bench.issue(ready(0)), warp(0));         // 2, 0
}

TEST(TwoLevel, IsLooseRoundRobinWhenAllAreActiveAndNoneBlocked) {
  IssueBench two{"two-level:max_active=64", warps(5), slots(5)}, lrr{"lrr", warps(5)};
  const WarpMask sets[] = {warps(5), ready(0, 3),    ready(1, 2), warps(5),
                           ready(4), ready(0, 1, 4), warps(5),    warps(5)};
  for (const WarpMask set : sets) EXPECT_EQ(two.issue(set), lrr.issue(set));
}

}  // namespace heddle::sched
