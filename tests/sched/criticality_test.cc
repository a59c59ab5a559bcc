#include <gtest/gtest.h>

#include "tests/sched/issue_bench.h"

namespace heddle::sched {

TEST(CriticalityAware, IsGreedyThenTakesTheWarpWithTheMostBeforeIt) {
  IssueBench bench{"cawa", warps(3)};
  for (int w = 0; w < 3; ++w) bench.issue(ready(w));
  // Each has issued once: a branch over 5, 40 and 20 instructions.
  bench.policy().on_branch({warp(0), 0, LaneMask{}, LaneMask::all(), 6, 6});
  bench.policy().on_branch({warp(1), 0, LaneMask{}, LaneMask::all(), 41, 41});
  bench.policy().on_branch({warp(2), 0, LaneMask{}, LaneMask::all(), 21, 21});
  EXPECT_EQ(bench.issue(ready(0, 1, 2)), warp(2));  // issued last
  EXPECT_EQ(bench.issue(ready(0, 1)), warp(1));
  EXPECT_EQ(bench.issue(ready(0, 2)), warp(2));
}

// Warps with so many instructions before them, at so many cycles per instruction, that have stalled for so many: the example of the
// specification. Each has issued `committed` instructions without pause but for one, and last in cycle 360.
TEST(CriticalityAware, WeighsWhatIsAheadByThePaceAndAddsTheStalls) {
  struct Example { std::int64_t ahead; std::uint64_t pace, stalled; };
  const Example examples[] = {{50, 4, 120}, {80, 3, 40}, {20, 6, 300}};  // 320, 280, 420
  const auto last = [&](WarpMask among) {
    IssueBench bench{"cawa", warps(0)};
    for (int w = 0; w < 3; ++w) {
      const Example& e = examples[w];
      const std::uint64_t committed = e.stalled / (e.pace - 1), launched = 360 - e.pace * committed;
      bench.policy().on_warp({warp(w), static_cast<std::uint32_t>(w), 0, true, Cycle{launched}});
      const ptx::Instruction alu;
      for (std::uint64_t i = 1; i < committed; ++i) bench.policy().on_issue({Cycle{launched + i}, warp(w), &alu, 0, LaneMask::all()});
      bench.policy().on_issue({Cycle{360}, warp(w), &alu, 0, LaneMask::all()});
      const Pc length = static_cast<Pc>(e.ahead + static_cast<std::int64_t>(committed));
      bench.policy().on_branch({warp(w), 0, LaneMask{}, LaneMask::all(), length + 1, length + 1});
    }
    bench.policy().on_warp({warp(2), 2, 0, false, Cycle{360}});  // ends the greed for the warp that issued last
    bench.idle(360);
    return bench.issue(among);
  };
  EXPECT_EQ(last(ready(0, 1, 2)), warp(2));
  EXPECT_EQ(last(ready(0, 1)), warp(0));
}

TEST(CriticalityAware, CountsBothPathsOfADivergedBranchAndALoopsBody) {
  IssueBench bench{"cawa", warps(3)};
  for (int w = 0; w < 3; ++w) bench.issue(ready(w));
  bench.policy().on_branch({warp(0), 10, LaneMask::first(3), LaneMask::first(2), 31, 21});      // 10 + 20
  bench.policy().on_branch({warp(1), 50, LaneMask::all(), LaneMask{}, 51, 20});                 // back over 31
  bench.policy().on_branch({warp(2), 10, LaneMask::all(), LaneMask{}, 31, 21});                 // 10
  bench.exit(warp(2));
  EXPECT_EQ(bench.issue(ready(0, 1)), warp(1));
}

TEST(CriticalityAware, TakesTheOlderOfEqualWarps) {
  IssueBench bench{"cawa", warps(3)};
  EXPECT_EQ(bench.issue(ready(1, 2)), warp(1));
}

}  // namespace heddle::sched
