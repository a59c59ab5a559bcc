#include "sm/issue/unit_gates.h"

#include <gtest/gtest.h>

namespace heddle::sm {
namespace {

constexpr std::size_t kInt = static_cast<std::size_t>(index(UnitClass::int_));

TEST(UnitGates, ABusyUnitOpensInTheCycleInWhichItIsFree) {
  LatchSets gates;
  UnitGates units(gates, 8);
  units.open(Cycle{10});
  units.occupy(1, UnitClass::int_, Cycle{12});
  units.open(Cycle{11});
  EXPECT_FALSE(gates.has_room(kInt, 1));
  EXPECT_TRUE(gates.has_room(kInt, 0));
  EXPECT_EQ(units.next_opening(), Cycle{12});
  units.open(Cycle{12});
  EXPECT_TRUE(gates.has_room(kInt, 1));
  EXPECT_EQ(units.next_opening(), Cycle::never());
}

TEST(UnitGates, OpensWhatBecameFreeInCyclesThatWereSkipped) {
  LatchSets gates;
  UnitGates units(gates, 8);
  units.open(Cycle{10});
  units.occupy(0, UnitClass::int_, Cycle{12});
  units.occupy(0, UnitClass::dp, Cycle{16});
  units.open(Cycle{1000});
  EXPECT_EQ(gates.full(0), 0u);
  units.occupy(0, UnitClass::int_, Cycle{1002});
  units.open(Cycle{1001});
  EXPECT_FALSE(gates.has_room(kInt, 0));
}

TEST(UnitGates, KeepsUnitsClosedUntilTheSubCoreSaysOtherwise) {
  LatchSets gates;
  UnitGates units(gates, 8);
  units.close(2, 1u << kInt);
  units.open(Cycle{1});
  EXPECT_EQ(gates.full(2), 1u << kInt);
  EXPECT_EQ(gates.full(1), 0u);
  units.close(2, 0);
  units.open(Cycle{2});
  EXPECT_EQ(gates.full(2), 0u);
}

}  // namespace
}  // namespace heddle::sm
