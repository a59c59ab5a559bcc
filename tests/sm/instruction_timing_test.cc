#include "sm/instruction_timing.h"

#include <gtest/gtest.h>

#include "tests/sm/bench.h"

namespace heddle::sm::test {
namespace {

using ptx::OpClass;

TEST(InstructionTiming, TheIntervalOfMatrixInstructionsIsProportionalToTheirWork) {
  config::SmSpec spec = gtx480().sm;
  spec.units.tensor = 4;
  spec.tensor_latency = spec.tensor_interval = 64;
  const auto interval = [&](std::uint32_t m, std::uint32_t n, std::uint32_t k, ptx::Type type) {
    ptx::Instruction i = make(OpClass::tensor);
    i.opcode = ptx::Opcode::mma;
    i.source_type = type;
    ptx::Matrix matrix;
    matrix.m = static_cast<std::uint16_t>(m), matrix.n = static_cast<std::uint16_t>(n);
    matrix.k = static_cast<std::uint16_t>(k);
    i.payload = matrix;
    EXPECT_EQ(timing_of(i, spec).latency, 64u);
    return timing_of(i, spec).interval;
  };
  EXPECT_EQ(interval(16, 16, 16, ptx::Type::f16), 64u);
  EXPECT_EQ(interval(8, 32, 16, ptx::Type::s8), 32u);
  EXPECT_EQ(interval(16, 8, 8, ptx::Type::bf16), 16u);
  EXPECT_EQ(interval(16, 8, 4, ptx::Type::tf32), 16u);
  EXPECT_EQ(interval(8, 8, 4, ptx::Type::f64), 16u);
}

TEST(InstructionTiming, TwentyFourBitMultiplicationsTakeOneCycleMore) {
  const config::SmSpec spec = gtx480().sm;
  const auto timing = [&](ptx::Opcode opcode, OpClass c) {
    ptx::Instruction i = make(c);
    i.opcode = opcode;
    return timing_of(i, spec);
  };
  EXPECT_EQ(timing(ptx::Opcode::mul24, OpClass::int_mul).latency,
            timing(ptx::Opcode::mul, OpClass::int_mul).latency + 1);
  EXPECT_EQ(timing(ptx::Opcode::mul24, OpClass::int_mul).interval,
            timing(ptx::Opcode::mul, OpClass::int_mul).interval + 1);
  EXPECT_EQ(timing(ptx::Opcode::mad24, OpClass::int_mad).latency,
            timing(ptx::Opcode::mad, OpClass::int_mad).latency + 1);
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

}  // namespace
}  // namespace heddle::sm::test
