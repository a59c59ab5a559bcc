#include "sm/cta/cta_pauses.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/sm/cta_bench.h"

namespace heddle::sm::test {
namespace {

std::int64_t issues_between(const Bench& bench, int warp, std::uint64_t from, std::uint64_t to) {
  return std::count_if(bench.source.issues.begin(), bench.source.issues.end(),
                       [&](const auto& i) { return i.warp == warp && i.at >= from && i.at < to; });
}

TEST(CtaPauses, AWarpOfAPausedCtaDoesNotIssue) {
  Bench bench(independent(400), {}, perfect_fetch());
  bench.before_window = [&](std::uint64_t now) {
    if (now == 200) bench.sm.set_paused(1, true);
    if (now == 300) bench.sm.set_paused(1, false);
  };
  bench.run(1, 2);
  EXPECT_GT(issues_between(bench, 1, 150, 200), 0);
  EXPECT_EQ(issues_between(bench, 1, 200, 300), 0);
  EXPECT_GT(issues_between(bench, 0, 200, 300), 0);
  EXPECT_GT(issues_between(bench, 1, 300, 350), 0);
}

TEST(CtaPauses, ASlotInWhichOnlyAPausedWarpCanIssueIsThrottled) {
  Bench bench(independent(400), {}, perfect_fetch());
  bench.before_window = [&](std::uint64_t now) {
    if (now == 200) bench.sm.set_paused(1, true);
    if (now == 300) bench.sm.set_paused(1, false);
  };
  bench.run(1, 2);
  // Warp 1 is alone on its scheduler. In the first cycle its unit's latch is still full.
  EXPECT_EQ(slots(bench.stats(), SlotUse::throttled), 99u);
}

TEST(CtaPauses, WhenAllCtasArePausedTheOldestResumes) {
  Bench bench(independent(400), {}, perfect_fetch());
  bench.before_window = [&](std::uint64_t now) {
    if (now != 200) return;
    bench.sm.set_paused(0, true);
    bench.sm.set_paused(1, true);
    const auto ctas = bench.sm.resident_ctas();
    ASSERT_EQ(ctas.size(), 2u);
    EXPECT_FALSE(ctas[0].paused);
    EXPECT_TRUE(ctas[1].paused);
  };
  bench.run(1, 2);
  EXPECT_EQ(bench.source.ended, 2);  // CTA 1 resumed when CTA 0 ended
  EXPECT_EQ(issues_between(bench, 1, 200, bench.finished[0].end.value), 0);
}

TEST(CtaPauses, AskingForACtaThatIsNotResidentDoesNothing) {
  Bench bench(independent(50));
  bench.before_window = [&](std::uint64_t) { bench.sm.set_paused(77, true); };
  bench.run(1, 2);
  EXPECT_EQ(slots(bench.stats(), SlotUse::throttled), 0u);
}

// Every few cycles another CTA is paused.
TEST(CtaPauses, PausesAtAnyTimeEndNoBarrierInADeadlock) {
  for (const std::uint64_t period : {3u, 17u, 64u, 333u}) {
    Bench bench(loads_and_barriers(6), spread_addresses);
    bench.before_window = [&](std::uint64_t now) {
      if (now % period) return;
      for (std::uint64_t cta = 0; cta < 9; ++cta)
        bench.sm.set_paused(cta, (now / period + cta) % 3 != 0);
    };
    bench.run(4, 9, 1, 3);
    EXPECT_EQ(bench.source.ended, 9);
    EXPECT_EQ(bench.stats().warp_instructions, 9u * 4 * (6 * 3 + 1));
  }
}

TEST(CtaPauses, ANewCtaInTheSlotOfAPausedOneIsNotPaused) {
  Bench bench(independent(100));
  bench.before_window = [&](std::uint64_t now) {
    if (now == 40) bench.sm.set_paused(0, true);  // the only one: resumes at once
    if (now == 20) bench.sm.set_paused(1, true);
  };
  bench.run(1, 5, 1, 2);
  EXPECT_EQ(bench.source.ended, 5);
  EXPECT_EQ(bench.sm.resident_ctas().size(), 0u);
}

}  // namespace
}  // namespace heddle::sm::test
