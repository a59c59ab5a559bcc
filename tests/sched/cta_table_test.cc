#include "sched/framework/cta_table.h"

#include <gtest/gtest.h>

#include "tests/sched/issue_bench.h"

namespace heddle::sched {
namespace {

// Launches a warp of a CTA; its age is its slot. Returns the CTA's number.
int launch(CtaTable& table, int slot, std::uint64_t cta, bool first) {
  bool is_new = false;
  const int number =
      table.launch({warp(slot), static_cast<std::uint32_t>(slot), cta, true, Cycle{}}, is_new);
  EXPECT_EQ(is_new, first);
  return number;
}

}  // namespace

TEST(CtaTable, NumbersCtasInOrderOfTheirFirstWarps) {
  CtaTable table;
  EXPECT_EQ(launch(table, 3, 70, true), 0);
  EXPECT_EQ(launch(table, 5, 71, true), 1);
  EXPECT_EQ(launch(table, 4, 70, false), 0);
  EXPECT_EQ(table[0].linear, 70u);
  EXPECT_EQ(table[0].age, 3u);
  EXPECT_EQ(table[0].warps, ready(3, 4));
  EXPECT_EQ(table.of(warp(5)), 1);
  EXPECT_EQ(table.of(warp(6)), -1);
}

TEST(CtaTable, GivesTheLowestFreeNumberToANewCta) {
  CtaTable table;
  launch(table, 0, 70, true);
  launch(table, 1, 71, true);
  EXPECT_EQ(table.exit(warp(0)), 0);
  EXPECT_TRUE(table[0].warps.none());
  EXPECT_EQ(table.of(warp(0)), -1);
  EXPECT_EQ(table.exit(warp(0)), -1);
  EXPECT_EQ(launch(table, 0, 72, true), 0);
  EXPECT_EQ(table[0].linear, 72u);
}

}  // namespace heddle::sched
