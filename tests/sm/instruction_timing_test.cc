#include "sm/warp/instruction_timing.h"

#include <gtest/gtest.h>

#include "tests/sm/bench.h"

namespace heddle::sm::test {
namespace {

using isa::OpClass;

TEST(InstructionTiming, TheIntervalOfMatrixInstructionsIsProportionalToTheirWork) {
  config::SmSpec spec = gtx480().sm;
  spec.units.tensor = 4;
  spec.tensor_latency = spec.tensor_interval = 64;
  const auto interval = [&](std::uint32_t work) {
    isa::Instruction i = make(OpClass::tensor);
    i.matrix_work = work;
    EXPECT_EQ(timing_of(i, spec).latency, 64u);
    return timing_of(i, spec).interval;
  };
  EXPECT_EQ(interval(16 * 16 * 16 * 16), 64u);
  EXPECT_EQ(interval(8 * 32 * 16 * 8), 32u);
  EXPECT_EQ(interval(16 * 8 * 4 * 32), 16u);
}

TEST(InstructionTiming, AProductOfAWarpgroupTakesHalfTheTimeOfAWarpsProducts) {
  config::SmSpec spec = gtx480().sm;
  spec.tensor_latency = 32, spec.tensor_interval = 16;  // those of an H200
  isa::Instruction i = make(OpClass::tensor);
  i.copy = isa::CopyStep::product;
  i.matrix_work = 16 * 256 * 16 * 16;  // one warp's part of m64n256k16
  EXPECT_EQ(timing_of(i, spec).interval, 128u);
  EXPECT_EQ(timing_of(i, spec).latency, 128u);
  i.matrix_work /= 32;  // m64n8k16
  EXPECT_EQ(timing_of(i, spec).interval, 4u);
  EXPECT_EQ(timing_of(i, spec).latency, 32u);
}

TEST(InstructionTiming, TwentyFourBitMultiplicationsTakeOneCycleMore) {
  const config::SmSpec spec = gtx480().sm;
  for (const OpClass c : {OpClass::int_mul, OpClass::int_mad}) {
    isa::Instruction i = make(c);
    const InstructionTiming whole = timing_of(i, spec);
    i.minor_opcode = true;
    EXPECT_EQ(timing_of(i, spec).latency, whole.latency + 1);
    EXPECT_EQ(timing_of(i, spec).interval, whole.interval + 1);
  }
}

TEST(InstructionTiming, MinorOpcodesTakeACycleOnTheSpWhereTheTableLacksThem) {
  config::SmSpec spec = gtx480().sm;
  spec.products.integers_on_sfu = spec.products.minor_in_a_cycle = true;
  for (const OpClass c : {OpClass::int_mul, OpClass::int_mad, OpClass::int_div}) {
    isa::Instruction i = make(c);
    EXPECT_EQ(timing_of(i, spec).unit, UnitClass::sfu);
    i.minor_opcode = true;
    EXPECT_EQ(timing_of(i, spec).unit, UnitClass::sp);
    EXPECT_EQ(timing_of(i, spec).latency, 1u);
    EXPECT_EQ(timing_of(i, spec).interval, 1u);
  }
}

TEST(InstructionTiming, ALooseAtomicHasNoAddressAmongItsRegisters) {
  config::SmSpec spec = gtx480().sm;
  for (const std::uint16_t base : {std::uint16_t{1}, std::uint16_t{200}}) {
    isa::Instruction i = make(OpClass::atomic, {base, 2}, {3});
    i.space = isa::Space::global;
    i.base_register = base;
    i.not_values = 1;
    Scoreboard scoreboard(1);
    scoreboard.resize(256);
    scoreboard.reserve(WarpSlot{0}, RegisterUse(make(OpClass::alu, {}, {base})));
    for (const bool loose : {false, true}) {
      spec.flow.loose_atomics = loose;
      const InstructionTiming t = timing_of(i, spec);
      EXPECT_EQ(scoreboard.conflicts(WarpSlot{0}, t.registers), !loose);
      EXPECT_EQ(t.operand_count, loose ? 1 : 2);
      EXPECT_EQ(t.registers.is_long_load, loose);
    }
    i.not_values = 0;  // also what is added
    EXPECT_TRUE(scoreboard.conflicts(WarpSlot{0}, timing_of(i, spec).registers));
  }
}

TEST(InstructionTiming, EachClassUsesItsOwnUnitWhereTheMachineHasOne) {
  config::SmSpec few = gtx480().sm, many = few;
  many.units = {4, 4, 4, 4, 1, 4};
  struct {
    OpClass c;
    UnitClass own, fallback;
  } cases[] = {{OpClass::int_add, UnitClass::int_, UnitClass::sp},
               {OpClass::fp_mad, UnitClass::sp, UnitClass::sp},
               {OpClass::dp_add, UnitClass::dp, UnitClass::sfu},
               {OpClass::sfu, UnitClass::sfu, UnitClass::sfu},
               {OpClass::tensor, UnitClass::tensor, UnitClass::tensor},
               {OpClass::load, UnitClass::mem, UnitClass::mem}};
  for (const auto& c : cases) {
    EXPECT_EQ(timing_of(make(c.c), many).unit, c.own);
    EXPECT_EQ(timing_of(make(c.c), few).unit, c.fallback);
  }
}

TEST(InstructionTiming, FmaHasItsOwnEntryOrThatOfMad) {
  config::SmSpec spec = gtx480().sm;
  EXPECT_EQ(timing_of(make(OpClass::fp_fma), spec).latency, 5u);
  EXPECT_EQ(timing_of(make(OpClass::dp_fma), spec).latency, 8u);
  spec.fp_op.latency[5] = spec.fp_op.interval[5] = 1;
  EXPECT_EQ(timing_of(make(OpClass::fp_fma), spec).latency, 1u);
  EXPECT_EQ(timing_of(make(OpClass::fp_mad), spec).latency, 5u);
}

TEST(InstructionTiming, IntegerProductsExecuteOnTheSfuWhereTheMachineSaysSo) {
  config::SmSpec spec = gtx480().sm;
  EXPECT_EQ(timing_of(make(OpClass::int_mad), spec).unit, UnitClass::sp);
  spec.products.integers_on_sfu = true;
  EXPECT_EQ(timing_of(make(OpClass::int_mul), spec).unit, UnitClass::sfu);
  EXPECT_EQ(timing_of(make(OpClass::int_mad), spec).unit, UnitClass::sfu);
  EXPECT_EQ(timing_of(make(OpClass::int_add), spec).unit, UnitClass::sp);
  EXPECT_EQ(timing_of(make(OpClass::fp_mul), spec).unit, UnitClass::sp);
}

TEST(InstructionTiming, WhereEitherUnitMultipliesF64ExecutesOnTheSp) {
  config::SmSpec spec = gtx480().sm;
  EXPECT_EQ(timing_of(make(OpClass::dp_add), spec).unit, UnitClass::sfu);
  EXPECT_FALSE(timing_of(make(OpClass::fp_mul), spec).may_use_sfu());
  spec.products.floats_on_either = true;
  EXPECT_EQ(timing_of(make(OpClass::dp_add), spec).unit, UnitClass::sp);
  EXPECT_EQ(timing_of(make(OpClass::dp_div), spec).unit, UnitClass::sfu);
  for (const OpClass c : {OpClass::fp_mul, OpClass::dp_mul}) {
    EXPECT_EQ(timing_of(make(c), spec).unit, UnitClass::sp);
    EXPECT_TRUE(timing_of(make(c), spec).may_use_sfu());
  }
  EXPECT_FALSE(timing_of(make(OpClass::fp_mad), spec).may_use_sfu());
}

TEST(InstructionTiming, ARegisterNamedTwiceIsReadOnceOrTwice) {
  config::SmSpec spec = gtx480().sm;
  isa::Instruction i = make(OpClass::fp_mad, {1, 2}, {1});
  i.operands = {0, 1, 1};
  i.operand_count = 3;
  EXPECT_EQ(timing_of(i, spec).operand_count, 2u);
  spec.duplicate_operands_read_twice = true;
  EXPECT_EQ(timing_of(i, spec).operand_count, 3u);
}

TEST(InstructionTiming, NamedRegistersUseTheDigitsOfTheirNames) {
  config::SmSpec spec = gtx480().sm;
  isa::Kernel kernel;
  kernel.instructions.push_back(make(OpClass::int_add, {0, 1}, {2}));
  kernel.register_names = {7, 7, 21};  // %r7, %rd7, %r21
  EXPECT_EQ(timing_of(kernel, spec)[0].operands[1], 1u);
  EXPECT_EQ(timing_of(kernel, spec)[0].results[0], 2u);
  spec.register_numbers = config::RegisterNumbers::named;
  EXPECT_EQ(timing_of(kernel, spec)[0].operands[0], 7u);
  EXPECT_EQ(timing_of(kernel, spec)[0].operands[1], 7u);
  EXPECT_EQ(timing_of(kernel, spec)[0].results[0], 21u);
}

}  // namespace
}  // namespace heddle::sm::test
