#include <gtest/gtest.h>

#include "sched/limiters/priority_groups.h"
#include "tests/sched/issue_bench.h"

namespace heddle::sched {
namespace {

constexpr Dim3 kGrid{64, 1, 1};

// Loop 0 holds loop 1 and a load; loop 2 follows them and loads nothing.
isa::Kernel with_loops(std::uint32_t outer, std::uint32_t inner = 0, std::uint32_t last = 0) {
  isa::Kernel kernel;
  kernel.instructions.resize(30);
  kernel.instructions[12].op_class = isa::OpClass::load;
  kernel.instructions[12].space = isa::Space::global;
  kernel.source_lines = {{}};
  kernel.loops.push_back({2, isa::Loop::kNone, 1, {14}, {{2, 15}}, outer});
  kernel.loops.push_back({8, 0, 2, {10}, {{8, 11}}, inner});
  kernel.loops.push_back({20, isa::Loop::kNone, 1, {22}, {{20, 23}}, last});
  return kernel;
}

// Slots 0..count-1 hold warps of CTAs 0, 1, ... of `per_cta` warps, all in loop 0.
PriorityGroups in_loop(std::uint32_t group, int count, GroupMembers members = GroupMembers::id,
                       int per_cta = 64) {
  PriorityGroups groups{members};
  groups.begin_kernel(marked_groups(with_loops(group)), kGrid, analysis::Direction::none);
  groups.launch_cta(per_cta);
  for (int w = 0; w < count; ++w) {
    groups.launch({warp(w), static_cast<std::uint32_t>(w), static_cast<std::uint64_t>(w / per_cta),
                   true, Cycle{}});
    groups.begin_loop(warp(w), 0);
  }
  groups.update({}, Cycle{});
  return groups;
}
WarpMask high_after(PriorityGroups& groups, WarpMask at_barrier = {}) {
  groups.update(at_barrier, Cycle{});
  return groups.high();
}

// Warps 0..7 in a loop with groups of `group`.
struct MarkedBench : IssueBench {
  explicit MarkedBench(const std::string& policy, std::uint32_t group = 2)
      : IssueBench(policy, warps(8)), marked(with_loops(group)) {
    kernel(sm::KernelEvent::What::start, &marked, kGrid);
    loop(warps(8), 0, true);
  }
  isa::Kernel marked;
};

}  // namespace

TEST(PriorityGroups, AreConsecutiveWarpsAndFollowEachOther) {
  PriorityGroups groups = in_loop(4, 8);
  EXPECT_EQ(groups.high(), ready(0, 1, 2, 3));
  groups.end_loop(warp(0), 0);
  groups.end_loop(warp(1), 0);
  EXPECT_EQ(high_after(groups), ready(2, 3));
  groups.end_loop(warp(2), 0);
  groups.exit(warp(3));
  EXPECT_EQ(high_after(groups), ready(4, 5, 6, 7));
}

TEST(PriorityGroups, AWarpThatEntersAnEarlierGroupLaterGetsThePriorityBack) {
  PriorityGroups groups = in_loop(2, 4);
  groups.end_loop(warp(0), 0);
  groups.end_loop(warp(1), 0);
  EXPECT_EQ(high_after(groups), ready(2, 3));
  groups.begin_loop(warp(1), 0);
  EXPECT_EQ(high_after(groups), ready(1));
}

TEST(PriorityGroups, ByRankTheNextWarpFollowsWhenOneExits) {
  PriorityGroups groups = in_loop(4, 8, GroupMembers::rank);
  EXPECT_EQ(groups.high(), ready(0, 1, 2, 3));
  groups.end_loop(warp(1), 0);
  EXPECT_EQ(high_after(groups), ready(0, 2, 3, 4));
}

TEST(PriorityGroups, CountTheWarpsOfTheGridInRowsOrColumns) {
  for (const auto& [direction, id] : {std::pair{analysis::Direction::none, 8u},
                                      {analysis::Direction::x, 8u},
                                      {analysis::Direction::y, 6u}}) {
    PriorityGroups groups{GroupMembers::id};
    groups.begin_kernel({1}, {3, 2, 1}, direction);
    groups.launch_cta(2);
    groups.launch({warp(5), 20, 4, true, Cycle{}});  // CTA (1, 1): number 4 by rows, 3 by columns
    groups.launch({warp(1), 21, 4, true, Cycle{}});
    EXPECT_EQ(groups.priority_id(warp(5)), id);
    EXPECT_EQ(groups.priority_id(warp(1)), id + 1);
  }
}

TEST(PriorityGroups, SpanCtasThatFollowEachOtherOnOneSm) {
  // CTAs 0 and 1 of eight warps are on the SM.
  EXPECT_EQ(in_loop(12, 16, GroupMembers::id, 8).high(), warps(12));
}

TEST(PriorityGroups, HoldOneCtaWhenNeighboursAreOnOtherSms) {
  // Round robin over 15 SMs: CTAs 0 and 15.
  for (const auto& [members, high] :
       {std::pair{GroupMembers::id, warps(8)}, {GroupMembers::rank, warps(12)}}) {
    PriorityGroups groups{members};
    groups.begin_kernel({12}, kGrid, analysis::Direction::none);
    groups.launch_cta(8);
    for (int w = 0; w < 16; ++w) {
      groups.launch({warp(w), static_cast<std::uint32_t>(w), w < 8 ? 0u : 15u, true, Cycle{}});
      groups.begin_loop(warp(w), 0);
    }
    EXPECT_EQ(high_after(groups), high);
  }
}

TEST(PriorityGroups, TheNextGroupCountsAsHighWhileAllOfTheFirstAreAtABarrier) {
  PriorityGroups groups = in_loop(2, 6);
  EXPECT_EQ(high_after(groups, ready(0)), ready(0, 1));
  EXPECT_EQ(high_after(groups, ready(0, 1)), warps(4));
  EXPECT_EQ(high_after(groups, ready(0, 1, 3)), warps(4));
  EXPECT_EQ(high_after(groups, warps(6)), warps(6));
  EXPECT_EQ(high_after(groups), ready(0, 1));
}

TEST(PriorityGroups, TheInnermostMarkDecidesTheSize) {
  PriorityGroups groups{GroupMembers::id};
  groups.begin_kernel(marked_groups(with_loops(4, 2)), kGrid, analysis::Direction::none);
  groups.launch_cta(8);
  for (int w = 0; w < 8; ++w) {
    groups.launch({warp(w), static_cast<std::uint32_t>(w), 0, true, Cycle{}});
    groups.begin_loop(warp(w), 0);
  }
  EXPECT_EQ(high_after(groups), warps(4));
  groups.begin_loop(warp(0), 1);
  EXPECT_EQ(high_after(groups), warps(2));
  EXPECT_EQ(groups.group(), 2u);
  groups.begin_loop(warp(0), 1);  // another iteration
  groups.end_loop(warp(0), 1);
  EXPECT_EQ(high_after(groups), warps(4));
  EXPECT_EQ(groups.regions_entered(), 8u);
}

TEST(PriorityGroups, ALoopOfACalledFunctionIsInsideTheLoopOfItsCaller) {
  PriorityGroups groups = in_loop(4, 1);
  groups.begin_loop(warp(0), 2);  // not marked
  groups.end_loop(warp(0), 2);
  EXPECT_EQ(groups.in_region(), ready(0));
}

TEST(PriorityGroups, ComeFromPragmasTheAnalysisOrOneNumber) {
  const isa::Kernel kernel = with_loops(4, 2);
  EXPECT_EQ(marked_groups(kernel), (LoopGroups{4, 2, 0}));
  EXPECT_EQ(equal_groups(kernel, 6), (LoopGroups{6, 0, 0}));  // only loop 0 loads
  analysis::KernelAnalysis analysis;
  analysis.loops.resize(2);
  analysis.loops[0].loop = 2;
  analysis.loops[0].group = 3;
  analysis.loops[0].group_with_mapping = 30;
  analysis.loops[1].loop = 1;
  analysis.loops[1].group_with_mapping = 7;
  EXPECT_EQ(analysed_groups(kernel, analysis, false), (LoopGroups{0, 0, 3}));
  EXPECT_EQ(analysed_groups(kernel, analysis, true), (LoopGroups{0, 7, 30}));
}

TEST(PriorityGroups, ThatHideNoLatencyAreNoGroups) {
  const isa::Kernel kernel = with_loops(4, 2);  // bodies of 13 and 3 instructions
  EXPECT_EQ(hiding_groups(kernel, {4, 2, 0}, 0), (LoopGroups{4, 2, 0}));
  EXPECT_EQ(hiding_groups(kernel, {4, 2, 0}, 7), (LoopGroups{4, 0, 0}));
  EXPECT_EQ(hiding_groups(kernel, {4, 2, 0}, 52), (LoopGroups{4, 0, 0}));
  EXPECT_EQ(hiding_groups(kernel, {4, 2, 0}, 53), (LoopGroups{0, 0, 0}));
}

TEST(Ps, VetoesLoadsOutsideTheHighGroupOnly) {
  MarkedBench bench{"ps"};
  bench.loads(ready(0, 2, 3, 7));
  EXPECT_EQ(bench.issue(ready(2, 3)), WarpSlot::none);
  EXPECT_EQ(bench.issue(ready(2, 3, 4)), warp(4));  // no load
  EXPECT_EQ(bench.issue(ready(0, 2, 4)), warp(0));  // high priority before low
  bench.loop(warps(2), 0, false);
  EXPECT_EQ(bench.issue(ready(3, 7)), warp(3));
}

TEST(Ps, ReportsTheMarkedLoopsOfTheRunningKernel) {
  MarkedBench bench{"ps"};
  sm::PolicyReport report{sm::PolicyReport::Contents::counters_and_records};
  bench.policy().report_statistics(report, bench.now());
  EXPECT_EQ(report.records().size(), 1u);
}

TEST(Ps, DoesNotAffectAWarpOutsideMarkedLoops) {
  MarkedBench bench{"ps+oldest"};
  bench.loads(warps(8));
  bench.loop(ready(0, 5), 0, false);
  EXPECT_EQ(bench.issue(ready(4, 5)), warp(5));
  EXPECT_EQ(bench.issue(ready(0, 1)), warp(0));  // the order decides, not the group
  EXPECT_EQ(bench.issue(ready(1, 5)), warp(1));
}

TEST(Ps, PrioritizesWithoutVetoes) {
  MarkedBench bench{"ps:mode=prioritize+oldest"};
  bench.loads(warps(8));
  EXPECT_EQ(bench.issue(ready(2, 3)), warp(2));
  bench.exit(warp(0));
  EXPECT_EQ(bench.issue(ready(1, 3)), warp(1));
}

TEST(Ps, LetsTheNextGroupLoadWhileTheFirstIsAtABarrier) {
  MarkedBench bench{"ps"};
  bench.loads(warps(8));
  bench.enter_barrier(warp(0));
  EXPECT_EQ(bench.issue(ready(2)), WarpSlot::none);
  bench.enter_barrier(warp(1));
  EXPECT_EQ(bench.issue(ready(2)), warp(2));
  bench.pass_barrier(warp(0));
  bench.pass_barrier(warp(1));
  EXPECT_EQ(bench.issue(ready(2)), WarpSlot::none);
}

TEST(Ps, EndsItsVetoesForAShortTimeWhenTheGroupStaysTheSame) {
  MarkedBench bench{"ps:patience=128"};
  bench.loads(warps(8));
  for (int round = 0; round < 2; ++round) {
    for (int cycle = 0; cycle < 128; ++cycle) ASSERT_EQ(bench.issue(ready(6)), WarpSlot::none);
    for (int cycle = 0; cycle < 2; ++cycle) EXPECT_EQ(bench.issue(ready(6)), warp(6));
  }
  EXPECT_EQ(bench.issue(ready(6)), WarpSlot::none);
  EXPECT_EQ(bench.policy().wake_at(bench.now()), Cycle{260 + 128});
}

TEST(Ps, DoesNotIssueALowWarpsLoadSecond) {
  MarkedBench bench{"ps"};
  bench.loads(warps(8));
  EXPECT_EQ(bench.issue(ready(1, 6)), warp(1));
  EXPECT_TRUE(bench.policy().may_issue_second(warp(1), with_loops(1).instructions[12]));
  EXPECT_FALSE(bench.policy().may_issue_second(warp(6), with_loops(1).instructions[12]));
  EXPECT_TRUE(bench.policy().may_issue_second(warp(6), with_loops(1).instructions[11]));
}

TEST(Ps, ReadsTheGroupFromItsParameter) {
  MarkedBench bench{"ps:group=3"};  // instead of the marks
  bench.loads(warps(8));
  EXPECT_EQ(bench.issue(ready(3)), WarpSlot::none);
  EXPECT_EQ(bench.issue(ready(2)), warp(2));
}

TEST(Ps, ComposesWithLimitersAndOrders) {
  MarkedBench bench{"ps+swl:warps=4+lrr", 6};
  bench.loads(ready(6, 7));
  EXPECT_EQ(bench.issue(ready(5, 7)), WarpSlot::none);  // 5 is over the limit, 7 may not load
  EXPECT_EQ(bench.issue(ready(1, 3)), warp(1));
  EXPECT_EQ(bench.issue(ready(1, 3)), warp(3));
}

}  // namespace heddle::sched
