// Policies that draw random numbers (--seed).
#include <gtest/gtest.h>

#include <random>

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

}  // namespace

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
