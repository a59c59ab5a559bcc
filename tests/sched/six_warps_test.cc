// The example of LFWS (Liu et al., IEICE 2023), figure 1: six warps with long (L) and short (S)
// operations, one issue per cycle. Every operation depends on the one before it. The latency is 10
// cycles for a long operation and 1 for a short one. The total ends with the last operation; its
// cycles without one of the 24 issues are stalls.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>

#include "tests/sched/issue_bench.h"

namespace heddle::sched {
namespace {

constexpr int kLongLatency = 10, kOperations = 24;
constexpr std::array<std::string_view, 6> kPrograms = {"LLSL", "SSLL", "LLSL",
                                                       "SSLL", "LLSL", "LLSL"};

struct Schedule {
  std::string order;  // "1:w1 2:w2 ...", warps counted from 1 as in the figure
  std::uint64_t total = 0;
  bool operator==(const Schedule&) const = default;
};

Schedule run(const std::string& policy) {
  IssueBench bench{policy, warps(6)};
  std::array<std::size_t, 6> position{};
  std::array<std::uint64_t, 6> ready_at{};
  Schedule schedule;
  int left = kOperations;
  for (std::uint64_t cycle = 1; left > 0 && cycle < 1000; ++cycle) {
    WarpMask issuable, blocked, long_heads;
    for (int w = 0; w < 6; ++w) {
      if (position[w] == kPrograms[w].size()) continue;
      (ready_at[w] <= cycle ? issuable : blocked).set(warp(w));
      long_heads.assign(warp(w), kPrograms[w][position[w]] == 'L');
    }
    bench.wait_for_long(blocked);  // short operations never block
    bench.long_heads(long_heads);
    const WarpSlot picked = bench.issue(issuable);
    if (!picked) continue;
    const int w = picked.index;
    const bool is_long = kPrograms[w][position[w]] == 'L';
    ready_at[w] = cycle + (is_long ? kLongLatency : 1);
    schedule.total = std::max(schedule.total, ready_at[w] - 1);
    schedule.order +=
        (schedule.order.empty() ? "" : " ") + std::to_string(cycle) + ":w" + std::to_string(w + 1);
    if (++position[w] == kPrograms[w].size()) bench.exit(picked);
    --left;
  }
  EXPECT_EQ(left, 0) << "the schedule does not end";
  return schedule;
}

}  // namespace

TEST(SixWarps, StrictRoundRobinTakes45CyclesAnd21Stalls) {
  EXPECT_EQ(run("srr"),
            (Schedule{"1:w1 2:w2 3:w3 4:w4 5:w5 6:w6 11:w1 12:w2 13:w3 14:w4 15:w5 16:w6 21:w1 "
                      "22:w2 23:w3 24:w4 25:w5 26:w6 27:w1 32:w2 33:w3 34:w4 35:w5 36:w6",
                      45}));
}

TEST(SixWarps, LooseRoundRobinTakes37CyclesAnd13Stalls) {
  EXPECT_EQ(run("lrr"),
            (Schedule{"1:w1 2:w2 3:w3 4:w4 5:w5 6:w6 7:w2 8:w4 9:w2 10:w4 11:w1 13:w3 15:w5 16:w6 "
                      "19:w2 20:w4 21:w1 22:w1 23:w3 24:w3 25:w5 26:w6 27:w5 28:w6",
                      37}));
}

TEST(SixWarps, GreedyThenOldestTakes41CyclesAnd17Stalls) {
  EXPECT_EQ(run("gto"),
            (Schedule{"1:w1 2:w2 3:w2 4:w2 5:w3 6:w4 7:w4 8:w4 9:w5 10:w6 11:w1 14:w2 15:w3 18:w4 "
                      "19:w5 20:w6 21:w1 22:w1 25:w3 26:w3 29:w5 30:w5 31:w6 32:w6",
                      41}));
}

TEST(SixWarps, GreedyThenRoundRobinAndOldestFirstTakeAsLongAsGreedyThenOldest) {
  EXPECT_EQ(run("gtrr").total, 41u);
  EXPECT_EQ(run("oldest").total, 41u);
}

TEST(SixWarps, LongOperationsFirstTakes37CyclesAnd13Stalls) {
  EXPECT_EQ(run("lfws"),
            (Schedule{"1:w1 2:w3 3:w5 4:w6 5:w2 6:w2 7:w2 8:w4 9:w4 10:w4 11:w1 12:w3 13:w5 14:w6 "
                      "17:w2 20:w4 21:w1 22:w1 23:w3 24:w3 25:w5 26:w5 27:w6 28:w6",
                      37}));
}

TEST(SixWarps, LocalityProtectedInsertionTakes41CyclesWithEitherInsertion) {
  EXPECT_EQ(run("lpi:inserted=blocked").total, 41u);
  EXPECT_EQ(run("lpi").total, 41u);
}

TEST(SixWarps, LlosTakes37Cycles) { EXPECT_EQ(run("llos").total, 37u); }

TEST(SixWarps, TwoLevelTakes40And39And37CyclesWithTwoThreeAndFourActiveWarps) {
  EXPECT_EQ(run("two-level:max_active=2,promote_only_eligible=yes").total, 40u);
  EXPECT_EQ(run("two-level:max_active=3,promote_only_eligible=yes").total, 39u);
  EXPECT_EQ(run("two-level:max_active=4,promote_only_eligible=yes").total, 37u);
}

TEST(SixWarps, TwoLevelOfReadyWarpsTakesAsLongAsWithoutLongWaits) {
  for (const char* size : {"2", "3", "4"}) {
    const std::string text = std::string("two-level:promote_only_eligible=yes,max_active=") + size;
    EXPECT_EQ(run(text + ",demoted=not_ready").total, run(text).total) << size;
  }
}

TEST(SixWarps, TwoLevelOptTakes39And37And37CyclesWithTwoThreeAndFourActiveWarps) {
  EXPECT_EQ(run("two-level-opt:max_active=2,promote_only_eligible=yes").total, 39u);
  EXPECT_EQ(run("two-level-opt:max_active=3,promote_only_eligible=yes").total, 37u);
  EXPECT_EQ(run("two-level-opt:max_active=4,promote_only_eligible=yes").total, 37u);
}

TEST(SixWarps, AStaticLimitOfAllWarpsIsItsOrder) {
  EXPECT_EQ(run("swl:warps=6").order, run("gto").order);
  EXPECT_EQ(run("swl:warps=6+lrr").order, run("lrr").order);
  EXPECT_EQ(run("swl:warps=64+srr").order, run("srr").order);
}

TEST(SixWarps, CcwsWithoutLostLocalityIsGreedyThenOldest) {
  EXPECT_EQ(run("ccws").order, run("gto").order);
}

}  // namespace heddle::sched
