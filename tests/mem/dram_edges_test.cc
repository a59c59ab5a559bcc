#include "mem/dram_edges.h"

#include <gtest/gtest.h>

namespace heddle::mem {
namespace {

// 25 core cycles last as long as 33 of DRAM, whose period is 25 time units, that of the core 33.
config::GpuSpec with_clocks(bool summed) {
  config::GpuSpec spec;
  spec.memory.summed_clocks = summed;
  return spec;
}
DramEdges edges(bool summed) {
  const config::GpuSpec spec = with_clocks(summed);
  return {Clocks(spec.clocks), spec};
}

// The sums of 1 / 924 MHz and 1 / 700 MHz in double precision: 33 times the one are less than 25
// times the other, 99 times are more than 75 times.
TEST(DramEdges, SumsOfPeriodsOrderTheEdgesThatShouldCoincide) {
  DramEdges exact = edges(false), summed = edges(true);
  for (const std::uint64_t cycle : {0, 1, 32, 33, 66, 99, 132})
    EXPECT_EQ(exact.at(cycle), cycle * 25);
  EXPECT_EQ(summed.at(0), 0u);
  EXPECT_EQ(summed.at(32), 32u * 25);
  EXPECT_EQ(summed.at(33), 33u * 25 - 1);
  EXPECT_EQ(summed.at(66), 66u * 25 - 1);
  EXPECT_EQ(summed.at(99), 99u * 25 + 1);
}

TEST(DramEdges, TheFirstEdgeAtOrAfterATimeKnowsTheirOrder) {
  for (const std::uint64_t cycle : {33u, 99u, 3300u, 33000u}) {
    for (const std::int64_t offset : {-2, -1, 0, 1, 2}) {
      DramEdges all = edges(true);
      Edge edge{25};
      const Time t = all.at(cycle) + static_cast<Time>(offset);
      all.skip_to(edge, t);
      EXPECT_GE(edge.time, t);
      EXPECT_LT(all.at(edge.cycle - 1), t);
      EXPECT_EQ(edge.time, all.at(edge.cycle));
    }
  }
}

TEST(DramEdges, AClockThatStartsAgainHasTheSameOrder) {
  DramEdges again = edges(true);
  again.restart(50, 7 * 33);
  for (const std::uint64_t cycle : {0u, 5u, 33u, 99u})
    EXPECT_EQ(again.at(50 + cycle), 7 * 33 + edges(true).at(cycle));
}

// At an edge before the third core cycle two have ended, at one after it three.
TEST(DramEdges, ADelayCountsTheCoreCyclesThatHaveEnded) {
  EXPECT_EQ(edges(false).after_core_cycles(100, 10), 100u + 10 * 33);
  EXPECT_EQ(edges(true).after_core_cycles(2 * 33 - 1, 10), 11u * 33 + 1);
  EXPECT_EQ(edges(true).after_core_cycles(2 * 33, 10), 11u * 33 + 1);
  EXPECT_EQ(edges(true).after_core_cycles(2 * 33 + 1, 10), 12u * 33 + 1);
}

}  // namespace
}  // namespace heddle::mem
