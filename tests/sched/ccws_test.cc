#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "sched/limiters/lost_locality.h"
#include "tests/sched/issue_bench.h"

namespace heddle::sched {
namespace {

sm::L1Access miss(int w, std::uint64_t line, Cycle now) {
  return {warp(w), 0,  LineAddress{line * kLineBytes}, true, sm::L1Outcome::miss, WarpSlot::none,
          false,   now};
}

// The cutoff follows a launch in the same cycle.
LostLocalityOptions at_once(LostLocalityOptions options) {
  options.cutoff_lags = false;
  return options;
}

// Four warps with score 100; the SM has issued 20 instructions; warp 2 has lost line 0.
struct FourWarps {
  LostLocality scores;
  explicit FourWarps(LostLocalityOptions options = {}, const isa::Kernel* kernel = nullptr)
      : scores(at_once(options), kLineBytes) {
    for (int w = 0; w < 4; ++w) scores.launch(warp(w), Cycle{}, kernel);
    for (int i = 0; i < 20; ++i) scores.issued(warp(i % 4), Cycle{});
    scores.evicted({LineAddress{0}, warp(2), 0});
  }
};

}  // namespace

TEST(Ccws, AllWarpsMayLoadWhileAllScoresAreTheBase) {
  FourWarps four;
  EXPECT_EQ(four.scores.allowed(Cycle{5}) & warps(4), warps(4));
}

TEST(Ccws, AllowsFewerWarpsWithEveryHit) {
  FourWarps four;
  four.scores.accessed(miss(2, 0, Cycle{0}));  // 160
  EXPECT_EQ(four.scores.allowed(Cycle{0}), warps(4));
  four.scores.accessed(miss(2, 0, Cycle{1}));  // 320
  EXPECT_EQ(four.scores.allowed(Cycle{1}), ready(0, 2));
  four.scores.accessed(miss(2, 0, Cycle{2}));  // 480
  EXPECT_EQ(four.scores.allowed(Cycle{2}), ready(2));
}

TEST(Ccws, AllowsMoreWarpsAsTheScoreDecays) {
  FourWarps four;
  for (int i = 0; i < 3; ++i) four.scores.accessed(miss(2, 0, Cycle{0}));
  const auto at_score = [&](std::uint64_t score) {
    return Cycle{479 - score};
  };  // the first decay is in the cycle of the hit
  EXPECT_EQ(four.scores.score(warp(2), at_score(400)), 400u);
  EXPECT_EQ(four.scores.allowed(at_score(400)).count(), 1);
  EXPECT_EQ(four.scores.allowed(at_score(399)).count(), 2);
  EXPECT_EQ(four.scores.allowed(at_score(300)).count(), 2);
  EXPECT_EQ(four.scores.allowed(at_score(299)).count(), 3);
  EXPECT_EQ(four.scores.allowed(at_score(200)).count(), 3);
  EXPECT_EQ(four.scores.allowed(at_score(199)).count(), 4);
  EXPECT_EQ(four.scores.score(warp(2), Cycle{5000}), 100u);
}

TEST(Ccws, ScoresStartHigherWithAnOffsetAndDecayFasterWithMoreDecay) {
  LostLocalityOptions options;
  options.offset = 40;
  options.decay = 5;
  FourWarps four{options};
  four.scores.accessed(miss(2, 0, Cycle{10}));  // 160 + 40
  EXPECT_EQ(four.scores.score(warp(2), Cycle{10}), 195u);
  EXPECT_EQ(four.scores.score(warp(2), Cycle{20}), 145u);
  EXPECT_EQ(four.scores.score(warp(2), Cycle{30}), 100u);
}

TEST(Ccws, PredictsWhenAVetoedWarpMayLoadAgain) {
  FourWarps four;
  for (int i = 0; i < 3; ++i) four.scores.accessed(miss(2, 0, Cycle{0}));
  EXPECT_EQ(four.scores.retry_at(Cycle{0}), Cycle{0});  // after an event
  Cycle now{0};
  for (const std::uint64_t next : {80, 180, 280}) {  // at the scores 399, 299, 199
    four.scores.allowed(now);
    EXPECT_EQ(four.scores.retry_at(now), Cycle{next});
    now = Cycle{next};
  }
}

TEST(Ccws, ReportsItsScoresWithoutChangingThem) {
  FourWarps four;
  for (int i = 0; i < 3; ++i) four.scores.accessed(miss(2, 0, Cycle{0}));
  const LostLocalityLevels levels = four.scores.levels(Cycle{0});
  EXPECT_EQ(levels.allowed_warps, 1u);
  EXPECT_EQ(levels.resident_warps, 4u);
  EXPECT_EQ(levels.highest_score, 479u);
  EXPECT_EQ(levels.score_sum, 479u + 3 * 100);
  EXPECT_EQ(four.scores.levels(Cycle{5000}).allowed_warps, 4u);
  EXPECT_EQ(four.scores.statistics().sum().lost_locality_hits, 3u);
  EXPECT_EQ(four.scores.retry_at(Cycle{0}), Cycle{0});  // as without the report
}

// Compares the cached result with the rule computed in every cycle, with random hits.
TEST(Ccws, CachedResultsEqualTheRuleInEveryCycle) {
  for (const auto& [rule, decay] : {std::pair{CutoffRule::include_crossing, 1u},
                                    {CutoffRule::strict, 1u},
                                    {CutoffRule::include_crossing, 7u},
                                    {CutoffRule::strict, 3u}}) {
    LostLocalityOptions options;
    options.cutoff = rule;
    options.decay = decay;
    LostLocality scores{at_once(options), kLineBytes};
    constexpr int kWarps = 12;
    for (int w = 0; w < kWarps; ++w) {
      scores.launch(warp(w), Cycle{});
      scores.evicted({LineAddress{0}, warp(w), 0});
      for (int i = 0; i < 50; ++i) scores.issued(warp(w), Cycle{});
    }
    std::uint64_t random = 12345;
    for (std::uint64_t t = 0; t < 6000; ++t) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      if ((random >> 40) % 97 == 0)
        scores.accessed(miss(static_cast<int>((random >> 50) % kWarps), 0, Cycle{t}));
      if ((random >> 30) % 3 == 0) scores.issued(warp(0), Cycle{t});
      std::vector<std::pair<std::int64_t, int>> order;
      for (int w = 0; w < kWarps; ++w)
        order.push_back({-static_cast<std::int64_t>(scores.score(warp(w), Cycle{t})), w});
      std::sort(order.begin(), order.end());
      WarpMask expected;
      std::int64_t sum = 0;
      for (const auto& [negated, w] : order) {
        sum -= negated;
        if (rule == CutoffRule::strict && sum > kWarps * 100 && expected.any()) break;
        expected.set(warp(w));
        if (rule == CutoffRule::include_crossing && sum >= kWarps * 100) break;
      }
      ASSERT_EQ(scores.allowed(Cycle{t}) & warps(kWarps), expected) << t;
    }
  }
}

