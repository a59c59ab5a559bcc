#include "gpu/engine/cta_dispatch.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/gpu/engine_bench.h"

namespace heddle::gpu {
namespace {

using test::EngineBench;
using test::ScriptedCtas;

}  // namespace

TEST(CtaDispatch, ReportsEveryCtaToItsSchedulerWhenItHasFinished) {
  EngineBench bench;
  bench.begin(20, 64);
  const auto ended = bench.finish();
  ASSERT_EQ(ended.size(), 1u);
  std::set<std::uint64_t> ctas;
  std::uint64_t total = 0, longest = 0;
  for (const FinishedCta& cta : bench.ctas.built.front()->finished) {
    ctas.insert(cta.cta);
    total += cta.end - cta.start;
    longest = std::max(longest, cta.end - cta.start);
  }
  EXPECT_EQ(ctas.size(), 20u);
  EXPECT_EQ(ended[0].result.ctas.count, 20u);
  EXPECT_EQ(ended[0].result.ctas.total_cycles, total);
  EXPECT_EQ(ended[0].result.ctas.longest_cycles, longest);
}

// The SMs hold 2 x 8 CTAs.
TEST(CtaDispatch, ASchedulerThatPlacedNothingIsAskedAgainWhenACtaHasFinished) {
  EngineBench bench;
  bench.begin(17, 64);
  bench.finish();
  const ScriptedCtas& policy = *bench.ctas.built.front();
  int declined = 0;
  for (std::size_t i = 1; i < policy.asked.size(); ++i) {
    if (policy.asked[i - 1].placed > 0) continue;
    ++declined;
    const auto between = [&](const FinishedCta& cta) {
      return policy.asked[i - 1].at <= cta.end && cta.end < policy.asked[i].at;
    };
    EXPECT_TRUE(std::any_of(policy.finished.begin(), policy.finished.end(), between)) << i;
  }
  EXPECT_GT(declined, 0);
}

TEST(CtaDispatch, KernelsThatOverlapStartOneCtaPerSmAndCycle) {
  EngineBench bench;
  bench.begin(4, 64);
  bench.begin(4, 64);
  bench.finish();
  std::map<std::pair<int, Cycle>, int> starts;
  ASSERT_EQ(bench.ctas.built.size(), 2u);
  for (const ScriptedCtas* const policy : bench.ctas.built)
    for (const FinishedCta& cta : policy->finished) ++starts[{cta.sm, cta.start}];
  EXPECT_EQ(starts.size(), 8u);
}

TEST(CtaDispatch, TheSharePolicyLimitsKernelsThatOverlap) {
  EngineBench bench;
  bench.shares.prepare = [](test::ScriptedShares& shares) {
    shares.limit = [](int kernel, int sm) { return kernel == sm ? 1 : 0; };
  };
  bench.begin(3, 64);
  bench.begin(3, 64);
  bench.finish();
  // Kernel 0 has SM 0 only, until it runs alone.
  EXPECT_EQ(bench.ctas.built[0]->finished.front().sm, 0);
  EXPECT_EQ(bench.ctas.built[1]->finished.front().sm, 1);
  const auto& first = bench.ctas.built[0]->finished;
  EXPECT_GE(first[1].start, first[0].end);
}

TEST(CtaDispatch, RefusesACtaThatIsPlacedTwice) {
  class Twice final : public ScriptedCtas {
   public:
    void dispatch(Cycle from, Cycle, std::vector<int>&,
                  std::vector<Placement>& placements) override {
      placements = {{0, 0, from}, {1, 0, from}};
    }
  };
  const test::ScriptedPolicy<Twice, CtaScheduler, CtaContext> policy;
  EngineBench bench;
  bench.use(policy);
  bench.begin(2, 64);
  EXPECT_DEATH(bench.finish(), "placed a CTA twice");
}

}  // namespace heddle::gpu
