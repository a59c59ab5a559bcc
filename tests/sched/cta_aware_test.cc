// The schedulers that know which warps belong together.
#include <gtest/gtest.h>

#include "tests/sched/issue_bench.h"

namespace heddle::sched {
namespace {

using What = sm::KernelEvent::What;

// Four CTAs of one warp, launched in slot order, that have issued so much.
IssueBench with_progress(std::vector<int> issued) {
  IssueBench bench{"kaws", warps(0)};
  for (int w = 0; w < 4; ++w) bench.launch(warp(w), static_cast<std::uint64_t>(24 + w));
  for (int w = 0; w < 4; ++w)
    for (int i = 0; i < issued[static_cast<std::size_t>(w)]; ++i) bench.issue(ready(w));
  return bench;
}

}  // namespace

TEST(KernelAware, PutsTheLeastAdvancedCtaFirstOnceTheLastWasDispatched) {
  IssueBench bench = with_progress({900, 700, 400, 50});
  bench.kernel(What::last_cta_dispatched);
  EXPECT_EQ(bench.issue(warps(4)), warp(3));
  EXPECT_EQ(bench.issue(ready(0, 1, 2)), warp(2));
  EXPECT_EQ(bench.issue(ready(0, 1)), warp(1));
  EXPECT_EQ(bench.issue(ready(0)), warp(0));
}

TEST(KernelAware, IsOldestFirstBefore) {
  IssueBench bench = with_progress({9, 7, 4, 0});
  EXPECT_EQ(bench.issue(warps(4)), warp(0));
  bench.kernel(What::last_cta_dispatched);
  EXPECT_EQ(bench.issue(warps(4)), warp(3));
  bench.kernel(What::start);
  EXPECT_EQ(bench.issue(warps(4)), warp(0));
}

TEST(KernelAware, TakesTheYoungerOfTwoEquallyAdvancedCtas) {
  IssueBench bench = with_progress({3, 2, 2, 3});
  bench.kernel(What::last_cta_dispatched);
  EXPECT_EQ(bench.issue(warps(4)), warp(2));
}

TEST(KernelAware, IsOldestFirstWithOneCta) {
  IssueBench kaws{"kaws", warps(5)}, oldest{"oldest", warps(5)};
  kaws.kernel(What::last_cta_dispatched);
  const WarpMask sets[] = {ready(2, 3), ready(0, 2), ready(0, 1, 4), warps(5),
                           ready(4),    warps(5),    ready(1, 3),    ready(1, 2)};
  for (const WarpMask set : sets) EXPECT_EQ(kaws.issue(set), oldest.issue(set));
}

TEST(BarrierAware, PutsTheAwaitedWarpsOfACtaFirst) {
  IssueBench bench{"saws", warps(0)};
  for (int w = 0; w < 4; ++w) bench.launch(warp(w), static_cast<std::uint64_t>(w / 2));
  EXPECT_EQ(bench.issue(warps(4)), warp(0));
  bench.enter_barrier(warp(2));
  EXPECT_EQ(bench.issue(ready(0, 1, 3)), warp(3));
  EXPECT_EQ(bench.issue(ready(0, 1)), warp(0));
  bench.leave_barrier(warp(2));
  EXPECT_EQ(bench.issue(ready(1, 2, 3)), warp(1));
}

TEST(BarrierAware, SharesWhatIsAwaitedAmongTheSchedulersOfAnSm) {
  PolicyContext context;
  context.schedulers = 2;
  context.in_sm = std::make_shared<SharedState>();
  const auto policy = parse_policy("saws");
  IssueBench even{policy->build(context), warps(0)};
  context.scheduler = 1;
  IssueBench odd{policy->build(context), warps(0)};
  for (int w = 0; w < 6; w += 2) {  // CTAs of two warps, one with each scheduler
    even.launch(warp(w), static_cast<std::uint64_t>(w / 2));
    odd.launch(warp(w + 1), static_cast<std::uint64_t>(w / 2));
  }
  even.enter_barrier(warp(4));
  EXPECT_EQ(odd.issue(ready(1, 3, 5)), warp(5));
}

}  // namespace heddle::sched
