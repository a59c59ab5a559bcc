#include "mem/clocks.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/diagnostics.h"

namespace heddle::mem {
namespace {

TEST(Clocks, PeriodsAreExactWhereTheFrequenciesHaveASmallCommonMultiple) {
  const Clocks c{{1400, 700, 933, 924}};
  EXPECT_EQ(c.icnt, 2 * c.core);
  EXPECT_EQ(c.l2 * 933, c.core * 1400);
  EXPECT_EQ(c.dram * 924, c.core * 1400);
}

TEST(Clocks, PeriodsAreRoundedWhereTheyHaveNone) {
  const Clocks c{{99991.001, 99989.003, 99971.007, 99961.009}};
  EXPECT_EQ(c.core, (Time{1} << 44) / 99991001);
  EXPECT_EQ(c.dram, (Time{1} << 44) / 99961009);
}

TEST(Clocks, FrequenciesOutOfRangeAreRefused) {
  EXPECT_THROW((Clocks{{1400, 700, 0, 924}}), UserError);
  EXPECT_THROW((Clocks{{1400, 700, 700, 100'001}}), UserError);
}

TEST(Edge, MovesToTheFirstEdgeAtOrAfterATimeAndNeverBack) {
  Edge edge{10};
  for (const Time t : {0, 1, 10, 39, 1000, 1001, 5}) {
    const Edge before = edge;
    edge.skip_to(t);
    EXPECT_EQ(edge.time, std::max(before.time, (t + 9) / 10 * 10));
    EXPECT_EQ(edge.time, edge.cycle * 10);
  }
}

TEST(CycleCounter, ACycleBeginsAtItsEdge) {
  CycleCounter cycles(10);
  EXPECT_EQ(cycles.at(0), Cycle{0});
  EXPECT_EQ(cycles.at(9), Cycle{0});
  EXPECT_EQ(cycles.at(10), Cycle{1});
  EXPECT_EQ(cycles.at(999), Cycle{99});
}

}  // namespace
}  // namespace heddle::mem
