#include "sm/issue/control_law.h"

#include <gtest/gtest.h>

#include "tests/sm/guided_bench.h"

namespace heddle::sm::test {
namespace {

using isa::OpClass;
using isa::Space;

// Violations of a second instruction that issues `gap` cycles after the first.
struct Pair {
  isa::Instruction first, second;
  std::uint8_t first_counter = isa::ControlWord::kNone;
  LaneMask first_lanes = LaneMask::all(), second_lanes = LaneMask::all();
  LaneMask second_executed = LaneMask::all();
  bool read = false, complete = false;

  std::uint32_t violations(std::uint64_t gap) {
    first.control.write_barrier = first_counter;
    const InstructionTiming a = timing_of(first, guided().sm), b = timing_of(second, guided().sm);
    ControlLaw law;
    Op op;
    op.warp = WarpSlot{0};
    op.instruction = &first, op.timing = &a, op.issued = Cycle{100}, op.executed = first_lanes;
    op.sequence = 1;
    EXPECT_EQ(law.issue(op, first_lanes, 0, 13), 0u);
    if (read) law.read(op.warp, op.sequence);
    if (complete) law.complete(op);
    op.instruction = &second, op.timing = &b, op.issued = Cycle{100 + gap};
    op.executed = second_lanes & second_executed, op.sequence = 2;
    return law.issue(op, second_lanes, 0, 13);
  }
};

TEST(ControlLaw, AValueOfFixedLatencyIsReadWhenItIsReady) {
  Pair pair{make(OpClass::fp_fma, {1}, {2}), make(OpClass::fp_add, {2}, {3})};
  EXPECT_EQ(pair.violations(3), 1u);
  EXPECT_EQ(pair.violations(4), 0u);
}

// Registers from 128 on are in no set.
TEST(ControlLaw, OtherRegistersDoNotCountBeyondTheSetsEither) {
  Pair pair{make(OpClass::fp_fma, {1}, {2}), make(OpClass::fp_add, {258}, {3})};
  EXPECT_EQ(pair.violations(1), 0u);
  Pair load{memory(OpClass::load, Space::global, {1}, {2}), make(OpClass::fp_add, {258}, {257}), 0};
  EXPECT_EQ(load.violations(1), 0u);
}

TEST(ControlLaw, AGuardIsReadWhenItIsReady) {
  Pair pair{make(OpClass::alu, {1}, {2}), make(OpClass::fp_add, {2}, {3})};
  pair.second.guard_register = 2;
  EXPECT_EQ(pair.violations(12), 1u);
  EXPECT_EQ(pair.violations(13), 0u);
}

TEST(ControlLaw, ALoadedValueIsReadWhenItHasArrived) {
  Pair pair{memory(OpClass::load, Space::global, {1}, {2}), make(OpClass::fp_add, {2}, {3}), 0};
  EXPECT_EQ(pair.violations(1000), 1u);
  pair.complete = true;
  EXPECT_EQ(pair.violations(30), 0u);
}

TEST(ControlLaw, AResultDoesNotOvertakeAnOlderOne) {
  Pair pair{make(OpClass::dp_fma, {1}, {2}), make(OpClass::fp_add, {3}, {2})};
  EXPECT_EQ(pair.violations(3), 1u);  // 8 cycles, then 4
  EXPECT_EQ(pair.violations(4), 0u);
}

TEST(ControlLaw, ASourceOfAMemoryInstructionIsOverwrittenAfterItsRead) {
  Pair pair{memory(OpClass::store, Space::global, {1, 2}, {}), make(OpClass::fp_add, {3}, {2})};
  EXPECT_EQ(pair.violations(5), 1u);
  pair.read = true;
  EXPECT_EQ(pair.violations(5), 0u);
}

TEST(ControlLaw, InstructionsOfAWarpForOneUnitReadInOrder) {
  const isa::Instruction load = memory(OpClass::load, Space::shared, {1}, {2});
  const isa::Instruction later = memory(OpClass::load, Space::shared, {3}, {4});
  const isa::Instruction overwrite = make(OpClass::int_add, {3}, {1});
  ControlLaw law;
  Op op;
  op.warp = WarpSlot{0}, op.executed = LaneMask::all();
  const InstructionTiming first = timing_of(load, guided().sm);
  const InstructionTiming second = timing_of(later, guided().sm);
  const InstructionTiming third = timing_of(overwrite, guided().sm);
  op.instruction = &load, op.timing = &first, op.issued = Cycle{1}, op.sequence = 1;
  EXPECT_EQ(law.issue(op, LaneMask::all(), 0, 13), 0u);
  op.instruction = &later, op.timing = &second, op.issued = Cycle{2}, op.sequence = 2;
  EXPECT_EQ(law.issue(op, LaneMask::all(), 0, 13), 0u);
  law.complete(op);
  op.instruction = &overwrite, op.timing = &third, op.issued = Cycle{30}, op.sequence = 3;
  EXPECT_EQ(law.issue(op, LaneMask::all(), 0, 13), 0u);
}

TEST(ControlLaw, AProductOf64BitsMakesItsLowerHalfFirst) {
  Pair lower{make(OpClass::int_mad, {1, 2}, {4, 5}), make(OpClass::int_add, {4}, {6})};
  EXPECT_EQ(lower.violations(2), 1u);
  EXPECT_EQ(lower.violations(3), 0u);
  Pair upper{make(OpClass::int_mad, {1, 2}, {4, 5}), make(OpClass::int_add, {5}, {6})};
  EXPECT_EQ(upper.violations(3), 1u);
}

TEST(ControlLaw, AProductOf64BitsReadsItsUpperAddendLater) {
  Pair pair{make(OpClass::int_add, {1}, {7}), make(OpClass::int_mad, {2, 3, 6, 7}, {4, 5})};
  EXPECT_EQ(pair.violations(1), 1u);
  EXPECT_EQ(pair.violations(2), 0u);
}

TEST(ControlLaw, LanesWhoseGuardIsFalseReadNothingElse) {
  Pair pair{make(OpClass::fp_fma, {1}, {2}), make(OpClass::fp_add, {2}, {3})};
  pair.second_executed = LaneMask{};
  EXPECT_EQ(pair.violations(1), 0u);
}

TEST(ControlLaw, OtherLanesMayDoTheSame) {
  Pair pair{make(OpClass::fp_fma, {1}, {2}), make(OpClass::fp_add, {2}, {3})};
  pair.first_lanes = LaneMask{0x0000ffff};
  pair.second_lanes = LaneMask{0xffff0000};
  EXPECT_EQ(pair.violations(1), 0u);
}

}  // namespace
}  // namespace heddle::sm::test
