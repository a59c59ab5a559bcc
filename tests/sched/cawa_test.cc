#include <gtest/gtest.h>

#include "sched/adaptive/warp_criticality.h"
#include "tests/sched/issue_bench.h"
#include "tests/sched/sm_run.h"

namespace heddle::sched {

TEST(Cawa, IsGreedyThenPicksTheWarpWithTheMostInstructionsAhead) {
  IssueBench bench{"cawa", warps(3)};
  for (int w = 0; w < 3; ++w) bench.issue(ready(w));
  // Each warp has issued once: a branch over 5, 40 and 20 instructions.
  bench.policy().on_branch({warp(0), 0, LaneMask{}, LaneMask::all(), 6, 6});
  bench.policy().on_branch({warp(1), 0, LaneMask{}, LaneMask::all(), 41, 41});
  bench.policy().on_branch({warp(2), 0, LaneMask{}, LaneMask::all(), 21, 21});
  EXPECT_EQ(bench.issue(ready(0, 1, 2)), warp(2));  // issued last
  EXPECT_EQ(bench.issue(ready(0, 1)), warp(1));
  EXPECT_EQ(bench.issue(ready(0, 2)), warp(2));
}

// Instructions ahead, cycles per instruction and stall cycles of three warps. Each warp issues
// `committed` instructions in consecutive cycles, except for the last one in cycle 360.
TEST(Cawa, PicksByInstructionsAheadTimesPacePlusStalls) {
  struct Example {
    std::int64_t ahead;
    std::uint64_t pace, stalled;
  };
  const Example examples[] = {{50, 4, 120}, {80, 3, 40}, {20, 6, 300}};  // 320, 280, 420
  const auto last = [&](WarpMask among) {
    IssueBench bench{"cawa", warps(0)};
    for (int w = 0; w < 3; ++w) {
      const Example& e = examples[w];
      const std::uint64_t committed = e.stalled / (e.pace - 1), launched = 360 - e.pace * committed;
      bench.policy().on_warp({warp(w), static_cast<std::uint32_t>(w), 0, true, Cycle{launched}});
      const isa::Instruction alu;
      for (std::uint64_t i = 1; i < committed; ++i)
        bench.policy().on_issue({Cycle{launched + i}, warp(w), &alu, 0, LaneMask::all()});
      bench.policy().on_issue({Cycle{360}, warp(w), &alu, 0, LaneMask::all()});
      const Pc length = static_cast<Pc>(e.ahead + static_cast<std::int64_t>(committed));
      bench.policy().on_branch({warp(w), 0, LaneMask{}, LaneMask::all(), length + 1, length + 1});
    }
    bench.policy().on_warp(
        {warp(2), 2, 0, false, Cycle{360}});  // the warp that issued last is no longer preferred
    bench.idle(360);
    return bench.issue(among);
  };
  EXPECT_EQ(last(ready(0, 1, 2)), warp(2));
  EXPECT_EQ(last(ready(0, 1)), warp(0));
}

TEST(Cawa, CountsBothPathsOfADivergedBranchAndALoopsBody) {
  IssueBench bench{"cawa", warps(3)};
  for (int w = 0; w < 3; ++w) bench.issue(ready(w));
  bench.policy().on_branch(
      {warp(0), 10, LaneMask::first(3), LaneMask::first(2), 31, 21});            // 10 + 20
  bench.policy().on_branch({warp(1), 50, LaneMask::all(), LaneMask{}, 51, 20});  // backward over 31
  bench.policy().on_branch({warp(2), 10, LaneMask::all(), LaneMask{}, 31, 21});  // 10
  bench.exit(warp(2));
  EXPECT_EQ(bench.issue(ready(0, 1)), warp(1));
}

// Instructions ahead, cycles per instruction, stall cycles.
TEST(Cawa, AddsTheInstructionsAheadAtTheirPaceToTheStalls) {
  const auto criticality = [](std::int64_t ahead, std::uint64_t pace, std::uint64_t stalled) {
    return WarpCriticality{Cycle{1000}, Cycle{1000}, ahead, 10, stalled}.at(
        Cycle{1000 + 10 * pace});
  };
  EXPECT_EQ(criticality(50, 4, 120), 320);
  EXPECT_EQ(criticality(80, 3, 40), 280);
  EXPECT_EQ(criticality(20, 6, 300), 420);
}

TEST(Cawa, WarpsInTheUpperHalfOfTheirCtaAreCritical) {
  WarpCriticalities all(1);
  for (int w = 0; w < 4; ++w)
    all.launch({warp(w), static_cast<std::uint32_t>(w), w < 3 ? 1u : 2u, true, Cycle{}});
  const std::uint64_t stalled[] = {100, 201, 300, 5};
  for (int w = 0; w < 4; ++w) all[warp(w)].stalled = stalled[w];
  EXPECT_FALSE(all.is_critical(warp(0), 10));
  EXPECT_TRUE(all.is_critical(warp(1), 10));
  EXPECT_TRUE(all.is_critical(warp(2), 10));
  EXPECT_FALSE(all.is_critical(warp(3), 10));  // alone in its CTA
  all.exit(warp(2));
  EXPECT_TRUE(all.is_critical(warp(1), 20));
}

TEST(Cawa, AJudgementIsUsedForTheInterval) {
  WarpCriticalities all(32);
  for (int w = 0; w < 2; ++w)
    all.launch({warp(w), static_cast<std::uint32_t>(w), 1, true, Cycle{}});
  all[warp(0)].stalled = 50;
  EXPECT_TRUE(all.is_critical(warp(0), 100));
  all[warp(1)].stalled = 80;
  EXPECT_TRUE(all.is_critical(warp(0), 131));
  EXPECT_FALSE(all.is_critical(warp(0), 132));
}

TEST(Cawa, CacheOffDisablesTheCachePartition) {
  SmRun run{"cawa", sm::test::gtx480(), {}, [](WarpSlot w, exec::Step& step) {
              for (std::size_t lane = 0; lane < kWarpSize; ++lane)
                step.addresses[lane] =
                    0xC0000000 + 128 * ((lane + static_cast<std::uint64_t>(w.index)) % 48);
            }};
  run.gpu.sm.l1d.size_bytes = 4096;
  run.gpu.sm.l1d.set_index = config::SetIndex::linear;
  for (int i = 0; i < 12; ++i) {
    run.code.push_back(sm::test::memory(isa::OpClass::load, isa::Space::global, {1}, {2}));
    run.code.push_back(sm::test::make(isa::OpClass::alu, {2}, {3}));
  }
  run.code.push_back(sm::test::exit());
  const SmOutcome on = run_on_sm(run);
  run.policy = "cawa:cache=off";
  const SmOutcome off = run_on_sm(run);
  EXPECT_EQ(on.stats.l1d_critical.critical_insertions + on.stats.l1d_critical.other_insertions,
            on.stats.l1d.misses);
  EXPECT_GT(on.stats.l1d_critical.hits_by_critical, 0u);
  EXPECT_EQ(off.stats.l1d_critical.other_insertions, 0u);
  EXPECT_EQ(on.stats.thread_instructions, off.stats.thread_instructions);
}

TEST(Cawa, ANewWarpInTheSlotOfTheGreedyOneIsNotPreferred) {
  for (const int ended : {1, 2}) {
    IssueBench bench{"cawa", warps(3)};
    EXPECT_EQ(bench.issue(ready(1)), warp(1));
    bench.exit(warp(ended));
    bench.launch(warp(ended));
    EXPECT_EQ(bench.issue(ready(0, 1)), warp(ended == 1 ? 0 : 1));
  }
}

TEST(Cawa, ReportsItsPicksAndTheWarpsOfTheSmOnce) {
  PolicyContext context;
  context.schedulers = 2;
  context.in_sm = std::make_shared<SharedState>();
  const auto policy = parse_policy("cawa");
  IssueBench even{policy->build(context), warps(3)};
  context.scheduler = 1;
  IssueBench odd{policy->build(context), {}};
  even.issue(ready(0, 1));
  even.issue(ready(0, 1));
  even.issue(ready(0, 1));
  even.issue(ready(2));
  sm::PolicyReport report(sm::PolicyReport::Contents::counters_and_levels), of_second = report;
  even.policy().report_statistics(report, even.now());
  odd.policy().report_statistics(of_second, odd.now());
  const auto value = [](const sm::PolicyReport::Values& values, const std::string& name) {
    for (const auto& [known, number] : values)
      if (known == "cawa." + name) return number;
    return ~std::uint64_t{0};
  };
  EXPECT_EQ(value(report.counters(), "greedy_picks"), 2u);
  EXPECT_EQ(value(report.counters(), "critical_picks"), 2u);
  EXPECT_EQ(value(report.levels(), "resident_warps"), 3u);
  EXPECT_EQ(of_second.levels().size(), 0u);
  sm::PolicyReport counters_only;
  even.policy().report_statistics(counters_only, even.now());
  EXPECT_EQ(counters_only.levels().size(), 0u);
}

TEST(Cawa, PicksTheOlderOfEquallyCriticalWarps) {
  IssueBench bench{"cawa", warps(3)};
  EXPECT_EQ(bench.issue(ready(1, 2)), warp(1));
}

}  // namespace heddle::sched
