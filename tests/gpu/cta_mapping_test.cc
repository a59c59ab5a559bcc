// Algorithm 3 of Liu, Liu and Wang, EPiC 2019, as repaired.
#include "gpu/cta/cta_mapping.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace heddle::gpu {
namespace {

using analysis::Direction;
using Numbers = std::vector<std::uint64_t>;

std::vector<int> sms_of(const CtaMapping& mapping, std::uint64_t ctas) {
  std::vector<int> sms;
  for (std::uint64_t cta = 0; cta < ctas; ++cta) sms.push_back(mapping.sm_of(cta));
  return sms;
}

TEST(CtaMapping, DealsTheFiveByFiveExampleAlongX) {
  const CtaMapping mapping({5, 5}, 4, Direction::x, Dealing::balanced);
  EXPECT_EQ(sms_of(mapping, 25), (std::vector<int>{0, 0, 0, 0, 0,     //
                                                   1, 1, 1, 1, 1,     //
                                                   2, 2, 2, 2, 2,     //
                                                   3, 3, 3, 3, 3,     //
                                                   0, 0, 1, 2, 3}));  // loads 7 6 6 6
}

TEST(CtaMapping, TheLiteralDealingOfTheExampleRoundsUp) {
  const CtaMapping mapping({5, 5}, 4, Direction::x, Dealing::ceil);
  const std::vector<int> sms = sms_of(mapping, 25);
  EXPECT_EQ(std::vector<int>(sms.begin() + 20, sms.end()), (std::vector<int>{0, 0, 1, 1, 2}));
  EXPECT_EQ(mapping.count(0), 7u);
  EXPECT_EQ(mapping.count(1), 7u);
  EXPECT_EQ(mapping.count(2), 6u);
  EXPECT_EQ(mapping.count(3), 5u);
}

TEST(CtaMapping, AlongYTheExampleIsTransposed) {
  const CtaMapping x({5, 5}, 4, Direction::x, Dealing::balanced),
      y({5, 5}, 4, Direction::y, Dealing::balanced);
  for (std::uint64_t row = 0; row < 5; ++row)
    for (std::uint64_t column = 0; column < 5; ++column)
      EXPECT_EQ(x.sm_of(row * 5 + column), y.sm_of(column * 5 + row));
}

TEST(CtaMapping, AnSmStartsItsRowsInRowMajorAndItsColumnsInColumnMajorOrder) {
  const CtaMapping x({3, 4}, 2, Direction::x, Dealing::balanced);
  Numbers first;
  for (std::uint64_t i = 0; i < x.count(0); ++i) first.push_back(x.cta(0, i));
  EXPECT_EQ(first, (Numbers{0, 1, 2, 3, 4, 5}));
  const CtaMapping y({4, 3}, 2, Direction::y, Dealing::balanced);
  first.clear();
  for (std::uint64_t i = 0; i < y.count(0); ++i) first.push_back(y.cta(0, i));
  EXPECT_EQ(first, (Numbers{0, 4, 8, 1, 5, 9}));
}

TEST(CtaMapping, PlanesAreFurtherLines) {
  const CtaMapping x({2, 2, 2}, 2, Direction::x, Dealing::balanced);
  EXPECT_EQ(sms_of(x, 8), (std::vector<int>{0, 0, 0, 0, 1, 1, 1, 1}));
  const CtaMapping y({2, 3, 2}, 4, Direction::y, Dealing::balanced);
  EXPECT_EQ(y.cta(0, 2), 4u);  // (0, 2, 0)
  EXPECT_EQ(y.cta(1, 0), 1u);  // (1, 0, 0)
  EXPECT_EQ(y.cta(2, 0), 6u);  // (0, 0, 1)
}

// The formulas of the specification, for one CTA.
int expected_sm(Dim3 grid, int sms, Direction direction, Dealing dealing, std::uint32_t x,
                std::uint32_t y) {
  const int lines = static_cast<int>(direction == Direction::x ? grid.y : grid.x),
            length = static_cast<int>(direction == Direction::x ? grid.x : grid.y),
            line = static_cast<int>(direction == Direction::x ? y : x),
            position = static_cast<int>(direction == Direction::x ? x : y);
  const int a = lines / sms, full = a * sms, rest = (lines - full) * length;
  if (line < full) return line / a;
  const int e = (line - full) * length + position;
  return dealing == Dealing::balanced ? e * sms / rest : e / ((rest - 1) / sms + 1);
}

void check_grid(Dim3 grid, int sms, Direction direction, Dealing dealing) {
  const CtaMapping mapping(grid, sms, direction, dealing);
  std::vector<bool> seen(grid.count());
  std::uint64_t least = grid.count(), most = 0, all = 0;
  for (int sm = 0; sm < sms; ++sm) {
    const std::uint64_t count = mapping.count(sm);
    least = std::min(least, count), most = std::max(most, count), all += count;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t cta = mapping.cta(sm, i);
      ASSERT_LT(cta, grid.count());
      ASSERT_FALSE(seen[cta]) << "CTA " << cta << " is mapped twice";
      seen[cta] = true;
      ASSERT_EQ(mapping.sm_of(cta), sm);
      if (grid.z == 1) {
        ASSERT_EQ(
            sm, expected_sm(grid, sms, direction, dealing, static_cast<std::uint32_t>(cta % grid.x),
                            static_cast<std::uint32_t>(cta / grid.x)));
      }
    }
  }
  ASSERT_EQ(all, grid.count());
  if (dealing == Dealing::balanced) {
    ASSERT_LE(most - least, 1u);
  }
}

TEST(CtaMapping, MapsEveryCtaOfEveryGridOnceAndEvenly) {
  for (std::uint32_t x = 1; x <= 17; ++x)
    for (std::uint32_t y = 1; y <= 17; ++y)
      for (std::uint32_t z : {1u, 3u})
        for (const int sms : {1, 2, 3, 4, 5, 7, 15, 16, 28})
          for (const Direction direction : {Direction::x, Direction::y})
            for (const Dealing dealing : {Dealing::balanced, Dealing::ceil})
              ASSERT_NO_FATAL_FAILURE(check_grid({x, y, z}, sms, direction, dealing))
                  << x << "x" << y << "x" << z << " on " << sms << " SMs";
}

TEST(CtaMapping, HandlesGridsOfMoreThanFourBillionCtas) {
  const CtaMapping mapping({2147483647, 4}, 3, Direction::x, Dealing::balanced);
  const std::uint64_t last = std::uint64_t{2147483647} * 4 - 1;
  EXPECT_EQ(mapping.sm_of(last), 2);
  EXPECT_EQ(mapping.cta(2, mapping.count(2) - 1), last);
}

}  // namespace
}  // namespace heddle::gpu
