#include <gtest/gtest.h>

#include <map>

#include "sched/adaptive/ipaws_state.h"
#include "sched/adaptive/longest_stalled.h"
#include "tests/sched/issue_bench.h"

namespace heddle::sched {
namespace {

using Counts = std::vector<std::uint64_t>;

std::vector<IssuePattern> patterns(const Counts& instructions, const Counts& stalls,
                                   const Counts& barrier = {}) {
  std::vector<IssuePattern> all;
  for (std::size_t i = 0; i < instructions.size(); ++i)
    all.push_back({instructions[i], barrier.empty() ? 0 : barrier[i], stalls[i]});
  return all;
}

// A policy on two SMs of one GPU with one scheduler each.
struct TwoSms {
  PolicyContext context;
  std::unique_ptr<IssueBench> sm[2];
  explicit TwoSms(const std::string& text) {
    const auto policy = parse_policy(text);
    context.in_gpu = std::make_shared<SharedState>();
    for (int i = 0; i < 2; ++i) {
      context.sm = i;
      context.in_sm = std::make_shared<SharedState>();
      sm[i] = std::make_unique<IssueBench>(policy->build(context), warps(4));
    }
  }
  // Warp w of SM `on` issues counts[w] times.
  void issue(int on, const std::vector<int>& counts) {
    for (int w = 0; w < 4; ++w)
      for (int i = 0; i < counts[static_cast<std::size_t>(w)]; ++i) sm[on]->issue(ready(w));
  }
};

}  // namespace

TEST(IssuePattern, EvenIssueOverTheWarpsOfInterestIsConvex) {
  const auto all = patterns({100, 90, 80, 70, 40, 0, 0, 0}, {5, 6, 8, 9, 20, 1, 0, 0});
  const PatternDecision d = decide_by_pattern(all);
  EXPECT_EQ(d.of_interest, 5u);
  EXPECT_EQ(d.sum, 380u);
  EXPECT_EQ(d.threshold, 250);
  EXPECT_NEAR(d.convexity(), 1.52, 0.001);
  EXPECT_TRUE(d.round_robin);
  const PatternDecision without = decide_by_pattern(all, Interest::all);
  EXPECT_EQ(without.threshold, 400);
  EXPECT_NEAR(without.convexity(), 0.95, 0.001);
  EXPECT_FALSE(without.round_robin);
}

TEST(IssuePattern, UnevenIssueIsConcave) {
  const PatternDecision d =
      decide_by_pattern(patterns({100, 30, 20, 10, 5, 1}, {1, 2, 3, 4, 9, 2}));
  EXPECT_EQ(d.sum, 165u);
  EXPECT_EQ(d.threshold, 250);
  EXPECT_NEAR(d.convexity(), 0.66, 0.001);
  EXPECT_FALSE(d.round_robin);
}

TEST(IssuePattern, TheBarrierScoreCompensatesTimeAtBarriers) {
  const Counts issued{100, 95, 92, 90}, stalls{1, 1, 1, 5};
  const PatternDecision without = decide_by_pattern(patterns(issued, stalls));
  EXPECT_NEAR(without.convexity(), 1.885, 0.001);
  EXPECT_TRUE(without.round_robin);
  const PatternDecision with = decide_by_pattern(patterns(issued, stalls, {300, 60, 20, 0}));
  EXPECT_EQ(with.sum, 757u);
  EXPECT_EQ(with.threshold, 800);
  EXPECT_FALSE(with.round_robin);
}

TEST(IssuePattern, EqualScoresHaveConvexityTwoAndOneBusyWarpTwoOverTheNumber) {
  EXPECT_EQ(decide_by_pattern(patterns({7, 7, 7}, {0, 0, 0})).convexity(), 2);
  const PatternDecision one = decide_by_pattern(patterns({9, 0, 0, 0}, {0, 0, 0, 0}));
  EXPECT_EQ(one.of_interest, 4u);
  EXPECT_EQ(one.convexity(), 0.5);
  EXPECT_FALSE(one.round_robin);
}

TEST(IssuePattern, TheMostStalledWarpItselfCanBeLeftOut) {
  const auto of = [](const Counts& stalls) {
    return decide_by_pattern(patterns({8, 6, 1, 0}, stalls), Interest::older);
  };
  EXPECT_EQ(of({0, 1, 5, 5}).of_interest, 2u);
  EXPECT_EQ(of({0, 1, 5, 5}).sum, 14u);
  EXPECT_EQ(of({0, 1, 5, 5}).threshold, 8);
  EXPECT_EQ(of({9, 1, 5, 5}).of_interest, 1u);  // no warp is older
  EXPECT_EQ(of({0, 0, 0, 0}).of_interest, 4u);
}

TEST(IssuePattern, TheWarpsOfInterestEndWithTheOldestOfEquallyStalledWarps) {
  EXPECT_EQ(decide_by_pattern(patterns({1, 1, 1, 1}, {1, 3, 0, 3})).of_interest, 2u);
  EXPECT_EQ(decide_by_pattern(patterns({1, 1, 1, 1}, {3, 3, 3, 3})).of_interest, 1u);
  EXPECT_EQ(decide_by_pattern(patterns({1, 1, 1, 1}, {3, 0, 3, 4})).of_interest, 4u);
}

TEST(PatternCounters, CountCyclesAtABarrierInWhichOthersIssue) {
  PatternCounters counters{CountBy::warp, BarrierScore::other_issue};
  for (int w = 0; w < 2; ++w)
    counters.launch({warp(w), static_cast<std::uint32_t>(w), 0, true, {}});
  counters.issued(warp(0), Cycle{1});
  counters.barrier(warp(0), true);
  for (std::uint64_t t : {3, 4, 9}) counters.issued(warp(1), Cycle{t});
  EXPECT_EQ(counters.by_age()[0].barrier_time, 3u);
  counters.barrier(warp(0), false);
  counters.issued(warp(1), Cycle{10});
  EXPECT_EQ(counters.by_age()[0].barrier_time, 3u);
  EXPECT_EQ(counters.by_age()[1].instructions, 4u);
}

TEST(LongestStalled, ReturnsTheWarpThatHasWaitedLongest) {
  const std::vector<std::uint32_t> ages{0, 1, 2, 3};
  sm::IssueView view{};
  view.age = ages;
  LongestStalled stalled;
  EXPECT_EQ(stalled.longest(ready(2, 3), view), warp(2));  // both are new: the older one
  EXPECT_EQ(stalled.longest(ready(0, 2, 3), view),
            warp(2));  // 0 is older, but has waited less
  stalled.remove(warp(2));
  EXPECT_EQ(stalled.longest(ready(0, 2, 3), view), warp(3));  // 2 issued and stalled again
  stalled.remove(warp(3));
  EXPECT_EQ(stalled.longest(ready(0, 2), view), warp(0));
  stalled.remove(warp(0));
  EXPECT_EQ(stalled.longest(ready(2), view), warp(2));
}

// iPAWS on four warps that were launched in order, driven slot by slot.
struct StallBench {
  explicit StallBench(const std::string& options) {
    PolicyContext context;
    context.in_gpu = std::make_shared<SharedState>();
    context.in_sm = std::make_shared<SharedState>();
    scheduler = parse_policy("ipaws:" + options)->build(context);
    view.age = ages;
    for (int w = 0; w < 4; ++w)
      scheduler->on_warp({warp(w), static_cast<std::uint32_t>(w), 0, true, Cycle{0}});
  }
  void issue(std::uint64_t now, int w) {
    scheduler->on_issue({Cycle{now}, warp(w), &alu, 0, LaneMask::all()});
  }
  // Ready warps lack their units in so many cycles.
  void stall(std::uint64_t now, WarpMask warps, std::uint64_t cycles) {
    view.ready = warps;
    view.issuable = {};
    scheduler->on_no_issue({Cycle{now}, cycles, sm::SlotUse::pipeline, view});
  }
  // A value of the record that iPAWS keeps when the first warp, w, ends.
  template <class T>
  T recorded(const std::string& name, int w, std::uint64_t now) {
    scheduler->on_warp({warp(w), static_cast<std::uint32_t>(w), 0, false, Cycle{now}});
    sm::PolicyReport report(sm::PolicyReport::Contents::counters_and_records);
    scheduler->report_statistics(report, Cycle{now});
    const auto& values = report.records().at(0).values;
    return std::get<T>(
        std::map<std::string, sm::PolicyReport::Record::Value>(values.begin(), values.end())
            .at(name));
  }

