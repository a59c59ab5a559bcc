#include <gtest/gtest.h>

#include <algorithm>

#include "sched/limiters/lost_locality.h"
#include "tests/sched/issue_bench.h"

namespace heddle::sched {
namespace {

sm::L1Access miss(int w, std::uint64_t line, Cycle now) {
  return {warp(w), 0,  LineAddress{line * kLineBytes}, true, sm::L1Outcome::miss, WarpSlot::none,
          false,   now};
}

// Four warps with score 100; the SM has issued 20 instructions; warp 2 has lost line 0.
struct FourWarps {
  LostLocality scores;
  explicit FourWarps(const LostLocalityOptions& options = {}) : scores(options, kLineBytes) {
    for (int w = 0; w < 4; ++w) scores.launch(warp(w));
    for (int i = 0; i < 20; ++i) scores.issued(warp(i % 4));
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
  EXPECT_EQ(four.scores.statistics().lost_locality_hits, 3u);
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
    LostLocality scores{options, kLineBytes};
    constexpr int kWarps = 12;
    for (int w = 0; w < kWarps; ++w) {
      scores.launch(warp(w));
      scores.evicted({LineAddress{0}, warp(w), 0});
      for (int i = 0; i < 50; ++i) scores.issued(warp(w));
    }
    std::uint64_t random = 12345;
    for (std::uint64_t t = 0; t < 6000; ++t) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      if ((random >> 40) % 97 == 0)
        scores.accessed(miss(static_cast<int>((random >> 50) % kWarps), 0, Cycle{t}));
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
  LostLocality scores{strict, kLineBytes};
  for (int w = 0; w < 4; ++w) scores.launch(warp(w));
  for (int i = 0; i < 20; ++i) scores.issued(warp(0));
  scores.evicted({LineAddress{0}, warp(2), 0});
  scores.accessed(miss(2, 0, Cycle{0}));
  EXPECT_EQ(scores.allowed(Cycle{0}), ready(0, 1, 2));
}

TEST(Ccws, OnlyTheWarpThatLostALineGainsByMissingIt) {
  FourWarps four;
  four.scores.accessed(miss(1, 0, Cycle{0}));
  EXPECT_EQ(four.scores.hits(), 0u);
  EXPECT_EQ(four.scores.score(warp(1), Cycle{0}), 100u);
}

TEST(Ccws, AStoreRemovesALineFromTheVictimTags) {
  FourWarps four;
  four.scores.accessed(
      {warp(0), 0, LineAddress{0}, false, sm::L1Outcome::miss, WarpSlot::none, false, Cycle{0}});
  four.scores.accessed(miss(2, 0, Cycle{0}));
  EXPECT_EQ(four.scores.hits(), 0u);
}

TEST(Ccws, TheHitsAndIssuesOfAnEndedWarpAreSubtracted) {
  FourWarps four;
  for (int i = 0; i < 3; ++i) four.scores.accessed(miss(2, 0, Cycle{0}));
  four.scores.exit(warp(2));
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

TEST(Ccws, WithoutThrottleFactorNeverVetoes) {
  IssueBench bench{"ccws:k_throttle=0", warps(4)};
  for (int i = 0; i < 20; ++i) bench.issue(ready(i % 4));
  bench.l1_evict({LineAddress{0}, warp(2), 0});
  for (int i = 0; i < 9; ++i) bench.l1_access(miss(2, 0, bench.now()));
  bench.loads(warps(4));
  EXPECT_EQ(bench.issue(ready(0)), warp(0));
  EXPECT_EQ(bench.issue(ready(1)), warp(1));
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
