#include <gtest/gtest.h>

#include "tests/sched/issue_bench.h"

namespace heddle::sched {

TEST(LooseRoundRobin, TakesTheNextReadyWarpAfterTheOneThatIssuedLast) {
  IssueBench bench{"lrr", warps(4)};
  EXPECT_EQ(bench.issue(ready(0, 1, 2, 3)), warp(0));
  EXPECT_EQ(bench.issue(ready(0, 1, 2, 3)), warp(1));
  EXPECT_EQ(bench.issue(ready(0, 3)), warp(3));  // 2 stalls: skipped
  EXPECT_EQ(bench.issue(ready(2, 3)), warp(2));  // wraps around
}

TEST(LooseRoundRobin, DoesNotMoveInACycleWithoutIssue) {
  IssueBench bench{"lrr", warps(4)};
  bench.issue(ready(1));
  bench.issue(ready());
  EXPECT_EQ(bench.issue(ready(0, 2, 3)), warp(2));
}

TEST(LooseRoundRobin, GoesOnFromASlotWhoseWarpExited) {
  IssueBench bench{"lrr", warps(4)};
  bench.issue(ready(2));
  bench.exit(warp(2));
  EXPECT_EQ(bench.issue(ready(0, 3)), warp(3));
}

TEST(LooseRoundRobin, ReachesTheHighestSlotAndWraps) {
  IssueBench bench{"lrr", WarpMask::all()};
  EXPECT_EQ(bench.issue(ready(63)), warp(63));
  EXPECT_EQ(bench.issue(ready(0, 63)), warp(0));
}

TEST(LooseRoundRobin, ComesToTheWarpsBetweenTheLastAndTheChosen) {
  IssueBench bench{"lrr", warps(6)};
  EXPECT_EQ(bench.visited_before(warps(6), warp(2)), ready(0, 1));  // nobody has issued
  bench.issue(ready(3));
  EXPECT_EQ(bench.visited_before(warps(6), warp(5)), ready(4));
  EXPECT_EQ(bench.visited_before(warps(6), warp(1)), ready(4, 5, 0));
  EXPECT_EQ(bench.visited_before(warps(6), warp(3)), ready(4, 5, 0, 1, 2));
  EXPECT_EQ(bench.visited_before(ready(0, 3), warp(1)), ready(0));
}

TEST(GreedyThenOldest, ComesToTheGreedyWarpThenToOlderOnesThanTheChosen) {
  IssueBench bench{"gto", warps(6)};
  bench.exit(warp(0));
  bench.launch(warp(0));  // the youngest
  bench.issue(ready(4));
  EXPECT_EQ(bench.visited_before(warps(6), warp(4)), WarpMask{});
  EXPECT_EQ(bench.visited_before(warps(6), warp(3)), ready(4, 1, 2));
  EXPECT_EQ(bench.visited_before(ready(0, 1), warp(5)), ready(1));
}

TEST(OldestFirst, ComesToOlderWarpsThanTheChosen) {
  IssueBench bench{"oldest", warps(4)};
  EXPECT_EQ(bench.visited_before(warps(4), warp(2)), ready(0, 1));
}

TEST(YoungestFirst, ComesToYoungerWarpsThanTheChosen) {
  IssueBench bench{"youngest", warps(4)};
  EXPECT_EQ(bench.visited_before(ready(0, 1, 3), warp(1)), ready(3));
}

TEST(GreedyThenRoundRobin, ComesToItsWarpThenToThoseBetween) {
  IssueBench bench{"gtrr", warps(6)};
  bench.issue(ready(2));
  EXPECT_EQ(bench.visited_before(ready(0, 2, 3, 5), warp(4)), ready(2, 3));
  EXPECT_EQ(bench.visited_before(ready(0, 3, 5), warp(2)), WarpMask{});
}

TEST(StrictRoundRobin, ComesToTheHolderOfTheTurnAlone) {
  IssueBench bench{"srr", warps(4)};
  bench.issue(ready(0));
  EXPECT_EQ(bench.visited_before(ready(1, 2, 3), warp(0)), WarpMask{});
}

TEST(TwoLevel, ComesToActiveWarpsBeforeTheChosen) {
  IssueBench bench{"two-level:max_active=3", warps(6)};
  bench.issue(ready(0));  // active: 1, 2, 0
  EXPECT_EQ(bench.visited_before(ready(0, 1, 4, 5), warp(2)), ready(1));
  EXPECT_EQ(bench.visited_before(ready(1, 2, 4, 5), warp(0)), ready(1, 2));
}

TEST(LongFirst, ComesToNobodyBeforeALongOperation) {
  IssueBench bench{"lfws", warps(4)};
  bench.issue(ready(3));
  bench.long_heads(ready(2));
  EXPECT_EQ(bench.visited_before(ready(0, 1, 3), warp(2)), WarpMask{});
  EXPECT_EQ(bench.visited_before(ready(0, 2, 3), warp(1)), ready(0, 3));
}

TEST(FetchGroups, ComeToTheGroupsBeforeThatOfTheChosen) {
  IssueBench bench{"fetch-groups:group_size=2", warps(6)};
  bench.issue(ready(2));  // the group of 2 and 3
  EXPECT_EQ(bench.visited_before(ready(0, 1, 3, 5), warp(4)), ready(3));
  EXPECT_EQ(bench.visited_before(ready(0, 3, 4), warp(1)), ready(3, 4, 0));
}

TEST(LimitedOrders, ComeToWhatTheOrderComesTo) {
  IssueBench bench{"swl:warps=4+lrr", warps(6)};
  bench.issue(ready(1));
  EXPECT_EQ(bench.visited_before(warps(6), warp(3)), ready(2));
}

TEST(GreedyThenOldest, KeepsItsWarpUntilItStallsThenTakesTheOldest) {
  IssueBench bench{"gto", warps(4)};
  EXPECT_EQ(bench.issue(ready(1, 2, 3)), warp(1));
  EXPECT_EQ(bench.issue(ready(0, 1, 2)), warp(1));  // greedy: still ready, although 0 is older
  EXPECT_EQ(bench.issue(ready(2, 3)), warp(2));     // 1 stalled: the oldest that can
  EXPECT_EQ(bench.issue(ready(1, 2, 3)), warp(2));  // 2 is the greedy warp now
}

TEST(GreedyThenOldest, StaysGreedyOverACycleWithoutIssue) {
  IssueBench bench{"gto", warps(4)};
  bench.issue(ready(3));
  bench.issue(ready());
  EXPECT_EQ(bench.issue(ready(0, 3)), warp(3));
}

TEST(GreedyThenOldest, MeasuresAgeByLaunchNotBySlot) {
  IssueBench bench{"gto", warps(4)};
  bench.exit(warp(0));
  bench.launch(warp(0));
  EXPECT_EQ(bench.issue(ready(0, 2)), warp(2));
}

TEST(GreedyThenOldest, GivesANewWarpInTheGreedySlotNoPreference) {
  IssueBench bench{"gto", warps(4)};
  bench.issue(ready(0));
  bench.exit(warp(0));
  bench.launch(warp(0));
  EXPECT_EQ(bench.issue(ready(0, 1)), warp(1));
}

TEST(OldestFirst, ReturnsToTheOldestAsSoonAsItCanIssue) {
  IssueBench bench{"oldest", warps(4)};
  EXPECT_EQ(bench.issue(ready(2, 3)), warp(2));
  EXPECT_EQ(bench.issue(ready(0, 2, 3)), warp(0));
  EXPECT_EQ(bench.issue(ready(1, 3)), warp(1));
}

TEST(YoungestFirst, IsTheReverseOfOldestFirst) {
  IssueBench bench{"youngest", warps(4)};
  EXPECT_EQ(bench.issue(ready(0, 2)), warp(2));
  EXPECT_EQ(bench.issue(ready(0, 2, 3)), warp(3));
  bench.exit(warp(0));
  bench.launch(warp(0));
  EXPECT_EQ(bench.issue(ready(0, 3)), warp(0));
}

TEST(GreedyThenRoundRobin, GoesOnInSlotOrderWhenTheGreedyWarpStalls) {
  IssueBench bench{"gtrr", warps(4)};
  EXPECT_EQ(bench.issue(ready(2)), warp(2));
  EXPECT_EQ(bench.issue(ready(0, 2, 3)), warp(2));
  EXPECT_EQ(bench.issue(ready(0, 1, 3)), warp(3));
  EXPECT_EQ(bench.issue(ready(0, 1)), warp(0));
}

TEST(GreedyThenRoundRobin, GivesANewWarpInTheGreedySlotNoPreference) {
  IssueBench bench{"gtrr", warps(4)};
  bench.issue(ready(1));
  bench.exit(warp(1));
  bench.launch(warp(1));
  EXPECT_EQ(bench.issue(ready(1, 3)), warp(3));
}

TEST(StrictRoundRobin, IdlesWhileTheHolderOfTheTurnStalls) {
  IssueBench bench{"srr", warps(3)};
  EXPECT_EQ(bench.issue(ready(0, 1, 2)), warp(0));
  EXPECT_EQ(bench.issue(ready(0, 2)), WarpSlot::none);  // 1 has the turn
  EXPECT_EQ(bench.issue(ready(0, 2)), WarpSlot::none);
  EXPECT_EQ(bench.issue(ready(0, 1, 2)), warp(1));
  EXPECT_EQ(bench.issue(ready(0, 1, 2)), warp(2));
  EXPECT_EQ(bench.issue(ready(0, 1, 2)), warp(0));
}

TEST(StrictRoundRobin, MovesOnAfterAnIssueAlsoWhenNothingCanIssueNext) {
  IssueBench bench{"srr", warps(3)};
  bench.issue(ready(0));
  bench.issue(ready());
  EXPECT_EQ(bench.issue(ready(0, 1)), warp(1));
}

TEST(StrictRoundRobin, SkipsWarpsAtABarrier) {
  IssueBench bench{"srr", warps(3)};
  EXPECT_EQ(bench.issue(ready(0, 1, 2)), warp(0));
  bench.enter_barrier(warp(0));
  EXPECT_EQ(bench.issue(ready(1, 2)), warp(1));
  bench.enter_barrier(warp(1));
  EXPECT_EQ(bench.issue(ready(2)), warp(2));
  EXPECT_EQ(bench.issue(ready(2)),
            warp(2));  // alone outside the barrier: the turn comes back to it
  bench.leave_barrier(warp(0));
  bench.leave_barrier(warp(1));
  EXPECT_EQ(bench.issue(ready(0, 1, 2)), warp(0));
}

TEST(StrictRoundRobin, SkipsFinishedWarps) {
  IssueBench bench{"srr", warps(3)};
  bench.issue(ready(0, 1, 2));
  bench.issue(ready(1, 2));
  bench.exit(warp(1));
  EXPECT_EQ(bench.issue(ready(0, 2)), warp(2));
  EXPECT_EQ(bench.issue(ready(0, 2)), warp(0));
  EXPECT_EQ(bench.issue(ready(0, 2)), warp(2));
}

}  // namespace heddle::sched
