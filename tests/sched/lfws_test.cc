#include <gtest/gtest.h>

#include "tests/sched/issue_bench.h"

namespace heddle::sched {

TEST(Lfws, VisitsNoWarpBeforeALongOperation) {
  IssueBench bench{"lfws", warps(4)};
  bench.issue(ready(3));
  bench.long_heads(ready(2));
  EXPECT_EQ(bench.visited_before(ready(0, 1, 3), warp(2)), WarpMask{});
  EXPECT_EQ(bench.visited_before(ready(0, 2, 3), warp(1)), ready(0, 3));
}

TEST(Lfws, IsGreedyThenOldestWithoutLongOperations) {
  IssueBench lfws{"lfws", warps(5)}, gto{"gto", warps(5)};
  const WarpMask sets[] = {ready(2, 3), ready(0, 2), ready(0, 1, 4), warps(5),
                           ready(4),    warps(5),    ready(1, 3),    ready(1, 2)};
  for (const WarpMask set : sets) EXPECT_EQ(lfws.issue(set), gto.issue(set));
}

// No warp issues between two instructions of warp 2.
TEST(Lfws, TheGreedyWarpIsThatOfThePreviousCycleOnRequest) {
  for (const bool previous : {false, true}) {
    IssueBench bench{previous ? "lfws:greedy=previous_cycle" : "lfws", warps(4)};
    EXPECT_EQ(bench.issue(ready(2, 3)), warp(2));
    EXPECT_EQ(bench.issue(warps(4)), warp(2));
    bench.idle(1);
    EXPECT_EQ(bench.visited_before(ready(2), warp(1)), previous ? WarpMask{} : ready(2));
    EXPECT_EQ(bench.issue(warps(4)), warp(previous ? 0 : 2));
  }
}

// The lowest slot may hold a younger warp.
TEST(Lfws, TakesTheLowestSlotOnRequest) {
  for (const bool slot : {false, true}) {
    IssueBench bench{slot ? "lfws:ascending=slot" : "lfws", warps(4)};
    bench.exit(warp(0));
    bench.launch(warp(0));
    EXPECT_EQ(bench.issue(ready(0, 2)), warp(slot ? 0 : 2));
    bench.issue(ready(3));
    EXPECT_EQ(bench.visited_before(ready(0, 1, 3), warp(2)), slot ? ready(0, 1, 3) : ready(1, 3));
    EXPECT_EQ(bench.visited_before(ready(0, 1), warp(3)), WarpMask{}) << "it is the greedy warp";
  }
}

TEST(Lfws, PrefersTheGreedyWarpAmongLongOperations) {
  IssueBench bench{"lfws", warps(4)};
  bench.issue(ready(2));
  bench.long_heads(ready(1, 2));
  EXPECT_EQ(bench.issue(warps(4)), warp(2));
  bench.long_heads(ready(1, 3));
  EXPECT_EQ(bench.issue(warps(4)), warp(1));
}

}  // namespace heddle::sched