  const std::vector<std::uint32_t> ages{0, 1, 2, 3};
  const isa::Instruction alu;
  sm::IssueView view{};
  std::unique_ptr<sm::WarpScheduler> scheduler;
};

// Warp 0 stalls often but issues each time; warp 3 never issues. With longest_held_up the stalls
// count for warp 3, so all four warps are of interest.
TEST(Ipaws, AStallCountsForTheWarpSelectedByStallOf) {
  for (const std::string stall_of : {"longest_held_up", "oldest_ready"}) {
    StallBench bench("stall_of=" + stall_of);
    for (std::uint64_t round = 0; round < 10; ++round) {
      bench.stall(round * 4, ready(0, 3), 3);
      bench.issue(round * 4 + 3, 0);
    }
    EXPECT_EQ(bench.recorded<std::uint64_t>("of_interest", 0, 50),
              stall_of == "oldest_ready" ? 1u : 4u)
        << stall_of;
  }
}

// Warp 0 issues four times while warp 2 lacks its unit; in one more slot no warp issues, and warp 1
// lacks its unit, too. Warp 1 is older than warp 2, but has waited less.
TEST(Ipaws, AStallCountsInSlotsInWhichAnotherWarpIssues) {
  for (const std::string stall_in : {"any_slot", "empty_slot"}) {
    StallBench bench("stall_of=longest_held_up,stall_in=" + stall_in);
    bench.view.ready = ready(0, 2);
    bench.view.issuable = ready(0);
    for (std::uint64_t now = 0; now < 4; ++now) {
      EXPECT_EQ(bench.scheduler->pick(bench.view), warp(0));
      bench.issue(now, 0);
    }
    bench.stall(4, ready(1, 2), 1);
    EXPECT_EQ(bench.recorded<Counts>("stalls", 0, 5),
              stall_in == "any_slot" ? (Counts{0, 0, 5, 0}) : (Counts{0, 1, 0, 0}))
        << stall_in;
  }
}

// Warps 0, 2 and 3 lack their unit while warp 1 issues three times; then no warp can issue twice.
// By age warp 0 comes before warp 1. After its first issue warp 1 is the greedy warp and comes
// first.
Counts stalls_while_one_warp_issues(const std::string& stall_of) {
  StallBench bench("stall_of=" + stall_of);
  bench.view.ready = ready(0, 1, 2, 3);
  bench.view.issuable = ready(1);
  for (std::uint64_t now = 0; now < 3; ++now) {
    EXPECT_EQ(bench.scheduler->pick(bench.view), warp(1));
    bench.issue(now, 1);
  }
  bench.stall(3, ready(0, 2, 3), 2);
  return bench.recorded<Counts>("stalls", 1, 5);
}

TEST(Ipaws, AStallCountsForEachReadyWarpThatLacksItsUnit) {
  EXPECT_EQ(stalls_while_one_warp_issues("each_ready"), (Counts{5, 0, 5, 5}));
  EXPECT_EQ(stalls_while_one_warp_issues("each_passed"), (Counts{3, 0, 2, 2}));
}

TEST(Ipaws, SubscribesToEmptySlotsOnlyUntilItDecides) {
  TwoSms gpu("ipaws:decide=sm");
  const auto has_subscriber = [&] {
    return gpu.sm[0]->policy().subscribed_events().contains(sm::Event::no_issue);
  };
  EXPECT_TRUE(has_subscriber());
  gpu.issue(0, {9, 0, 0, 0});
  gpu.sm[0]->exit(warp(0));
  EXPECT_FALSE(has_subscriber());
}

TEST(PatternCounters, CanBeSummedPerCta) {
  PatternCounters counters{CountBy::cta, BarrierScore::other_issue};
  for (int w = 0; w < 4; ++w)
    counters.launch(
        {warp(w), static_cast<std::uint32_t>(w), static_cast<std::uint64_t>(w / 2), true, {}});
  for (int w : {0, 1, 1, 3}) counters.issued(warp(w), Cycle{static_cast<std::uint64_t>(w)});
  counters.stalled(0, ready(2), 5);
  const auto all = counters.by_age();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].instructions, 3u);
  EXPECT_EQ(all[1].instructions, 1u);
  EXPECT_EQ(all[1].stalls, 5u);
}

