#include <gtest/gtest.h>

#include "tests/sched/issue_bench.h"

namespace heddle::sched {

TEST(Llos, AWarpThatStalledBeforeALongOperationIssuesFirst) {
  IssueBench bench{"llos", warps(4)};
  bench.long_heads(ready(3));
  EXPECT_EQ(bench.issue(ready(0, 1, 2)), warp(0));  // 3 is stalled: it guides from now on
  EXPECT_EQ(bench.issue(warps(4)), warp(3));
  bench.long_heads(ready());
  EXPECT_EQ(bench.issue(warps(4)), warp(1));  // the other warps continue in slot order
}

TEST(Llos, DetectsStallsInIdleCycles) {
  IssueBench bench{"llos", warps(4)};
  bench.long_heads(ready(2));
  bench.idle(1);
  EXPECT_EQ(bench.issue(warps(4)), warp(2));
}

TEST(Llos, OnlyReadsGuideUnlessAllLongOperationsDo) {
  isa::Instruction store;
  store.op_class = isa::OpClass::store;
  store.space = isa::Space::global;
  for (const bool all : {false, true}) {
    IssueBench bench{all ? "llos:guides=long_operations" : "llos", warps(4)};
    bench.long_heads(ready(3));
    bench.heads(&store);
    EXPECT_EQ(bench.issue(ready(0, 1, 2)), warp(0));
    EXPECT_EQ(bench.issue(warps(4)), warp(all ? 3 : 1));
  }
}

TEST(Llos, WithInstantMembershipIsLooseRoundRobin) {
  IssueBench bench{"llos:membership=instant", warps(4)}, lrr{"lrr", warps(4)};
  bench.long_heads(ready(1, 2));
  const WarpMask sets[] = {ready(0, 3), warps(4), ready(2, 3), warps(4), ready(0, 1)};
  for (const WarpMask set : sets) EXPECT_EQ(bench.issue(set), lrr.issue(set));
}

}  // namespace heddle::sched
