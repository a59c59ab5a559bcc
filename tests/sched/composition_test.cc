// Texts of several policies: limiters before an order.
#include <gtest/gtest.h>

#include "tests/error_message.h"
#include "tests/sched/issue_bench.h"

namespace heddle::sched {
namespace {

std::string canonical(const std::string& policy) { return parse_policy(policy)->text(); }

std::string refusal_of(const std::string& policy) {
  return message_of([&] { parse_policy(policy); });
}

}  // namespace

TEST(Composition, ALimiterWithoutAnOrderUsesTheOrderOfItsPaper) {
  EXPECT_EQ(canonical("swl:warps=4"), "swl:warps=4");
  EXPECT_EQ(canonical("swl:warps=4+gto"), "swl:warps=4");
  IssueBench bench{"swl:warps=2", warps(4)};
  EXPECT_EQ(bench.issue(ready(1, 2, 3)), warp(1));
  EXPECT_EQ(bench.issue(ready(0, 1, 2, 3)), warp(1));  // greedy
}

TEST(Composition, ALimiterLimitsTheNamedOrder) {
  EXPECT_EQ(canonical("swl:warps=4+lrr"), "swl:warps=4+lrr");
  IssueBench bench{"swl:warps=3+lrr", warps(5)};
  EXPECT_EQ(bench.issue(warps(5)), warp(0));
  EXPECT_EQ(bench.issue(warps(5)), warp(1));
  EXPECT_EQ(bench.issue(warps(5)), warp(2));
  EXPECT_EQ(bench.issue(warps(5)), warp(0));  // 3 and 4 may not issue
}

TEST(Composition, SeveralLimitersMayPrecedeAnOrder) {
  EXPECT_EQ(canonical("swl:warps=4+ccws:base=50+two-level:max_active=3"),
            "swl:warps=4+ccws:base=50+two-level:max_active=3");
}

TEST(Composition, AnOrderMustBeLast) {
  EXPECT_NE(refusal_of("gto+swl").find("gto is an order and must be last"), std::string::npos);
  EXPECT_NE(refusal_of("swl+gtoo").find("did you mean gto"), std::string::npos);
}

TEST(Composition, VisitsTheWarpsThatTheOrderVisits) {
  IssueBench bench{"swl:warps=4+lrr", warps(6)};
  bench.issue(ready(1));
  EXPECT_EQ(bench.visited_before(warps(6), warp(3)), ready(2));
}

}  // namespace heddle::sched