TEST(PatternCounters, AStallLastsWhileItsWarpIsCharged) {
  PatternCounters counters{CountBy::warp, BarrierScore::other_issue};
  for (int w = 0; w < 3; ++w)
    counters.launch({warp(w), static_cast<std::uint32_t>(w), 0, true, {}});
  counters.stalled(0, ready(1, 2), 3);
  counters.stalled(0, ready(2), 2);
  counters.stalled(0, ready(1, 2), 1);
  counters.stalled(1, ready(0), 7);  // another scheduler
  const auto stalls = [&] {
    Counts all;
    for (const IssuePattern& p : counters.by_age()) all.push_back(p.stalls);
    return all;
  };
  EXPECT_EQ(stalls(), (Counts{7, 4, 6}));
  counters.exit(warp(2));
  counters.launch({warp(2), 3, 0, true, {}});
  counters.stalled(0, ready(2), 1);
  EXPECT_EQ(stalls(), (Counts{7, 4, 1}));
}

TEST(Ipaws, StaysGreedyAfterUnevenIssue) {
  TwoSms gpu{"ipaws"};
  gpu.issue(0, {20, 2, 1, 0});
  gpu.sm[0]->exit(warp(0));
  gpu.context.in_gpu->end_window();
  for (auto& sm : gpu.sm) {
    EXPECT_EQ(sm->issue(ready(2, 3)), warp(2));
    EXPECT_EQ(sm->issue(ready(1, 2, 3)), warp(2));
  }
}

