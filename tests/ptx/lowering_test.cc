#include <gtest/gtest.h>

#include <bit>

#include "ptx_text.h"

namespace heddle::ptx {
namespace {

Instruction only(const std::string& statement) {
  return lower_body(statement + "\nret;").code.at(0);
}

TEST(Lowering, EveryStatementIsOneInstruction) {
  EXPECT_EQ(lower_text(program("vecadd"), "vecadd").code.size(), 22u);
  EXPECT_EQ(lower_text(program("spmv"), "spmv").code.size(), 42u);
}

TEST(Lowering, ReadsAndWritesListEachRegisterOnce) {
  const Instruction i = only("@%p1 mad.lo.s32 %r1, %r2, %r2, %r3;");
  EXPECT_EQ(i.read_count, 3);  // %r2, %r3, %p1
  EXPECT_EQ(i.write_count, 1);
  EXPECT_EQ(i.op_class, OpClass::int_mad);
}

TEST(Lowering, AVectorStoreWithBaseAndGuardReadsSix) {
  const Instruction i = only("@!%p1 st.global.v4.f32 [%rd1+16], {%f1,%f2,%f3,%f4};");
  EXPECT_EQ(i.read_count, 6);
  EXPECT_EQ(i.vector, 4);
  EXPECT_EQ(i.access_bytes, 4);
  EXPECT_EQ(i.address_offset, 16);
  EXPECT_TRUE(i.guard.negated);
}

TEST(Lowering, AnAsynchronousCopyHasItsSize) {
  for (const int bytes : {4, 8, 16})
    EXPECT_EQ(only("cp.async.ca.shared.global [%r1], [%rd1], " + std::to_string(bytes) + ";")
                  .access_bytes,
              bytes);
}

TEST(Lowering, ElementsOfALoadMayBeUnused) {
  const Instruction i = only("ld.global.v2.u32 {_, %r2}, [%rd1+-8];");
  EXPECT_FALSE(i.dst[0]);
  EXPECT_TRUE(i.dst[1]);
  EXPECT_EQ(i.address_offset, -8);
}

TEST(Lowering, StaticSpecialRegistersArePresetRowsOutsideTheScoreboard) {
  const Kernel k =
      lower_body("mov.u32 %r1, %tid.x;\nmov.u32 %r2, %tid.x;\nmov.u32 %r3, %ctaid.y;\nret;");
  ASSERT_EQ(k.preset_registers.size(), 2u);
  EXPECT_EQ(k.code[0].opcode, Opcode::mov);
  EXPECT_EQ(k.code[0].src[0].reg, Operand::kNoReg);
  EXPECT_EQ(k.code[0].src[0].row, k.code[1].src[0].row);
  EXPECT_EQ(k.code[0].read_count, 0);
}

TEST(Lowering, ClocksAreReadEachTime) {
  const Instruction i = only("mov.u64 %rd1, %clock64;");
  EXPECT_EQ(i.opcode, Opcode::read_special);
  EXPECT_EQ(i.special, SpecialRegister::clock64);
}

TEST(Lowering, ImmediatesAreBroadcastRowsAndAreShared) {
  const Kernel k = lower_body(
      "add.f32 %f1, %f2, 0f3F800000;\nadd.f32 %f3, %f2, 1.0;\nadd.s64 %rd1, %rd1, -1;\nret;");
  EXPECT_EQ(k.code[0].src[1].row, k.code[1].src[1].row);
  ASSERT_EQ(k.constants.size(), 3u * 32);
  for (int lane = 0; lane < 32; ++lane) EXPECT_EQ(std::bit_cast<float>(k.constants[lane]), 1.0f);
  EXPECT_EQ(k.constants[32], 0xffffffffu);
  EXPECT_EQ(k.constants[95], 0xffffffffu);
}

TEST(Lowering, MovPacksAndUnpacks) {
  const Kernel k =
      lower_body("mov.b64 %rd1, {%r1,%r2};\nmov.b64 {%r3,_}, %rd1;\nmov.b32 %r4, {%h1,%h2};\nret;");
  EXPECT_TRUE(k.code[0].src[1]);
  EXPECT_EQ(k.code[0].vector, 2);
  EXPECT_FALSE(k.code[1].src[1]);
  EXPECT_FALSE(k.code[1].dst[1]);
  EXPECT_EQ(k.code[1].vector, 2);
}

TEST(Lowering, ModifiersBecomeFields) {
  const Instruction setp = only("setp.ltu.and.ftz.f32 %p1|%p2, %f1, %f2, !%p3;");
  EXPECT_EQ(setp.compare, Compare::ltu);
  EXPECT_EQ(setp.bool_op, BoolOp::and_);
  EXPECT_TRUE(setp.dst[1] && setp.src[2].negated && setp.ftz);
  const Instruction cvt = only("cvt.rzi.sat.s16.f64 %r1, %d1;");
  EXPECT_EQ(cvt.type, Type::s16);
  EXPECT_EQ(cvt.source_type, Type::f64);
  EXPECT_EQ(cvt.rounding, Rounding::rzi);
  const Instruction shfl = only("shfl.sync.bfly.b32 %r1|%p1, %r2, 16, 31, -1;");
  EXPECT_EQ(shfl.as<ShflMode>(), ShflMode::bfly);
  EXPECT_TRUE(shfl.dst[1] && shfl.src[3]);
  EXPECT_EQ(only("lop3.b32 %r1, %r2, %r3, %r4, 0x96;").as<Lop3Table>().bits, 0x96u);
  EXPECT_EQ(only("atom.global.acq_rel.gpu.cas.b64 %rd1, [%rd2], %rd3, %rd4;").atomic,
            AtomicOp::cas);
  EXPECT_EQ(only("ld.relaxed.gpu.global.L1::no_allocate.u32 %r1, [%rd1];").ordering,
            Ordering::relaxed);
  EXPECT_TRUE(only("cvta.shared.u64 %rd1, %rd2;").to_generic);
  EXPECT_FALSE(only("cvta.to.shared.u64 %rd1, %rd2;").to_generic);
  EXPECT_EQ(only("bar.red.or.pred %p1, 0, %p2;").barrier, BarrierOp::red_or);
  EXPECT_FALSE(only("bar.red.or.pred %p1, 0, %p2;").src[1]);
}

TEST(Lowering, OperationClassesFollowGpgpuSimsPtxMode) {
  EXPECT_EQ(only("sub.f64 %d1, %d2, %d3;").op_class, OpClass::dp_add);
  EXPECT_EQ(only("fma.rn.f32 %f1, %f2, %f3, %f1;").op_class, OpClass::fp_fma);
  EXPECT_EQ(only("mad.rn.f32 %f1, %f2, %f3, %f1;").op_class, OpClass::fp_mad);
  EXPECT_EQ(only("fma.rn.f64 %d1, %d2, %d3, %d1;").op_class, OpClass::dp_fma);
  EXPECT_EQ(only("rem.u32 %r1, %r2, %r3;").op_class, OpClass::int_div);
  EXPECT_EQ(only("sqrt.rn.f64 %d1, %d2;").op_class, OpClass::sfu);
  EXPECT_EQ(only("mul24.lo.s32 %r1, %r2, %r3;").op_class, OpClass::int_mul);
  EXPECT_EQ(only("selp.f32 %f1, %f2, %f3, %p1;").op_class, OpClass::alu);
  EXPECT_EQ(only("ld.param.u32 %r1, [n];").op_class, OpClass::load);
  EXPECT_EQ(only("membar.gl;").op_class, OpClass::memory_barrier);
}

TEST(Lowering, ParametersAreLaidOutWithTheirAlignment) {
  const Kernel k = lower_text(kHeader +
                              ".entry k(.param .u8 a, .param .align 8 .b8 s[12], .param .f64 d) { "
                              ".reg .f64 %d; ld.param.f64 %d, [d]; ret; }");
  ASSERT_EQ(k.parameters.size(), 3u);
  EXPECT_EQ(k.parameters[1].offset, 8u);
  EXPECT_EQ(k.parameters[2].offset, 24u);
  EXPECT_EQ(k.parameter_bytes, 32u);
  EXPECT_EQ(k.code[0].address_offset, 24);
}

TEST(Lowering, DynamicSharedMemoryFollowsTheStaticMemoryAligned) {
  const Kernel k = lower_text(kHeader +
                              ".extern .shared .align 16 .b8 dyn[];\n.entry k() { .reg .b32 %r<3>; "
                              ".shared .align 4 .b8 s[20];\n"
                              "mov.u32 %r1, s; mov.u32 %r2, dyn; ret; }");
  EXPECT_EQ(k.shared_bytes, 32u);
  EXPECT_EQ(k.constants[k.code[1].src[0].row * 32], 32u);
}

TEST(Lowering, LocGivesTheSourceLine) {
  const Kernel k = lower_text(kHeader +
                              ".entry k() { .reg .b32 %r<3>;\n.loc 1 17 3\nmov.u32 %r1, 1;\n"
                              ".loc 1 18 3, function_name $L__info_string0, inlined_at 1 17 "
                              "5\nret; }\n.file 1 \"dir/a.cu\"\n");
  EXPECT_EQ(k.source_lines[k.code[0].source].file, "dir/a.cu");
  EXPECT_EQ(k.source_lines[k.code[1].source].line, 18u);
}

TEST(Lowering, SectionsOfDebugInformationAreSkipped) {
  const std::string section =
      ".section .debug_abbrev {\n.b8 1\n{\n.b8 2,0\n}\n.b32 .debug_str\n}\n";
  const std::string text = kernel_text("ret;") + section + section;
  EXPECT_EQ(lower_text(text).code.size(), 1u);
  EXPECT_NE(complaint(text + ".section .debug_loc {\n.b8 1\n").find("never closed"),
            std::string::npos);
}

TEST(Lowering, ABodyWithoutARetGetsOne) {
  EXPECT_EQ(lower_body("@%p1 ret;\nmov.u32 %r1, 1;").code.back().opcode, Opcode::ret);
}

}  // namespace
}  // namespace heddle::ptx
