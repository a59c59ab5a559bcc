#include <gtest/gtest.h>

#include "tests/sched/issue_bench.h"

namespace heddle::sched {
namespace {

using What = sm::KernelEvent::What;

// Four CTAs of one warp, launched in slot order, with these numbers of issued instructions.
IssueBench with_progress(std::vector<int> issued) {
  IssueBench bench{"kaws", warps(0)};
  for (int w = 0; w < 4; ++w) bench.launch(warp(w), static_cast<std::uint64_t>(24 + w));
  for (int w = 0; w < 4; ++w)
    for (int i = 0; i < issued[static_cast<std::size_t>(w)]; ++i) bench.issue(ready(w));
  return bench;
}

}  // namespace

TEST(Kaws, PrefersTheLeastAdvancedCtaAfterTheLastDispatch) {
  IssueBench bench = with_progress({900, 700, 400, 50});
  bench.kernel(What::last_cta_dispatched);
  EXPECT_EQ(bench.issue(warps(4)), warp(3));
  EXPECT_EQ(bench.issue(ready(0, 1, 2)), warp(2));
  EXPECT_EQ(bench.issue(ready(0, 1)), warp(1));
  EXPECT_EQ(bench.issue(ready(0)), warp(0));
}

TEST(Kaws, IsOldestFirstBeforeTheLastDispatch) {
  IssueBench bench = with_progress({9, 7, 4, 0});
  EXPECT_EQ(bench.issue(warps(4)), warp(0));
  bench.kernel(What::last_cta_dispatched);
  EXPECT_EQ(bench.issue(warps(4)), warp(3));
  bench.kernel(What::start);
  EXPECT_EQ(bench.issue(warps(4)), warp(0));
}

TEST(Kaws, PicksTheYoungerOfTwoEquallyAdvancedCtas) {
  IssueBench bench = with_progress({3, 2, 2, 3});
  bench.kernel(What::last_cta_dispatched);
  EXPECT_EQ(bench.issue(warps(4)), warp(2));
}

TEST(Kaws, IsOldestFirstWithOneCta) {
  IssueBench kaws{"kaws", warps(5)}, oldest{"oldest", warps(5)};
  kaws.kernel(What::last_cta_dispatched);
  const WarpMask sets[] = {ready(2, 3), ready(0, 2), ready(0, 1, 4), warps(5),
                           ready(4),    warps(5),    ready(1, 3),    ready(1, 2)};
  for (const WarpMask set : sets) EXPECT_EQ(kaws.issue(set), oldest.issue(set));
}

}  // namespace heddle::sched