TEST(Ccws, WithStrictCutoffTheCrossingWarpMayNotLoad) {
  LostLocalityOptions strict;
  strict.cutoff = CutoffRule::strict;
  LostLocality scores{at_once(strict), kLineBytes};
  for (int w = 0; w < 4; ++w) scores.launch(warp(w), Cycle{});
  for (int i = 0; i < 20; ++i) scores.issued(warp(0), Cycle{});
  scores.evicted({LineAddress{0}, warp(2), 0});
  scores.accessed(miss(2, 0, Cycle{0}));
  EXPECT_EQ(scores.allowed(Cycle{0}), ready(0, 1, 2));
}

// 3 hits in 20 issues: 480. In cycle 1 the warps issue 20 more: a hit would set 240 now.
TEST(Ccws, AScoreNeverExceedsWhatAHitWouldSet) {
  for (const ScoreCap cap : {ScoreCap::current, ScoreCap::at_hit}) {
    LostLocalityOptions options;
    options.cap = cap;
    FourWarps four{options};
    for (int i = 0; i < 3; ++i) four.scores.accessed(miss(2, 0, Cycle{0}));
    for (int i = 0; i < 20; ++i) four.scores.issued(warp(1), Cycle{1});
    const bool current = cap == ScoreCap::current;
    EXPECT_EQ(four.scores.score(warp(2), Cycle{2}), current ? 240u : 477u);
    EXPECT_EQ(four.scores.score(warp(2), Cycle{3}), current ? 239u : 476u);
    EXPECT_EQ(four.scores.allowed(Cycle{2}).count(), current ? 3 : 1);
  }
}

// 4 hits in 40 issues: 320. Without the 3 hits and 5 issues of warp 1 a hit would set
// 1 * 8 * 300 / 35 = 68.
TEST(Ccws, AScoreBelowTheBaseReturnsToItWithTheNextAccess) {
  FourWarps four;
  for (int i = 0; i < 20; ++i) four.scores.issued(warp(0), Cycle{0});
  four.scores.evicted({LineAddress{kLineBytes}, warp(1), 0});
  for (int i = 0; i < 3; ++i) four.scores.accessed(miss(1, 1, Cycle{0}));
  four.scores.accessed(miss(2, 0, Cycle{0}));
  EXPECT_EQ(four.scores.score(warp(2), Cycle{0}), 319u);
  four.scores.exit(warp(1), Cycle{1});
  EXPECT_EQ(four.scores.score(warp(2), Cycle{2}), 68u);
  EXPECT_EQ(four.scores.score(warp(2), Cycle{9}), 68u);
  sm::L1Access refused = miss(2, 7, Cycle{9});
  refused.outcome = sm::L1Outcome::reservation_fail;
  four.scores.accessed(refused);
  EXPECT_EQ(four.scores.score(warp(2), Cycle{9}), 68u);
  four.scores.accessed(miss(2, 7, Cycle{9}));
  EXPECT_EQ(four.scores.score(warp(2), Cycle{9}), 100u);
}

