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
    op.executed = second_lanes, op.sequence = 2;
    return law.issue(op, second_lanes, 0, 13);
  }
};

TEST(ControlLaw, AValueOfFixedLatencyIsReadWhenItIsReady) {
  Pair pair{make(OpClass::fp_fma, {1}, {2}), make(OpClass::fp_add, {2}, {3})};
  EXPECT_EQ(pair.violations(3), 1u);
  EXPECT_EQ(pair.violations(4), 0u);
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

TEST(ControlLaw, OtherLanesMayDoTheSame) {
  Pair pair{make(OpClass::fp_fma, {1}, {2}), make(OpClass::fp_add, {2}, {3})};
  pair.first_lanes = LaneMask{0x0000ffff};
  pair.second_lanes = LaneMask{0xffff0000};
  EXPECT_EQ(pair.violations(1), 0u);
}

}  // namespace
}  // namespace heddle::sm::test
