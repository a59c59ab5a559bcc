// Policies that draw random numbers (--seed).
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "config/config.h"
#include "exec/state/global_memory.h"
#include "gpu/cta/catalogue.h"
#include "gpu/engine.h"
#include "gpu/share/catalogue.h"
#include "sched/catalogue.h"
#include "sched/framework/policy_entry.h"
#include "tests/sched/issue_bench.h"

namespace heddle::sched {
namespace {

// Picks an issuable warp at random.
class RandomOrder final : public sm::WarpScheduler {
 public:
  explicit RandomOrder(const PolicyContext& context) : random_(random_seed(context)) {}
  WarpSlot pick(const sm::IssueView& view) override {
    auto skipped = random_() % static_cast<std::uint64_t>(view.issuable.count());
    WarpMask left = view.issuable;
    for (; skipped > 0; --skipped) left.reset(left.lowest());
    return left.lowest();
  }

 private:
  std::mt19937_64 random_;
};

std::vector<int> picks(const PolicyContext& context) {
  const auto entry = policy<RandomOrder>("random", "A random issuable warp", "a test");
  IssueBench bench{entry.parse("")->build(context), warps(32)};
  std::vector<int> slots;
  for (int i = 0; i < 40; ++i) slots.push_back(bench.issue(warps(32)).index);
  return slots;
}

// Records the contexts in which it builds its objects.
class RecordingPolicy final : public Policy {
 public:
  const std::string& text() const override { return text_; }
  std::unique_ptr<sm::WarpScheduler> build(const PolicyContext& context) const override {
    contexts.push_back(context);
    return parse_policy("lrr")->build(context);
  }
  mutable std::vector<PolicyContext> contexts;

 private:
  std::string text_ = "recording";
};

}  // namespace

TEST(RandomPolicy, EverySchedulerGetsTheSeedAndItsPlace) {
  const auto spec = config::load_gpu(std::string(HEDDLE_SOURCE_DIR) + "/presets/gtx480.toml");
  const RecordingPolicy policy;
  const auto ctas = gpu::parse_cta_policy("rr");
  const auto share = gpu::parse_share_policy("leftover");
  gpu::Engine engine(spec, {policy, *ctas, *share}, 7, {1, false});
  ASSERT_EQ(policy.contexts.size(), 30u);
  std::vector<std::uint64_t> seeds;
  for (const PolicyContext& context : policy.contexts) {
    EXPECT_EQ(context.seed, 7u);
    seeds.push_back(random_seed(context));
  }
  std::sort(seeds.begin(), seeds.end());
  EXPECT_TRUE(std::adjacent_find(seeds.begin(), seeds.end()) == seeds.end());
}

TEST(RandomPolicy, RepeatsItsPicksWithTheSameSeed) {
  EXPECT_EQ(picks({.sm = 3, .seed = 7}), picks({.sm = 3, .seed = 7}));
}

TEST(RandomPolicy, PicksDifferentlyPerSeedSmSchedulerAndPart) {
  const auto first = picks({});
  EXPECT_NE(picks({.seed = 2}), first);
  EXPECT_NE(picks({.sm = 1}), first);
  EXPECT_NE(picks({.scheduler = 1, .schedulers = 2}), first);
  EXPECT_NE(picks({.part = 1}), first);
  EXPECT_NE(picks({.sm = 1}), picks({.scheduler = 1, .schedulers = 2}));
}

}  // namespace heddle::sched
