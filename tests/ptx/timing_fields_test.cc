// What the timing model reads of an instruction.
#include <gtest/gtest.h>

#include "ptx_text.h"

namespace heddle::ptx {
namespace {

using isa::CopyStep;

isa::Instruction timed(const std::string& statement) {
  return lower_body(statement + "\nret;").instructions.at(0);
}

// The registers of the operands, as places in `reads`.
std::vector<int> operands_of(const isa::Instruction& i) {
  return {i.operands.begin(), i.operands.begin() + i.operand_count};
}

TEST(TimingFields, TheInstructionsOfAKernelAreTheBasesOfItsCode) {
  const Kernel kernel = lower_text(program("spmv"), "spmv");
  ASSERT_EQ(kernel.instructions.size(), kernel.code.size());
  for (std::size_t pc = 0; pc < kernel.code.size(); ++pc) {
    const isa::Instruction &timed = kernel.instructions[pc], &executed = kernel.code[pc];
    EXPECT_EQ(timed.op_class, executed.op_class);
    EXPECT_EQ(timed.reads, executed.reads);
    EXPECT_EQ(timed.loop, executed.loop);
    EXPECT_EQ(timed.target, executed.target);
  }
}

TEST(TimingFields, OperandsKeepTheirOrderAndRepeatARegisterOfTwo) {
  const isa::Instruction i = timed("@%p1 mad.lo.s32 %r1, %r3, %r2, %r3;");
  ASSERT_EQ(i.read_count, 3);  // %r3, %r2, %p1
  EXPECT_EQ(operands_of(i), (std::vector{0, 1, 0}));
  EXPECT_EQ(i.guard_register, i.reads[2]);
}

TEST(TimingFields, AGuardThatIsAlsoASourceIsAnOperand) {
  const isa::Instruction i = timed("@%p1 selp.b32 %r1, %r2, %r3, %p1;");
  ASSERT_EQ(i.read_count, 3);
  EXPECT_EQ(operands_of(i), (std::vector{0, 1, 2}));
  EXPECT_EQ(i.guard_register, i.reads[2]);
  EXPECT_FALSE(i.reads_value(2));
}

TEST(TimingFields, TheRegistersOfAMatrixAreListedOnce) {
  const isa::Instruction i = timed(
      "@%p1 mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, {%r1,%r2}, {%r1}, "
      "{%f1,%f2,%f3,%f4};");
  EXPECT_EQ(i.read_count, 7);  // %p1, %r1, %r2, %f1 to %f4
  EXPECT_EQ(i.operand_count, 6);
  EXPECT_EQ(i.matrix_work, 16u * 8 * 8 * 16);
}

TEST(TimingFields, VoltasMatrixInstructionMakesFourProducts) {
  const isa::Instruction i = timed(
      "mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16 {%r1,%r2,%r3,%r4}, {%r5,%r6}, {%r7,%r8}, "
      "{%r1,%r2,%r3,%r4};");
  EXPECT_EQ(i.matrix_work, 4u * 8 * 8 * 4 * 16);
}

TEST(TimingFields, GuardAndAddressBaseAreNoValues) {
  const isa::Instruction store = timed("@%p1 st.global.u32 [%rd1+8], %r2;");
  ASSERT_EQ(store.read_count, 3);  // %rd1, %r2, %p1
  EXPECT_EQ(store.base_register, store.reads[0]);
  EXPECT_EQ(store.address_offset, 8);
  EXPECT_FALSE(store.reads_value(0));
  EXPECT_TRUE(store.reads_value(1));
  EXPECT_FALSE(store.reads_value(2));
  const isa::Instruction itself = timed("st.global.u64 [%rd1], %rd1;");
  EXPECT_TRUE(itself.reads_value(0));
  const isa::Instruction fetch = timed("tex.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5}];");
  for (int k = 0; k < fetch.read_count; ++k) EXPECT_TRUE(fetch.reads_value(k));
}

TEST(TimingFields, ProductsOf24BitsAndRemaindersAreMinorOpcodes) {
  EXPECT_TRUE(timed("mul24.lo.s32 %r1, %r2, %r3;").minor_opcode);
  EXPECT_TRUE(timed("mad24.lo.s32 %r1, %r2, %r3, %r4;").minor_opcode);
  EXPECT_TRUE(timed("rem.u32 %r1, %r2, %r3;").minor_opcode);
  EXPECT_FALSE(timed("mul.lo.s32 %r1, %r2, %r3;").minor_opcode);
  EXPECT_FALSE(timed("div.u32 %r1, %r2, %r3;").minor_opcode);
}

TEST(TimingFields, AsynchronousCopiesHaveTheirSteps) {
  EXPECT_EQ(timed("add.s32 %r1, %r2, %r3;").copy, CopyStep::none);
  EXPECT_EQ(timed("cp.async.ca.shared.global [%r1], [%rd1], 16;").copy, CopyStep::start);
  EXPECT_EQ(timed("cp.async.commit_group;").copy, CopyStep::commit);
  EXPECT_EQ(timed("cp.async.mbarrier.arrive.shared.b64 [%r1];").copy, CopyStep::arrive);
  const isa::Instruction some = timed("cp.async.wait_group 2;"), all = timed("cp.async.wait_all;");
  EXPECT_EQ(some.copy, CopyStep::wait);
  EXPECT_EQ(some.groups_left, 2u);
  EXPECT_FALSE(some.waits_for_all_copies);
  EXPECT_EQ(all.copy, CopyStep::wait);
  EXPECT_TRUE(all.waits_for_all_copies);
}

}  // namespace
}  // namespace heddle::ptx