TEST(Ipaws, SwitchesAllSmsToRoundRobinAfterEvenIssueOnOneSm) {
  TwoSms gpu{"ipaws:recover=no"};
  gpu.issue(0, {20, 19, 18, 17});
  gpu.sm[0]->exit(warp(0));
  EXPECT_EQ(gpu.sm[0]->issue(ready(1, 3)),
            warp(3));  // still greedy: the decision comes at the end of the window
  gpu.context.in_gpu->end_window();
  for (auto& sm : gpu.sm) {
    const WarpSlot first = sm->issue(ready(1, 2, 3));
    EXPECT_EQ(sm->issue(ready(1, 2, 3)), warp(first.index % 3 + 1));
  }
}

TEST(Ipaws, DecidesPerSmWithDecideSm) {
  TwoSms gpu{"ipaws:recover=no,decide=sm"};
  gpu.issue(0, {20, 19, 18, 17});
  gpu.sm[0]->exit(warp(0));
  EXPECT_EQ(gpu.sm[0]->issue(ready(1, 3)), warp(1));
  EXPECT_EQ(gpu.sm[1]->issue(ready(2, 3)), warp(2));
  EXPECT_EQ(gpu.sm[1]->issue(ready(2, 3)), warp(2));  // greedy
}

// Warp 0 ends after 10 instructions. The newest warp, 3, has to issue 10, too.
TEST(Ipaws, WarpsWithFewerInstructionsCatchUpBeforeRoundRobin) {
  TwoSms gpu{"ipaws:decide=sm"};
  gpu.issue(0, {10, 9, 8, 7});
  gpu.sm[0]->exit(warp(0));
  for (const int w : {3, 2, 3, 1, 2}) EXPECT_EQ(gpu.sm[0]->issue(ready(1, 2, 3)), warp(w));
  gpu.sm[0]->issue(ready(1));
  EXPECT_EQ(gpu.sm[0]->issue(ready(1, 2, 3)), warp(3));  // 10: the newest warp has caught up
  for (const int w : {1, 2, 3, 1}) EXPECT_EQ(gpu.sm[0]->issue(ready(1, 2, 3)), warp(w));
}

TEST(Ipaws, TheNewestWarpCatchesUpWithTheBusiestLiveWarpOnRequest) {
  TwoSms gpu{"ipaws:decide=sm,recover_target=busiest_live"};
  gpu.issue(0, {10, 9, 8, 7});
  gpu.sm[0]->exit(warp(0));
  EXPECT_EQ(gpu.sm[0]->issue(ready(1, 2, 3)), warp(3));  // 8
  EXPECT_EQ(gpu.sm[0]->issue(ready(1, 2, 3)), warp(2));  // 9: the older of equal warps
  EXPECT_EQ(gpu.sm[0]->issue(ready(1, 2, 3)), warp(3));  // 9: the newest warp has caught up
  EXPECT_EQ(gpu.sm[0]->issue(ready(1, 2, 3)), warp(1));
  EXPECT_EQ(gpu.sm[0]->issue(ready(1, 2, 3)), warp(2));
}

// On the other SM no warp has ended: its newest warp has to issue as many instructions as the warp
// that ended.
TEST(Ipaws, AllSmsCatchUpWithTheWarpThatEndedFirst) {
  TwoSms gpu{"ipaws"};
  gpu.issue(0, {10, 9, 8, 7});
  gpu.issue(1, {3, 3, 3, 3});
  gpu.sm[0]->exit(warp(0));
  gpu.context.in_gpu->end_window();
  for (int i = 0; i < 6; ++i) gpu.sm[1]->issue(ready(3));
  EXPECT_EQ(gpu.sm[1]->issue(ready(0, 3)), warp(0));  // 4 against 9
  EXPECT_EQ(gpu.sm[1]->issue(ready(3)), warp(3));     // 10: it has caught up
  EXPECT_EQ(gpu.sm[1]->issue(ready(0, 3)), warp(0));
  EXPECT_EQ(gpu.sm[1]->issue(ready(0, 3)), warp(3));  // round robin
}