// 1 hit in 40 issues would set 80.
TEST(Ccws, AHitSetsAtLeastTheBase) {
  FourWarps four;
  for (int i = 0; i < 20; ++i) four.scores.issued(warp(0), Cycle{0});
  four.scores.accessed(miss(2, 0, Cycle{1}));
  EXPECT_EQ(four.scores.score(warp(2), Cycle{1}), 100u);
}

TEST(Ccws, TheCutoffFollowsALaunchACycleLater) {
  for (const bool lags : {true, false}) {
    LostLocalityOptions options;
    options.cutoff_lags = lags;
    LostLocality scores{options, kLineBytes};
    for (int w = 0; w < 4; ++w) scores.launch(warp(w), Cycle{0});
    scores.launch(warp(4), Cycle{7});
    EXPECT_EQ(scores.allowed(Cycle{6}) & warps(5), lags ? warps(4) : warps(5));
    EXPECT_EQ(scores.allowed(Cycle{7}) & warps(5), lags ? warps(4) : warps(5));  // 400 points
    EXPECT_EQ(scores.allowed(Cycle{8}) & warps(5), warps(5));                    // 500 points
  }
}

TEST(Ccws, AMissOnAPendingLineProbesTheVictimTags) {
  for (const bool merged : {true, false}) {
    LostLocalityOptions options;
    options.merged = merged;
    FourWarps four{options};
    sm::L1Access access = miss(2, 0, Cycle{0});
    access.outcome = sm::L1Outcome::hit_reserved;
    four.scores.accessed(access);
    EXPECT_EQ(four.scores.statistics().sum().lost_locality_hits, merged ? 1u : 0u);
  }
}

// An outer loop at 2 to 9 with an inner loop at 4 to 7.
TEST(Ccws, CountsLocalityLostAfterAVetoInTheSameLoop) {
  isa::Kernel kernel;
  kernel.instructions.resize(12);
  kernel.loops.push_back({2, isa::Loop::kNone, 1, {9}, {{2, 10}}});
  kernel.loops.push_back({4, 0, 2, {7}, {{4, 8}}});
  for (std::size_t pc = 2; pc < 10; ++pc) kernel.instructions[pc].loop = pc >= 4 && pc < 8 ? 1 : 0;
  FourWarps four({}, &kernel);
  LostLocality& scores = four.scores;
  const auto lose = [&](Pc pc) {
    sm::L1Access access = miss(2, 0, Cycle{0});
    access.pc = pc;
    scores.accessed(access);
    return scores.statistics().sum().lost_after_veto;
  };
  EXPECT_EQ(lose(5), 0u);
  scores.add_veto(warp(2), 0, kernel.instructions[3]);  // in the outer loop
  EXPECT_EQ(lose(5), 1u);                               // the inner loop is inside it
  scores.left_loop(warp(2), kernel.instructions[8]);
  EXPECT_EQ(lose(3), 2u);
  EXPECT_EQ(lose(10), 2u);  // outside
  scores.left_loop(warp(2), kernel.instructions[10]);
  EXPECT_EQ(lose(5), 2u);                               // it has entered the loop again
  scores.add_veto(warp(2), 0, kernel.instructions[1]);  // outside loops
  EXPECT_EQ(lose(5), 2u);
  EXPECT_EQ(scores.statistics().sum().vetoed_loads, 2u);
}

TEST(Ccws, OnlyTheWarpThatLostALineGainsByMissingIt) {
  FourWarps four;
  four.scores.accessed(miss(1, 0, Cycle{0}));
  EXPECT_EQ(four.scores.statistics().sum().lost_locality_hits, 0u);
  EXPECT_EQ(four.scores.score(warp(1), Cycle{0}), 100u);
}

TEST(Ccws, AStoreRemovesALineFromTheVictimTags) {
  FourWarps four;
  four.scores.accessed(
      {warp(0), 0, LineAddress{0}, false, sm::L1Outcome::miss, WarpSlot::none, false, Cycle{0}});
  four.scores.accessed(miss(2, 0, Cycle{0}));
  EXPECT_EQ(four.scores.statistics().sum().lost_locality_hits, 0u);
}

