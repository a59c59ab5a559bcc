#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "sched/orders/lpi.h"
#include "tests/sched/issue_bench.h"

namespace heddle::sched {
namespace {

using Slots = std::vector<int>;

// The queue of these warps, whose slots ascend with their ages.
Slots queue(const Slots& short_warps, const Slots& long_warps) {
  InsertionQueue all;
  WarpMask left;
  for (int w = 0; w < kMaxWarpsPerSm; ++w) {
    const bool is_short = std::count(short_warps.begin(), short_warps.end(), w) > 0;
    if (!is_short && std::count(long_warps.begin(), long_warps.end(), w) == 0) continue;
    is_short ? all.add_short(warp(w)) : all.add_long(warp(w));
    left.set(warp(w));
  }
  Slots order;
  while (left.any()) {
    const WarpSlot first = InsertionQueue(all).first(left);
    order.push_back(first.index);
    left.reset(first);
  }
  return order;
}

}  // namespace

TEST(Lpi, InsertsLongLatencyWarpsIntoTheNearestGaps) {
  EXPECT_EQ(queue({0, 2, 5, 7}, {1, 3, 4}), (Slots{0, 1, 2, 3, 5, 4, 7}));
}

TEST(Lpi, InsertsASecondWarpIntoAGapOnlyWhenAllGapsAreTaken) {
  EXPECT_EQ(queue({5}, {1, 2, 3}), (Slots{1, 3, 5, 2}));
  EXPECT_EQ(queue({}, {1, 2}), (Slots{1, 2}));
  EXPECT_EQ(queue({1, 2}, {}), (Slots{1, 2}));
}

TEST(Lpi, InsertsIntoTheOlderOfTwoEquallyNearGaps) {
  EXPECT_EQ(queue({0, 1, 4, 5}, {2, 3}), (Slots{0, 3, 1, 2, 4, 5}));
}

TEST(Lpi, HoldsAsManyWarpsAsAnSm) {
  Slots shorts, longs;
  for (int w = 0; w < 63; ++w) shorts.push_back(w);
  EXPECT_EQ(queue(shorts, {63}).back(), 63);
  for (int w = 1; w < 64; ++w) longs.push_back(w);
  EXPECT_EQ(queue({0}, longs).size(), 64u);
}

// As after many CTAs: slots are used again, and what has ended is forgotten.
TEST(Lpi, WarpsThatEndedAreNotInTheOrder) {
  IssueBench bench{"lpi", warps(3)};
  for (int i = 0; i < 100; ++i) {
    bench.exit(warp(0));
    bench.launch(warp(0));
  }
  bench.long_heads(ready(1));
  EXPECT_EQ(bench.issue(warps(3)), warp(1));  // now the oldest
  EXPECT_EQ(bench.issue(ready(0, 2)), warp(2));
}

// Warps 1 and 2 compute, the others load. Warp 3 takes the gap after 2; the nearest gap that is
// left for warp 4 is the one between 1 and 2: 0 1 4 2 3.
TEST(Lpi, ALongOperationIssuesBetweenOlderShortOnes) {
  IssueBench bench{"lpi", warps(5)};
  bench.long_heads(ready(0, 3, 4));
  EXPECT_EQ(bench.issue(warps(5)), warp(0));
  EXPECT_EQ(bench.issue(ready(1, 2, 3, 4)), warp(1));
  EXPECT_EQ(bench.issue(ready(2, 3, 4)), warp(4));
  EXPECT_EQ(bench.issue(ready(2, 3)), warp(2));
}

TEST(Lpi, QueuesANewWarpOfASlotAsTheYoungest) {
  IssueBench bench{"lpi", warps(4)};
  bench.exit(warp(0));
  bench.launch(warp(0));
  bench.long_heads(ready(0));
  EXPECT_EQ(bench.issue(warps(4)), warp(1));
  bench.long_heads(ready(0, 3));  // 1 0 2 3: warp 3 has the gap after 2
  EXPECT_EQ(bench.issue(ready(0, 3)), warp(0));
}

TEST(Lpi, IsOldestFirstWhenOnlyBlockedWarpsAreInserted) {
  IssueBench lpi{"lpi:inserted=blocked", warps(5)}, oldest{"oldest", warps(5)};
  lpi.long_heads(ready(0, 3, 4));
  for (const WarpMask set : {warps(5), ready(2, 3, 4), ready(3, 4), ready(1, 4)})
    EXPECT_EQ(lpi.issue(set), oldest.issue(set));
}

TEST(Lpi, IsOldestFirstWithoutLongOperations) {
  IssueBench lpi{"lpi", warps(5)}, oldest{"oldest", warps(5)};
  for (const WarpMask set : {warps(5), ready(2, 3, 4), ready(3, 4), ready(1, 4)})
    EXPECT_EQ(lpi.issue(set), oldest.issue(set));
}

}  // namespace heddle::sched
