// The schedulers that look at long operations.
#include <gtest/gtest.h>

#include "sched/orders/lpi.h"
#include "tests/sched/issue_bench.h"

namespace heddle::sched {
namespace {

using Ages = std::vector<std::uint32_t>;

}  // namespace

TEST(LongFirst, IsGreedyThenOldestWithoutLongOperations) {
  IssueBench lfws{"lfws", warps(5)}, gto{"gto", warps(5)};
  const WarpMask sets[] = {ready(2, 3), ready(0, 2), ready(0, 1, 4), warps(5),
                           ready(4),    warps(5),    ready(1, 3),    ready(1, 2)};
  for (const WarpMask set : sets) EXPECT_EQ(lfws.issue(set), gto.issue(set));
}

TEST(LongFirst, TakesTheGreedyWarpFirstAmongLongOnes) {
  IssueBench bench{"lfws", warps(4)};
  bench.issue(ready(2));
  bench.long_heads(ready(1, 2));
  EXPECT_EQ(bench.issue(warps(4)), warp(2));
  bench.long_heads(ready(1, 3));
  EXPECT_EQ(bench.issue(warps(4)), warp(1));
}

TEST(LocalityQueue, PutsBlockedWarpsIntoTheNearestGaps) {
  EXPECT_EQ(locality_queue(Ages{0, 2, 5, 7}, Ages{1, 3, 4}), (Ages{0, 1, 2, 3, 5, 4, 7}));
}

TEST(LocalityQueue, GivesAGapASecondWarpWhenAllAreTaken) {
  EXPECT_EQ(locality_queue(Ages{5}, Ages{1, 2, 3}), (Ages{1, 3, 5, 2}));
  EXPECT_EQ(locality_queue(Ages{}, Ages{1, 2}), (Ages{1, 2}));
}

TEST(GuidingWarps, AWarpHeldBackBeforeALongOperationGoesFirstOnceItCan) {
  IssueBench bench{"llos", warps(4)};
  bench.long_heads(ready(3));
  EXPECT_EQ(bench.issue(ready(0, 1, 2)), warp(0));  // 3 is held back: it guides from now on
  EXPECT_EQ(bench.issue(warps(4)), warp(3));
  bench.long_heads(ready());
  EXPECT_EQ(bench.issue(warps(4)), warp(1));  // the fillers go on where they were
}

TEST(GuidingWarps, SeeWhoIsHeldBackInIdleCycles) {
  IssueBench bench{"llos", warps(4)};
  bench.long_heads(ready(2));
  bench.idle(1);
  EXPECT_EQ(bench.issue(warps(4)), warp(2));
}

TEST(GuidingWarps, WithInstantMembershipNeverIssueAsGuides) {
  IssueBench bench{"llos:membership=instant", warps(4)}, lrr{"lrr", warps(4)};
  bench.long_heads(ready(1, 2));
  const WarpMask sets[] = {ready(0, 3), warps(4), ready(2, 3), warps(4), ready(0, 1)};
  for (const WarpMask set : sets) EXPECT_EQ(bench.issue(set), lrr.issue(set));
}

}  // namespace heddle::sched