TEST(Ipaws, CatchingUpEndsWhenTheNewestWarpEnds) {
  TwoSms gpu{"ipaws:decide=sm"};
  gpu.issue(0, {10, 9, 8, 7});
  gpu.sm[0]->exit(warp(0));
  gpu.sm[0]->exit(warp(3));
  for (const int w : {1, 2, 1}) EXPECT_EQ(gpu.sm[0]->issue(ready(1, 2)), warp(w));
  sm::PolicyReport report;
  gpu.sm[0]->policy().report_statistics(report, gpu.sm[0]->now());
  for (const auto& [name, value] : report.counters()) {
    if (name == "ipaws.recover_exits" || name == "ipaws.recover_matches") {
      EXPECT_EQ(value, name == "ipaws.recover_exits" ? 1u : 0u) << name;
    }
  }
}

TEST(Ipaws, DecidesAgainInEachKernel) {
  TwoSms gpu{"ipaws:recover=no,decide=sm"};
  gpu.issue(0, {20, 19, 18, 17});
  for (int w = 0; w < 4; ++w) gpu.sm[0]->exit(warp(w));
  gpu.sm[0]->kernel(sm::KernelEvent::What::end);
  gpu.sm[0]->kernel(sm::KernelEvent::What::start);
  for (int w = 0; w < 4; ++w) gpu.sm[0]->launch(warp(w));
  EXPECT_EQ(gpu.sm[0]->issue(ready(1, 2)), warp(1));
  EXPECT_EQ(gpu.sm[0]->issue(ready(1, 2)), warp(1));
}

TEST(Ipaws, ReportsItsPhasesAndTheDecision) {
  TwoSms gpu{"ipaws:decide=sm"};
  gpu.sm[0]->kernel(sm::KernelEvent::What::start);
  for (int w = 0; w < 4; ++w) gpu.sm[0]->launch(warp(w));
  gpu.issue(0, {10, 9, 8, 7});
  const Cycle decided = gpu.sm[0]->now();
  gpu.sm[0]->exit(warp(0));
  gpu.sm[0]->issue(ready(1, 2, 3));
  gpu.sm[0]->issue(ready(1, 2, 3));
  sm::PolicyReport report(sm::PolicyReport::Contents::counters_and_records);
  gpu.sm[0]->policy().report_statistics(report, gpu.sm[0]->now());
  const auto value = [&](const std::string& name) {
    for (const auto& [known, v] : report.counters())
      if (known == name) return v;
    return ~std::uint64_t{0};
  };
  EXPECT_EQ(value("ipaws.phase_instructions.adapt"), 10u + 9 + 8 + 7);
  EXPECT_EQ(value("ipaws.phase_cycles.adapt"), decided.value);
  EXPECT_EQ(value("ipaws.phase_instructions.recover"), 2u);
  EXPECT_EQ(value("ipaws.phase_cycles.recover"), 2u);
  EXPECT_EQ(value("ipaws.round_robin_kernels"), 1u);
  ASSERT_EQ(report.records().size(), 1u);
  const auto& decision = report.records()[0];
  EXPECT_EQ(decision.kind, "ipaws.decisions");
  std::map<std::string, sm::PolicyReport::Record::Value> values(decision.values.begin(),
                                                                decision.values.end());
  EXPECT_EQ(std::get<std::uint64_t>(values.at("sum")), 34u);
  EXPECT_EQ(std::get<double>(values.at("threshold")), 20.0);
  EXPECT_DOUBLE_EQ(std::get<double>(values.at("convexity")), 1.7);
  EXPECT_EQ(std::get<std::string>(values.at("choice")), "round_robin");
  EXPECT_EQ(std::get<std::vector<std::uint64_t>>(values.at("instructions")),
            (std::vector<std::uint64_t>{10, 9, 8, 7}));
}

TEST(PatternVote, TheEarliestProposalDecidesAndOfEqualOnesThatOfTheLowestSm) {
  PatternVote vote;
  for (int sm = 0; sm < 3; ++sm) vote.join(0, sm);
  vote.propose(0, 2, {Cycle{50}, 7, false, {}});
  vote.propose(0, 1, {Cycle{40}, 8, true, {}});
  vote.propose(0, 0, {Cycle{50}, 9, false, {}});
  EXPECT_FALSE(vote.decision(0, 2));
  vote.end_window();
  EXPECT_EQ(vote.decision(0, 2), true);
  EXPECT_EQ(vote.instructions(0, 2), 8u);
}

}  // namespace heddle::sched
