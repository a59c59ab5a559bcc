#include <gtest/gtest.h>

#include "tests/sched/issue_bench.h"
#include "tests/sched/sm_run.h"
#include "tests/sm/guided_bench.h"

namespace heddle::sched {

TEST(Cggty, KeepsItsWarpUntilItStallsThenPicksTheYoungest) {
  IssueBench bench{"cggty", warps(4)};
  EXPECT_EQ(bench.issue(ready(0, 1, 2)), warp(2));
  EXPECT_EQ(bench.issue(ready(0, 2, 3)), warp(2));  // greedy: still ready, although 3 is younger
  EXPECT_EQ(bench.issue(ready(0, 1, 3)), warp(3));  // 2 stalled: the youngest issuable
  EXPECT_EQ(bench.issue(ready(2, 3)), warp(3));     // 3 is the greedy warp now
}

TEST(Cggty, MeasuresAgeByLaunchNotBySlot) {
  IssueBench bench{"cggty", warps(4)};
  bench.exit(warp(0));
  bench.launch(warp(0));
  EXPECT_EQ(bench.issue(ready(0, 3)), warp(0));
}

TEST(Cggty, VisitsTheGreedyWarpAndWarpsYoungerThanTheChosenOne) {
  IssueBench bench{"cggty", warps(6)};
  bench.issue(ready(1));
  EXPECT_EQ(bench.visited_before(warps(6), warp(1)), WarpMask{});
  EXPECT_EQ(bench.visited_before(warps(6), warp(4)), ready(1, 5));
}

// The core for which the order was found runs under every other policy, too.
TEST(Cggty, SharesItsCoreWithEveryPolicy) {
  SmRun run;
  run.gpu = sm::test::guided(2);
  for (std::uint16_t k = 0; k < 6; ++k) {
    run.code.push_back(sm::test::memory(isa::OpClass::load, isa::Space::global, {1},
                                        {static_cast<std::uint16_t>(2 + k)}));
    run.code.push_back(
        sm::test::make(isa::OpClass::fp_fma, {static_cast<std::uint16_t>(2 + k)}, {20}));
  }
  run.code.push_back(sm::test::exit());
  run.policy = "cggty";
  const SmOutcome expected = run_on_sm(run);
  for (const PolicyEntry& entry : PolicyEntry::catalogue()) {
    if (!parse_policy(entry.name)->missing_input().empty()) continue;
    run.policy = entry.name;
    const SmOutcome outcome = run_on_sm(run);
    EXPECT_EQ(outcome.stats.thread_instructions, expected.stats.thread_instructions) << entry.name;
    EXPECT_EQ(outcome.stats.control_violations, 0u) << entry.name;
    outcome.stats.check_conservation();
  }
}

}  // namespace heddle::sched
