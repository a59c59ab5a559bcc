// Limiters and orders, alone and together.
#include <gtest/gtest.h>

#include "base/diagnostics.h"
#include "sched/limiters/lost_locality.h"
#include "tests/sched/issue_bench.h"

namespace heddle::sched {
namespace {

std::string canonical(const std::string& policy) { return parse_policy(policy)->text(); }

std::string refusal_of(const std::string& policy) {
  try {
    parse_policy(policy);
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST(Composition, ALimiterAloneHasItsPapersOrder) {
  EXPECT_EQ(canonical("swl:warps=4"), "swl:warps=4");
  EXPECT_EQ(canonical("swl:warps=4+gto"), "swl:warps=4");
  IssueBench bench{"swl:warps=2", warps(4)};
  EXPECT_EQ(bench.issue(ready(1, 2, 3)), warp(1));
  EXPECT_EQ(bench.issue(ready(0, 1, 2, 3)), warp(1));  // greedy
}

TEST(Composition, ALimiterStandsOverTheNamedOrder) {
  EXPECT_EQ(canonical("swl:warps=4+lrr"), "swl:warps=4+lrr");
  IssueBench bench{"swl:warps=3+lrr", warps(5)};
  EXPECT_EQ(bench.issue(warps(5)), warp(0));
  EXPECT_EQ(bench.issue(warps(5)), warp(1));
  EXPECT_EQ(bench.issue(warps(5)), warp(2));
  EXPECT_EQ(bench.issue(warps(5)), warp(0));  // 3 and 4 do not take part
}

TEST(Composition, LimitersStackOverAnOrderWithParameters) {
  EXPECT_EQ(canonical("swl:warps=4+ccws:base=50+two-level:max_active=3"),
            "swl:warps=4+ccws:base=50+two-level:max_active=3");
}

TEST(Composition, AnOrderStandsLast) {
  EXPECT_NE(refusal_of("gto+swl").find("gto is an order and stands last"), std::string::npos);
  EXPECT_NE(refusal_of("swl+gtoo").find("did you mean gto"), std::string::npos);
}

TEST(StaticLimit, AdmitsAnotherWarpForOneAtABarrier) {
  IssueBench bench{"swl:warps=2+lrr", warps(4)};
  EXPECT_EQ(bench.issue(ready(2, 3)), WarpSlot::none);
  bench.enter_barrier(warp(0));
  EXPECT_EQ(bench.issue(ready(2, 3)),
            WarpSlot::none);  // 0 and 1: the pool is full with 1, who is at no barrier
  bench.enter_barrier(warp(1));
  EXPECT_EQ(bench.issue(ready(2, 3)), warp(2));
  EXPECT_EQ(bench.issue(ready(3)), WarpSlot::none);  // one came in, not two
}

TEST(StaticLimit, PassesABarrierOfMoreWarpsThanTheLimit) {
  IssueBench bench{"swl:warps=1+srr", warps(4)};
  for (int w = 0; w < 4; ++w) {
    EXPECT_EQ(bench.issue(warps(4)), warp(w));
    bench.enter_barrier(warp(w));
  }
  for (int w = 0; w < 4; ++w) bench.leave_barrier(warp(w));
  EXPECT_EQ(bench.issue(warps(4)), warp(0));
}

TEST(StaticLimit, AWarpThatEndsMakesRoomForTheNextByAge) {
  IssueBench bench{"swl:warps=2+oldest", warps(4)};
  bench.exit(warp(0));
  bench.launch(warp(0));  // the youngest now
  EXPECT_EQ(bench.issue(ready(0, 2, 3)), warp(2));
  EXPECT_EQ(bench.issue(ready(0, 3)), WarpSlot::none);
}

TEST(StaticLimit, CountsTheWarpsOfAllSchedulersOfItsSm) {
  PolicyContext context;
  context.schedulers = 2;
  const auto policy = parse_policy("swl:warps=3+oldest");
  IssueBench even{policy->build(context), warps(6)};
  even.supervise(ready(0, 2, 4));
  EXPECT_EQ(even.issue(ready(2, 4)), warp(2));  // 0, 1, 2 are in
  EXPECT_EQ(even.issue(ready(4)), WarpSlot::none);
}

TEST(TwoLevel, DemotesAWarpThatWaitsAndPromotesTheNext) {
  IssueBench bench{"two-level:max_active=2", warps(4)};
  EXPECT_EQ(bench.issue(warps(4)), warp(0));
  EXPECT_EQ(bench.issue(warps(4)), warp(1));
  EXPECT_EQ(bench.issue(warps(4)), warp(0));
  bench.wait_for_long(ready(0));
  EXPECT_EQ(bench.issue(ready(1, 2, 3)), warp(1));
  EXPECT_EQ(bench.issue(ready(1, 2, 3)), warp(2));  // came in for 0
  EXPECT_EQ(bench.issue(ready(1, 3)), warp(1));
}

TEST(TwoLevel, SweepsOverBlockedPendingWarpsInSeveralCycles) {
  IssueBench bench{"two-level:max_active=1", warps(4)};
  EXPECT_EQ(bench.issue(warps(4)), warp(0));
  bench.wait_for_long(ready(0, 1, 2));
  EXPECT_EQ(bench.issue(ready(3)), WarpSlot::none);  // 1 came in, blocked
  EXPECT_EQ(bench.issue(ready(3)), WarpSlot::none);  // 2
  EXPECT_EQ(bench.issue(ready(3)), warp(3));
}

TEST(TwoLevel, TurnsOverInIdleCyclesToo) {
  IssueBench bench{"two-level:max_active=1", warps(4)};
  EXPECT_EQ(bench.issue(warps(4)), warp(0));
  bench.wait_for_long(warps(4));
  bench.idle(3);  // 1, 2, 3 came in, blocked
  bench.wait_for_long(ready(0, 1, 2));
  EXPECT_EQ(bench.issue(ready(3)), warp(3));
}

TEST(TwoLevel, IsLooseRoundRobinWhenAllAreActiveAndNoneBlocked) {
  IssueBench two{"two-level:max_active=64", warps(5)}, lrr{"lrr", warps(5)};
  const WarpMask sets[] = {warps(5), ready(0, 3),    ready(1, 2), warps(5),
                           ready(4), ready(0, 1, 4), warps(5),    warps(5)};
  for (const WarpMask set : sets) EXPECT_EQ(two.issue(set), lrr.issue(set));
}

TEST(FetchGroups, LeavesTheGroupWhenNoMemberCanIssue) {
  IssueBench bench{"fetch-groups:group_size=2", warps(6)};
  EXPECT_EQ(bench.issue(warps(6)), warp(0));
  EXPECT_EQ(bench.issue(warps(6)), warp(1));
  EXPECT_EQ(bench.issue(warps(6)), warp(0));
  EXPECT_EQ(bench.issue(ready(2, 3, 4)), warp(2));
  EXPECT_EQ(bench.issue(warps(6)), warp(3));
  EXPECT_EQ(bench.issue(ready(0, 1, 5)), warp(5));
}

TEST(FetchGroups, MayWaitForAGroupThatStallsShortly) {
  IssueBench bench{"fetch-groups:group_size=2,switch_on=long_stall", warps(4)};
  EXPECT_EQ(bench.issue(warps(4)), warp(0));
  EXPECT_EQ(bench.issue(ready(2, 3)), WarpSlot::none);
  bench.wait_for_long(ready(0));
  EXPECT_EQ(bench.issue(ready(2, 3)), WarpSlot::none);  // 1 will go on soon
  bench.wait_for_long(ready(0, 1));
  EXPECT_EQ(bench.issue(ready(2, 3)), warp(2));
}

}  // namespace heddle::sched
