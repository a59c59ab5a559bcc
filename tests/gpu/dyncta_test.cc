#include <gtest/gtest.h>

#include "tests/gpu/cta_scheduler_bench.h"

namespace heddle::gpu {
namespace {

using List = std::vector<std::uint64_t>;

SmEpoch period(std::uint64_t idle, std::uint64_t memory) {
  SmEpoch epoch;
  epoch.cycles = 2048;
  epoch.idle_cycles = idle;
  epoch.memory_cycles = memory;
  return epoch;
}

TEST(DynCta, AnSmBeginsWithHalfOfItsCtas) {
  CtaSchedulerBench bench("dyncta", {{40, 1, 1}, 2, 8});
  bench.dispatch(16);
  EXPECT_EQ(bench.ctas_of(0).size(), 4u);
  EXPECT_EQ(bench.ctas_of(1).size(), 4u);
  CtaSchedulerBench single("dyncta", {{40, 1, 1}, 2, 1});
  single.dispatch(16);
  EXPECT_EQ(single.ctas_of(0).size(), 1u);
}

// From 4 of 8 CTAs: 20 idle cycles: 5; no idle cycle and 100 memory cycles: 5; 500: 3; 200: 4.
TEST(DynCta, APeriodRaisesOrLowersTheNumberOfRunningCtas) {
  struct Case {
    std::uint64_t idle, memory;
    std::size_t running;
  };
  for (const Case& c : {Case{20, 0, 5},
                        {0, 100, 5},
                        {0, 500, 3},
                        {0, 200, 4},
                        {16, 500, 5},
                        {15, 500, 3},
                        {0, 127, 5},
                        {0, 128, 4},
                        {0, 383, 4},
                        {0, 384, 3}}) {
    CtaSchedulerBench bench("dyncta", {{40, 1, 1}, 1, 8});
    bench.dispatch(16);
    bench.epoch(period(c.idle, c.memory));
    bench.dispatch(16);
    EXPECT_EQ(bench.ctas_of(0).size() - bench.paused_of(0).size(), c.running)
        << c.idle << " idle, " << c.memory << " memory";
    EXPECT_EQ(bench.counter("dyncta.raised"), c.running > 4 ? 1u : 0u);
    EXPECT_EQ(bench.counter("dyncta.lowered"), c.running < 4 ? 1u : 0u);
  }
}

TEST(DynCta, TheYoungestCtaIsPausedAndTheOldestPausedOneResumes) {
  CtaSchedulerBench bench("dyncta", {{40, 1, 1}, 1, 8});
  bench.dispatch(16);
  bench.epoch(period(0, 500));
  EXPECT_EQ(bench.paused_of(0), (List{3}));
  bench.epoch(period(0, 500));
  EXPECT_EQ(bench.paused_of(0), (List{2, 3}));
  bench.epoch(period(0, 100));
  EXPECT_EQ(bench.paused_of(0), (List{3}));
  EXPECT_EQ(bench.counter("dyncta.paused"), 2u);
  EXPECT_EQ(bench.counter("dyncta.resumed"), 1u);
}

TEST(DynCta, APausedCtaTakesThePlaceOfOneThatEnds) {
  CtaSchedulerBench bench("dyncta", {{40, 1, 1}, 1, 8});
  bench.dispatch(16);
  bench.epoch(period(0, 500));
  bench.finish(0, 0);
  EXPECT_EQ(bench.paused_of(0), (List{}));
  EXPECT_TRUE(bench.dispatch(16).empty());  // three run, as many as wanted
  bench.finish(0, 1);
  EXPECT_EQ(bench.dispatch(16).size(), 1u);
}

TEST(DynCta, TheNumberStaysBetweenOneAndTheRoomOfTheSm) {
  CtaSchedulerBench bench("dyncta", {{40, 1, 1}, 1, 4});
  bench.dispatch(16);
  for (int i = 0; i < 5; ++i) bench.epoch(period(0, 2048));
  EXPECT_EQ(bench.ctas_of(0).size() - bench.paused_of(0).size(), 1u);
  for (int i = 0; i < 9; ++i) bench.epoch(period(2048, 0));
  bench.dispatch(16);
  EXPECT_EQ(bench.ctas_of(0).size(), 4u);
  EXPECT_TRUE(bench.paused_of(0).empty());
}

TEST(DynCta, ACtaThatTheSmResumedCountsAsRunning) {
  CtaSchedulerBench bench("dyncta", {{40, 1, 1}, 1, 4});
  bench.dispatch(16);
  bench.epoch(period(0, 500));  // CTA 1 is paused
  bench.resume(0, 1);           // as an SM does of which all CTAs are paused
  bench.epoch(period(0, 200));  // one may run
  EXPECT_EQ(bench.paused_of(0), (List{1}));
}

TEST(DynCta, ACtaThatWasPausedForLongRunsInPlaceOfAnother) {
  CtaSchedulerBench bench("dyncta", {{40, 1, 1}, 1, 8});
  bench.dispatch(16);
  for (int i = 0; i < 3; ++i) bench.epoch(period(0, 500));
  ASSERT_EQ(bench.paused_of(0), (List{1, 2, 3}));
  // CTA 3 was paused first.
  for (int i = 0; i < 61; ++i) bench.epoch(period(0, 200));
  EXPECT_EQ(bench.paused_of(0), (List{1, 2, 3}));
  bench.epoch(period(0, 200));
  EXPECT_EQ(bench.paused_of(0), (List{0, 1, 2}));
  EXPECT_EQ(bench.counter("dyncta.exchanged"), 1u);
}

}  // namespace
}  // namespace heddle::gpu
