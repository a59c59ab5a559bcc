// The policies that go by groups of CTAs and by who reuses lines.
#include <gtest/gtest.h>

#include "mem/victim_list.h"
#include "tests/sched/issue_bench.h"

namespace heddle::sched {
namespace {

constexpr std::uint64_t kLine = 128;

// Three CTAs of two warps on SM `sm`.
IssueBench three_ctas(const std::string& policy, int sm = 0) {
  PolicyContext context;
  context.sm = sm;
  IssueBench bench{parse_policy(policy)->build(context), warps(0)};
  bench.kernel(sm::KernelEvent::What::start);
  for (int w = 0; w < 6; ++w) bench.launch(warp(w), static_cast<std::uint64_t>(w / 2));
  return bench;
}

sm::L1Access access(int w, std::uint64_t line, sm::L1Outcome outcome, int owner, Cycle now) {
  return {warp(w), 0, LineAddress{line * kLine}, true, outcome, warp(owner), false, now};
}

}  // namespace

TEST(CtaGroups, ServeTheFirstUntilAllItsWarpsWaitForMemory) {
  IssueBench bench = three_ctas("owl");
  EXPECT_EQ(bench.issue(warps(6)), warp(0));
  EXPECT_EQ(bench.issue(warps(6)), warp(1));
  EXPECT_EQ(bench.issue(ready(2, 3)), WarpSlot::none);  // 0 and 1 will go on soon
  bench.wait_for_long(ready(0));
  EXPECT_EQ(bench.issue(ready(2, 3)), WarpSlot::none);
  bench.wait_for_long(ready(0, 1));
  EXPECT_EQ(bench.issue(ready(2, 3)), warp(2));
}

TEST(CtaGroups, TheFirstTakesOverAgainOrTheNextGoesOn) {
  for (const bool come_back : {true, false}) {
    IssueBench bench = three_ctas(come_back ? "owl" : "owl:come_back=no");
    bench.issue(ready(0));
    bench.wait_for_long(ready(0, 1));
    EXPECT_EQ(bench.issue(ready(2, 3)), warp(2));
    bench.wait_for_long(ready(0));
    EXPECT_EQ(bench.issue(ready(1, 3)), come_back ? warp(1) : warp(3));
  }
}

TEST(CtaGroups, AreSpreadOverSms) {
  EXPECT_EQ(three_ctas("owl", 1).issue(warps(6)), warp(2));
  EXPECT_EQ(three_ctas("owl", 2).issue(warps(6)), warp(4));
  EXPECT_EQ(three_ctas("owl:spread=no", 2).issue(warps(6)), warp(0));
}

TEST(CtaGroups, MayHoldSeveralCtasAndLetOthersFillGaps) {
  IssueBench bench = three_ctas("owl:ctas=2,switch_on=any_stall");
  EXPECT_EQ(bench.issue(ready(3, 4)), warp(3));
  EXPECT_EQ(bench.issue(ready(4)), warp(4));
  EXPECT_EQ(bench.issue(warps(6)), warp(0));
}

TEST(VictimList, KnowsOwnAndOthersLostLines) {
  mem::VictimList<WarpSlot> list{16, kLine};
  list.insert(LineAddress{5 * kLine}, warp(1));
  EXPECT_TRUE(list.find(LineAddress{5 * kLine}, warp(1)).own);
  EXPECT_FALSE(list.find(LineAddress{5 * kLine}, warp(1)).other);
  EXPECT_TRUE(list.find(LineAddress{5 * kLine}, warp(2)).other);
  EXPECT_FALSE(list.find(LineAddress{6 * kLine}, warp(2)).other);
  for (std::uint64_t i = 1; i <= 8; ++i)
    list.insert(LineAddress{(5 + 2 * i) * kLine}, warp(3));  // all of its set
  EXPECT_FALSE(list.find(LineAddress{5 * kLine}, warp(1)).own);
}

TEST(AdaptLocal, TurnsToRoundRobinForAPeriodWhenOthersLinesAreReusedMore) {
  IssueBench bench{"adapt-local:period=10", warps(4)};
  EXPECT_EQ(bench.issue(warps(4)), warp(0));
  EXPECT_EQ(bench.issue(warps(4)), warp(0));  // greedy at first
  bench.l1_access(access(0, 1, sm::L1Outcome::hit, 0, bench.now()));
  bench.l1_access(access(0, 2, sm::L1Outcome::hit, 3, bench.now()));
  bench.l1_evict({LineAddress{9 * kLine}, warp(2), 0});
  bench.l1_access(access(1, 9, sm::L1Outcome::miss, 0, bench.now()));  // another's loss: 2 to 1
  bench.idle(8);
  EXPECT_EQ(bench.issue(warps(4)), warp(1));
  EXPECT_EQ(bench.issue(warps(4)), warp(2));
  bench.l1_access(access(2, 9, sm::L1Outcome::miss, 0, bench.now()));  // its own loss
  bench.idle(8);
  EXPECT_EQ(bench.issue(warps(4)), bench.issue(warps(4)));
}

TEST(AdaptLocal, CountsWhatTheL2SeesOfOtherSmsUnlessToldNotTo) {
  for (const bool l2 : {true, false}) {
    IssueBench bench{l2 ? "adapt-local:period=4" : "adapt-local:period=4,l2=no", warps(4)};
    bench.issue(warps(4));
    bench.l1_access(access(0, 1, sm::L1Outcome::hit, 0, bench.now()));  // one for greed
    bench.l2_reuse({warp(0), false, bench.now()});
    bench.l2_reuse({warp(2), false, bench.now()});
    bench.idle(3);
    EXPECT_EQ(bench.issue(warps(4)), warp(l2 ? 1 : 0));
    bench.l2_reuse({warp(2), true, bench.now()});  // its own line alone: greedy again
    bench.idle(4);
    EXPECT_EQ(bench.issue(warps(4)), bench.issue(warps(4)));
  }
}

TEST(AdaptLocal, BeginsEachKernelGreedy) {
  IssueBench bench{"adapt-local:period=4", warps(4)};
  bench.issue(warps(4));
  bench.l1_access(access(0, 2, sm::L1Outcome::hit, 3, bench.now()));
  bench.idle(3);
  EXPECT_EQ(bench.issue(warps(4)), warp(1));
  bench.kernel(sm::KernelEvent::What::start);
  EXPECT_EQ(bench.issue(warps(4)), warp(1));
  EXPECT_EQ(bench.issue(warps(4)), warp(1));
}

}  // namespace heddle::sched
