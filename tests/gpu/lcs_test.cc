#include <gtest/gtest.h>

#include "tests/gpu/cta_scheduler_bench.h"

namespace heddle::gpu {
namespace {

TEST(Lcs, AKernelBeginsWithAsManyCtasAsFit) {
  CtaSchedulerBench bench("lcs", {{40, 1, 1}, 2, 6});
  bench.dispatch(8);
  EXPECT_EQ(bench.ctas_of(0).size(), 6u);
  EXPECT_EQ(bench.ctas_of(1).size(), 6u);
}

// 1000, 600, 300, 100, 0, 0: ceil(2000 / 1000) = 2.
TEST(Lcs, TheFirstFinishedCtaDecidesTheLimitOfAllSms) {
  CtaSchedulerBench bench("lcs", {{40, 1, 1}, 2, 6});
  bench.dispatch(8);
  bench.finish(0, 0, 1000, {600, 300, 100, 0, 0});
  EXPECT_TRUE(bench.dispatch().empty());  // 5 and 6 CTAs are left, none is killed
  for (const std::uint64_t cta : {2, 4, 6}) bench.finish(0, cta, 500);
  EXPECT_TRUE(bench.dispatch().empty());
  bench.finish(0, 8, 500);
  const auto placed = bench.dispatch();
  ASSERT_EQ(placed.size(), 1u);  // one CTA was left on SM 0
  EXPECT_EQ(placed[0].sm, 0);
  EXPECT_EQ(bench.counter("lcs.decisions"), 1u);
  EXPECT_EQ(bench.counter("lcs.limits_below_maximum"), 1u);
}

TEST(Lcs, TheQuotientIsRoundedUpOrDown) {
  for (const auto& [policy, limit] :
       {std::pair{"lcs", 3u}, {"lcs:rounding=down", 2u}}) {  // 2100 / 1000
    CtaSchedulerBench bench(policy, {{40, 1, 1}, 1, 6});
    bench.dispatch(8);
    bench.finish(0, 0, 1000, {700, 300, 100, 0, 0});
    for (std::uint64_t cta = 1; cta < 6; ++cta) bench.finish(0, cta);
    bench.dispatch(8);
    EXPECT_EQ(bench.ctas_of(0).size(), limit) << policy;
  }
}

TEST(Lcs, EachSmDecidesForItself) {
  CtaSchedulerBench bench("lcs:decides=each_sm", {{40, 1, 1}, 2, 4});
  bench.dispatch(8);
  bench.finish(0, 0, 1000, {0, 0, 0});  // limit 1
  bench.finish(1, 1, 1000, {1000, 1000, 1000});
  bench.dispatch(8);
  EXPECT_EQ(bench.ctas_of(0).size(), 3u);
  EXPECT_EQ(bench.ctas_of(1).size(), 4u);
  EXPECT_EQ(bench.counter("lcs.decisions"), 2u);
}

TEST(Lcs, EveryKernelDecidesAnew) {
  CtaSchedulerBench bench("lcs", {{4, 1, 1}, 1, 4});
  bench.dispatch(8);
  bench.finish(0, 0, 1000, {0, 0, 0});
  bench.finish_all();
  bench.begin({{8, 1, 1}, 1, 4});
  EXPECT_EQ(bench.dispatch(8).size(), 4u);
}

TEST(Lcs, WithoutInstructionsTheLimitIsOneCta) {
  CtaSchedulerBench bench("lcs", {{8, 1, 1}, 1, 4});
  bench.dispatch(8);
  bench.finish(0, 0, 0, {0, 0, 0});
  bench.finish_all();
  EXPECT_EQ(bench.dispatch(8).size(), 1u);
}

}  // namespace
}  // namespace heddle::gpu
