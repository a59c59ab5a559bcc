#include "tests/exec/compiled_bench.h"

namespace heddle::exec::test {
namespace {

TEST(CompiledKernel, LoopsAndDivergesAsTheInterpreter) {
  check_equal(
      "mov.u32 %r9, 0; and.b32 %r10, %r0, 31;\n"
      "again: add.s32 %r9, %r9, %r10; xor.b32 %r9, %r9, %r1; sub.s32 %r10, %r10, 1;\n"
      "setp.gt.s32 %p3, %r10, 0; @%p3 bra again;\n"
      "@%p0 bra other; add.s32 %r9, %r9, 7; bra both; other: mul.lo.s32 %r9, %r9, 3; both:\n"
      "st.global.u32 [%x], %r9;",
      1);
}

TEST(CompiledKernel, UniformLoopsCountEveryInstruction) {
  const Outcome outcome = check_equal(
      "mov.u32 %r9, 0; mov.u32 %r10, 1000; again: add.s32 %r9, %r9, %t; sub.s32 %r10, %r10, 1; "
      "setp.ne.s32 %p3, %r10, 0; @%p3 bra again; st.global.u32 [%x], %r9;",
      1);
  EXPECT_GT(outcome.warp_instructions, 2u * 7 * 4000);
}

// What is not compiled lies between what is, with values in vector registers and known addresses.
TEST(CompiledKernel, GoesOnBehindInterpretedInstructions) {
  check_equal(
      "add.s32 %r10, %r0, 1; popc.b32 %r9, %r10; add.s32 %r11, %r10, %r9;\n"
      "ld.global.u32 %r12, [%y]; brev.b32 %r13, %r12; clz.b32 %r14, %r13; ld.global.u32 %r15, "
      "[%y+4];\n@%p0 popc.b32 %r10, %r10; add.s32 %r9, %r9, %r10; add.s32 %r9, %r9, %r11; add.s32 "
      "%r9, %r9, %r14; add.s32 %r9, %r9, %r15; st.global.u32 [%x], %r9;",
      1);
}

TEST(CompiledKernel, WarpsMeetAtBarriers) {
  check_equal(
      "shl.b32 %r8, %t, 2; mov.u32 %r7, tile; add.s32 %r8, %r8, %r7; mov.u32 %r10, 20;\n"
      "again: st.shared.u32 [%r8], %r0; bar.sync 0; ld.shared.u32 %r9, [%r7+64]; bar.sync 0;\n"
      "add.s32 %r0, %r0, %r9; sub.s32 %r10, %r10, 1; setp.ne.s32 %p3, %r10, 0; @%p3 bra again;\n"
      "st.global.u32 [%x], %r0;",
      1);
}

// Without a barrier, what warps read of each other follows from the lengths of time slices.
TEST(CompiledKernel, TimeSlicesEndWhereTheInterpretersDo) {
  check_equal(
      "shl.b32 %r8, %t, 2; mov.u32 %r7, tile; add.s32 %r8, %r8, %r7; mov.u32 %r10, 500;\n"
      "again: ld.shared.u32 %r9, [%r7+128]; add.s32 %r0, %r0, %r9; st.shared.u32 [%r8], %r0;\n"
      "sub.s32 %r10, %r10, 1; setp.ne.s32 %p3, %r10, 0; @%p3 bra again; st.global.u32 [%x], %r0;",
      1);
}

TEST(CompiledKernel, MachineCodeIsInterpreted) {
  DecodedKernel kernel;
  kernel.machine_code = true;
  EXPECT_EQ(CompiledKernel::compile(kernel), nullptr);
}

}  // namespace
}  // namespace heddle::exec::test