TEST(Ccws, TheHitsAndIssuesOfAnEndedWarpAreSubtracted) {
  FourWarps four;
  for (int i = 0; i < 3; ++i) four.scores.accessed(miss(2, 0, Cycle{0}));
  four.scores.exit(warp(2), Cycle{0});
  four.scores.evicted({LineAddress{kLineBytes}, warp(1), 0});
  four.scores.accessed(miss(1, 1, Cycle{1}));  // 1 hit, 15 issues, 3 warps: 1 * 8 * 300 / 15
  EXPECT_EQ(four.scores.score(warp(1), Cycle{1}), 159u);
}

TEST(Ccws, VetoesLoadsOnly) {
  IssueBench bench{"ccws", warps(4)};
  for (int i = 0; i < 20; ++i) bench.issue(ready(i % 4));
  bench.l1_evict({LineAddress{0}, warp(2), 0});
  for (int i = 0; i < 3; ++i) bench.l1_access(miss(2, 0, bench.now()));
  bench.loads(ready(0, 2));
  EXPECT_EQ(bench.issue(ready(0)), WarpSlot::none);
  EXPECT_GT(bench.policy().wake_at(bench.now()), bench.now());
  EXPECT_EQ(bench.issue(ready(0, 1)), warp(1));
  EXPECT_EQ(bench.issue(ready(0, 2)), warp(2));
}

TEST(Ccws, ASecondLoadOfACyclePassesOrIsVetoed) {
  for (const bool passes : {false, true}) {
    IssueBench bench{passes ? "ccws" : "ccws:second_load=vetoed", warps(4)};
    for (int i = 0; i < 20; ++i) bench.issue(ready(i % 4));
    bench.l1_evict({LineAddress{0}, warp(2), 0});
    for (int i = 0; i < 3; ++i) bench.l1_access(miss(2, 0, bench.now()));
    EXPECT_EQ(bench.issue(ready(0)), warp(0));
    isa::Instruction load;
    load.op_class = isa::OpClass::load;
    load.space = isa::Space::global;
    EXPECT_EQ(bench.policy().may_issue_second(warp(0), load), passes);
    EXPECT_TRUE(bench.policy().may_issue_second(warp(2), load));
  }
}

TEST(Ccws, WithoutThrottleFactorNeverVetoes) {
  IssueBench bench{"ccws:k_throttle=0", warps(4)};
  for (int i = 0; i < 20; ++i) bench.issue(ready(i % 4));
  bench.l1_evict({LineAddress{0}, warp(2), 0});
  for (int i = 0; i < 9; ++i) bench.l1_access(miss(2, 0, bench.now()));
  bench.loads(warps(4));
  EXPECT_EQ(bench.issue(ready(0)), warp(0));
  EXPECT_EQ(bench.issue(ready(1)), warp(1));
}

TEST(VictimTagsPolicy, CountsLostLinesUnderAnyPolicyAndVetoesNothing) {
  IssueBench bench{"victim-tags+lrr", warps(4)};
  bench.loads(warps(4));
  bench.l1_evict({LineAddress{0}, warp(2), 0});
  bench.l1_access(miss(2, 0, bench.now()));
  bench.l1_access(miss(1, 0, bench.now()));
  sm::L1Access hit = miss(2, 0, bench.now());
  hit.outcome = sm::L1Outcome::hit;
  bench.l1_access(hit);
  for (int w = 0; w < 4; ++w) EXPECT_EQ(bench.issue(warps(4)), warp(w));
  sm::PolicyReport report;
  bench.policy().report_statistics(report, bench.now());
  std::map<std::string, std::uint64_t> counters(report.counters().begin(), report.counters().end());
  EXPECT_EQ(counters["victim-tags.hits"], 1u);
  EXPECT_EQ(counters["victim-tags.misses"], 2u);
}

TEST(VictimTags, AreReplacedInOrderOfInsertion) {
  VictimTags tags{4, 2, kLineBytes};
  tags.insert(warp(0), LineAddress{0 * kLineBytes});
  tags.insert(warp(0), LineAddress{2 * kLineBytes});
  tags.insert(warp(0), LineAddress{0 * kLineBytes});  // it is there already
  tags.insert(warp(0), LineAddress{4 * kLineBytes});
  EXPECT_FALSE(tags.contains(warp(0), LineAddress{0 * kLineBytes}));
  EXPECT_TRUE(tags.contains(warp(0), LineAddress{2 * kLineBytes}));
  EXPECT_TRUE(tags.contains(warp(0), LineAddress{4 * kLineBytes}));
  EXPECT_FALSE(tags.contains(warp(1), LineAddress{4 * kLineBytes}));
}

}  // namespace heddle::sched
