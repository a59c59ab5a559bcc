#include "sass/timing_fields.h"

#include <gtest/gtest.h>

#include "sass/decode.h"
#include "sass/ptx_fields.h"

namespace heddle::sass {
namespace {

KernelInstruction instruction_of(std::uint64_t low, std::uint64_t high) {
  KernelInstruction i;
  i.code = std::get<Instruction>(decode({low, high}, 80, 0));
  return i;
}
// LDG.E.128 R4, [R2.64]
KernelInstruction load() { return instruction_of(0x0000000402047981, 0x001ea2000c1e1d00); }

TEST(TimingFields, ALoadOf128BitsWritesFourRegistersAndReadsAPairAsItsBase) {
  KernelInstruction i = load();
  RegisterNumbering numbers;
  count_registers(i.code, numbers);
  EXPECT_EQ(numbers.registers, 8);
  EXPECT_EQ(numbers.uniform_registers, 6);  // the descriptor in UR4 and UR5
  set_timing_fields(i, numbers);
  EXPECT_EQ(i.op_class, isa::OpClass::load);
  EXPECT_EQ(i.space, isa::Space::global);
  EXPECT_EQ(i.access_bytes * i.vector, 16);
  EXPECT_EQ(i.write_count, 4);
  EXPECT_EQ(i.base_register, 2);
  EXPECT_FALSE(i.reads_value(0));
}

TEST(TimingFields, DepbarWaitsForItsThresholdAndForItsSetOfCounters) {
  KernelInstruction i = instruction_of(0x000080020000791a, 0x000fc80000000000);
  RegisterNumbering numbers;
  set_timing_fields(i, numbers);  // DEPBAR.LE SB0, 0x0, {1}
  EXPECT_EQ(i.control.threshold_counter, 0);
  EXPECT_EQ(i.control.threshold, 0);
  EXPECT_EQ(i.control.wait_mask, 0b10);
}

TEST(TimingFields, ALoadThatIsStrongForTheSmMayHitInTheL1) {
  KernelInstruction i = instruction_of(0x0000000604047981, 0x000fe2000c1eb900);
  RegisterNumbering numbers;
  set_timing_fields(i, numbers);  // LDG.E.STRONG.SM R4, [R4.64]
  EXPECT_EQ(i.ordering, isa::Ordering::relaxed);
  EXPECT_EQ(i.cache, isa::CacheOperator::ca);
}

TEST(TimingFields, AGuardIsReadButIsNoValue) {
  KernelInstruction i = instruction_of(0x000000000000094d, 0x000fe20003800000);  // @P0 EXIT
  RegisterNumbering numbers;
  set_timing_fields(i, numbers);
  EXPECT_EQ(i.op_class, isa::OpClass::exit_);
  EXPECT_EQ(i.guard_register, numbers.predicate(0));
  EXPECT_EQ(i.operand_count, 0);
}

// HMMA.SP.16832.F32 R4, R4, R8, R12, R0, 0x1
TEST(TimingFields, ASparseProductTakesAsLongAsOneOfHalfItsDepth) {
  KernelInstruction i = instruction_of(0x000100080404723c, 0x004ff60000005a0c);
  RegisterNumbering numbers;
  set_timing_fields(i, numbers);
  EXPECT_EQ(i.op_class, isa::OpClass::tensor);
  EXPECT_EQ(i.matrix_work, 16u * 8 * 16 * 16);
  EXPECT_EQ(i.read_count, 4 + 4 + 4 + 1);  // A, B, C and the metadata
}

// HGMMA.64x64x16.F32 R24, -R56, gdesc [UR4].negB.tnspB, R24, !UP0, gsb0
TEST(TimingFields, AProductOfAWarpgroupReadsAAndDescriptorsAndEndsAGroup) {
  KernelInstruction i;
  i.code = std::get<Instruction>(decode({0xc0e0000438187df0, 0x000fe6000f800918}, 90, 0));
  RegisterNumbering numbers;
  count_registers(i.code, numbers);
  EXPECT_EQ(numbers.registers, 60);
  EXPECT_EQ(numbers.uniform_registers, 8);
  set_timing_fields(i, numbers);
  EXPECT_EQ(i.op_class, isa::OpClass::tensor);
  EXPECT_EQ(i.copy, isa::CopyStep::last_product);
  EXPECT_EQ(i.read_count, 4 + 4 + 1);
  EXPECT_EQ(i.write_count, 0);
  EXPECT_EQ(i.matrix_work, 16u * 64 * 16 * 16);
}

}  // namespace
}  // namespace heddle::sass
