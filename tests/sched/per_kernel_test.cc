// A warp scheduler per kernel: --scheduler K0=gto,K1=lrr.
#include "sched/framework/per_kernel.h"

#include <gtest/gtest.h>

#include <numeric>

#include "base/diagnostics.h"
#include "sched/catalogue.h"

namespace heddle::sched {
namespace {

// Slots 0 to 3 hold warps of kernel 0, slots 4 to 7 those of kernel 1, the oldest first.
class TwoKernelBench {
 public:
  explicit TwoKernelBench(const std::string& text) : policy_(parse_policy(text)->build({})) {
    std::iota(ages_.begin(), ages_.end(), 0u);
    view_.supervised = WarpMask::all();
    view_.age = ages_;
    view_.head = heads_;
    for (int slot = 0; slot < 8; ++slot)
      policy_->on_warp({WarpSlot(slot), static_cast<std::uint32_t>(slot), 0, true, {}, slot / 4});
  }
  int issue(std::initializer_list<int> issuable) {
    WarpMask mask;
    for (const int slot : issuable) mask.set(WarpSlot(slot));
    view_.live = view_.valid = view_.ready = view_.issuable = mask;
    const WarpSlot chosen = policy_->pick(view_);
    if (chosen) policy_->on_issue({view_.now, chosen, nullptr, 0, LaneMask::all()});
    ++view_.now;
    return chosen.index;
  }

 private:
  std::unique_ptr<sm::WarpScheduler> policy_;
  std::array<std::uint32_t, kMaxWarpsPerSm> ages_{};
  std::array<const isa::Instruction*, kMaxWarpsPerSm> heads_{};
  sm::IssueView view_;
};

}  // namespace

TEST(PerKernel, EveryKernelHasItsPolicyAndTheKernelsAlternate) {
  TwoKernelBench bench("K0=gto,K1=lrr");
  EXPECT_EQ(bench.issue({1, 2, 4, 5}), 1);  // cycle 0: kernel 0, its oldest
  EXPECT_EQ(bench.issue({1, 2, 4, 5}), 4);  // cycle 1: kernel 1
  EXPECT_EQ(bench.issue({0, 1, 4, 5}), 1);  // greedy, although 0 is older
  EXPECT_EQ(bench.issue({1, 2, 4, 5}), 5);  // round robin
}

TEST(PerKernel, AKernelWithoutIssuableWarpIsSkipped) {
  TwoKernelBench bench("K0=gto,K1=lrr");
  EXPECT_EQ(bench.issue({5, 6}), 5);
  EXPECT_EQ(bench.issue({2, 3}), 2);
}

TEST(PerKernel, FurtherKernelsUseTheLastPolicy) {
  TwoKernelBench bench("K0=oldest");
  EXPECT_EQ(bench.issue({2, 4}), 2);
  EXPECT_EQ(bench.issue({4, 5}), 4);
}

TEST(PerKernel, TheTextIsCanonical) {
  EXPECT_EQ(parse_policy("K0=gto,K1=swl:warps=4+lrr")->text(), "K0=gto,K1=swl:warps=4+lrr");
}

TEST(PerKernel, NumbersOfKernelsGoUpFromZero) {
  EXPECT_THROW(parse_policy("K1=gto"), UserError);
  EXPECT_THROW(parse_policy("K0=gto,K2=lrr"), UserError);
  EXPECT_THROW(parse_policy("K0=gto,K0=lrr"), UserError);
  EXPECT_THROW(parse_policy("K0="), UserError);
}

}  // namespace heddle::sched
