#include <gtest/gtest.h>

#include "mem/victim_list.h"
#include "tests/sched/issue_bench.h"

namespace heddle::sched {
namespace {

sm::L1Access l1_access(int w, std::uint64_t line, sm::L1Outcome outcome, int owner, Cycle now) {
  return {warp(w), 0, LineAddress{line * kLineBytes}, true, outcome, warp(owner), false, now};
}

}  // namespace

TEST(VictimList, DistinguishesLinesLostByTheSameAndByOtherWarps) {
  mem::VictimList<WarpSlot> list{16, kLineBytes};
  list.insert(LineAddress{5 * kLineBytes}, warp(1));
  EXPECT_TRUE(list.find(LineAddress{5 * kLineBytes}, warp(1)).own);
  EXPECT_FALSE(list.find(LineAddress{5 * kLineBytes}, warp(1)).other);
  EXPECT_TRUE(list.find(LineAddress{5 * kLineBytes}, warp(2)).other);
  EXPECT_FALSE(list.find(LineAddress{6 * kLineBytes}, warp(2)).other);
  for (std::uint64_t i = 1; i <= 8; ++i)
    list.insert(LineAddress{(5 + 2 * i) * kLineBytes}, warp(3));  // all of its set
  EXPECT_FALSE(list.find(LineAddress{5 * kLineBytes}, warp(1)).own);
}

TEST(AdaptLocal, UsesRoundRobinForAPeriodWhenOthersLinesAreReusedMore) {
  IssueBench bench{"adapt-local:period=10,hits=yes", warps(4)};
  EXPECT_EQ(bench.issue(warps(4)), warp(0));
  EXPECT_EQ(bench.issue(warps(4)), warp(0));  // greedy at first
  bench.l1_access(l1_access(0, 1, sm::L1Outcome::hit, 0, bench.now()));
  bench.l1_access(l1_access(0, 2, sm::L1Outcome::hit, 3, bench.now()));
  bench.l1_evict({LineAddress{9 * kLineBytes}, warp(2), 0});
  bench.l1_access(l1_access(1, 9, sm::L1Outcome::miss, 0,
                            bench.now()));  // a line that another warp lost: 2 to 1
  bench.idle(8);
  EXPECT_EQ(bench.issue(warps(4)), warp(1));
  EXPECT_EQ(bench.issue(warps(4)), warp(2));
  bench.l1_access(
      l1_access(2, 9, sm::L1Outcome::miss, 0, bench.now()));  // a line that it lost itself
  bench.idle(8);
  EXPECT_EQ(bench.issue(warps(4)), bench.issue(warps(4)));
}

TEST(AdaptLocal, ThePeriodStartsWithTheFirstPick) {
  IssueBench bench{"adapt-local:period=10,hits=yes", warps(4)};
  bench.idle(7);
  EXPECT_EQ(bench.issue(warps(4)), warp(0));
  bench.l1_access(l1_access(0, 2, sm::L1Outcome::hit, 3, bench.now()));
  bench.idle(8);
  EXPECT_EQ(bench.issue(warps(4)), warp(0));  // cycle 16
  EXPECT_EQ(bench.issue(warps(4)), warp(1));
}

TEST(AdaptLocal, CountsPendingHitsUnlessSwitchedOff) {
  for (const bool pending : {true, false}) {
    IssueBench bench{
        pending ? "adapt-local:period=4,hits=yes" : "adapt-local:period=4,hits=yes,pending=no",
        warps(4)};
    bench.issue(warps(4));
    bench.l1_access(l1_access(0, 1, sm::L1Outcome::hit, 0, bench.now()));  // reuse of an own line
    for (const int w : {2, 3})  // of the line that warp 0 fetches
      bench.l1_access(l1_access(w, 5, sm::L1Outcome::hit_reserved, 0, bench.now()));
    bench.idle(3);
    EXPECT_EQ(bench.issue(warps(4)), warp(pending ? 1 : 0));
    bench.l1_access(l1_access(0, 5, sm::L1Outcome::hit_reserved, 0, bench.now()));  // its own fetch
    bench.idle(4);
    EXPECT_EQ(bench.issue(warps(4)), bench.issue(warps(4)));
  }
}

TEST(AdaptLocal, CountsReuseInTheL2UnlessSwitchedOff) {
  for (const bool l2 : {true, false}) {
    IssueBench bench{l2 ? "adapt-local:period=4,hits=yes" : "adapt-local:period=4,hits=yes,l2=no",
                     warps(4)};
    bench.issue(warps(4));
    bench.l1_access(l1_access(0, 1, sm::L1Outcome::hit, 0, bench.now()));  // reuse of an own line
    bench.l2_reuse({warp(0), false, bench.now()});
    bench.l2_reuse({warp(2), false, bench.now()});
    bench.idle(3);
    EXPECT_EQ(bench.issue(warps(4)), warp(l2 ? 1 : 0));
    bench.l2_reuse({warp(2), true, bench.now()});  // only its own line: greedy again
    bench.idle(4);
    EXPECT_EQ(bench.issue(warps(4)), bench.issue(warps(4)));
  }
}

TEST(AdaptLocal, CountsLostLinesOnlyByDefault) {
  for (const bool hits : {true, false}) {
    IssueBench bench{hits ? "adapt-local:period=4,hits=yes" : "adapt-local:period=4", warps(4)};
    bench.issue(warps(4));
    for (const auto outcome : {sm::L1Outcome::hit, sm::L1Outcome::hit_reserved})
      bench.l1_access(l1_access(0, 2, outcome, 3, bench.now()));  // lines of another warp
    bench.l2_reuse({warp(0), false, bench.now(), 0, false});
    bench.idle(3);
    EXPECT_EQ(bench.issue(warps(4)), warp(hits ? 1 : 0));
    bench.l1_access(l1_access(0, 2, sm::L1Outcome::hit, 0, bench.now()));  // an own line
    bench.l2_reuse({warp(0), true, bench.now(), 0, false});
    bench.l2_reuse({warp(0), false, bench.now(), 0, true});  // lost, brought in by another SM
    bench.idle(4);
    const WarpSlot next = bench.issue(warps(4));
    EXPECT_EQ(bench.issue(warps(4)) == next, hits);  // greedy keeps its warp
  }
}

TEST(AdaptLocal, StartsEachKernelGreedy) {
  IssueBench bench{"adapt-local:period=4,hits=yes", warps(4)};
  bench.issue(warps(4));
  bench.l1_access(l1_access(0, 2, sm::L1Outcome::hit, 3, bench.now()));
  bench.idle(3);
  EXPECT_EQ(bench.issue(warps(4)), warp(1));
  bench.l1_access(l1_access(0, 2, sm::L1Outcome::hit, 3, bench.now()));
  bench.kernel(sm::KernelEvent::What::start);
  EXPECT_EQ(bench.issue(warps(4)), warp(1));
  EXPECT_EQ(bench.issue(warps(4)), warp(1));
  bench.idle(2);  // a period without events of this kernel
  EXPECT_EQ(bench.issue(warps(4)), warp(1));
  EXPECT_EQ(bench.issue(warps(4)), warp(1));
}

}  // namespace heddle::sched
