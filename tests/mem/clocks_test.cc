#include "mem/clocks.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace heddle::mem
