// PTX 1.x of CUDA 2 and 3, and PTX 2.x of CUDA 4.
#include <gtest/gtest.h>

#include "ptx/forms/older_forms.h"
#include "ptx_text.h"

namespace heddle::ptx {
namespace {

TEST(OlderNames, GetTheModifiersThatTheyOmit) {
  EXPECT_EQ(modern_name("add.f32"), "add.ftz.f32");
  EXPECT_EQ(modern_name("mad.f32"), "mad.rn.ftz.f32");
  EXPECT_EQ(modern_name("div.f32"), "div.approx.ftz.f32");
  EXPECT_EQ(modern_name("div.full.f32"), "div.ftz.full.f32");
  EXPECT_EQ(modern_name("sqrt.f64"), "sqrt.rn.f64");
  EXPECT_EQ(modern_name("cvt.s32.f32"), "cvt.rzi.ftz.s32.f32");
  EXPECT_EQ(modern_name("cvt.f32.u16"), "cvt.rn.ftz.f32.u16");
  EXPECT_EQ(modern_name("cvt.f32.f64"), "cvt.rn.ftz.f32.f64");
  EXPECT_EQ(modern_name("cvt.f32.f32"), "cvt.ftz.f32.f32");
  EXPECT_EQ(modern_name("setp.lt.f32"), "setp.ftz.lt.f32");
}

TEST(OlderNames, CompleteNamesAreUnchanged) {
  for (const char* name : {"mad.lo.s32", "ld.global.f32", "mul24.lo.u32", "bar.sync", "cvt.u32.u16",
                           "cvt.u64.s32", "bra", "mov.f32", "add.f64"})
    EXPECT_EQ(modern_name(name), name);
}

const std::string kEntry = R"(
.entry k (.param .u64 a, .param .s32 n) {
  .reg .u16 %rh<6>; .reg .u32 %r<9>; .reg .u64 %rd<9>; .reg .f32 %f<9>; .reg .pred %p<3>;
  .loc 3 5 0
$LBB1_k:
  mov.u16 %rh1, %ctaid.x;
  mov.u16 %rh2, %ntid.x;
  mul.wide.u16 %r1, %rh1, %rh2;
  cvt.u32.u16 %r2, %tid.x;
  add.u32 %r3, %r2, %r1;
  ld.param.s32 %r4, [n];
  setp.le.s32 %p1, %r4, %r3;
  @%p1 bra $Lt_0_1;
  ld.param.u64 %rd1, [a];
  cvt.u64.s32 %rd2, %r3;
  mul.lo.u64 %rd3, %rd2, 4;
  add.u64 %rd4, %rd1, %rd3;
  ld.global.f32 %f1, [%rd4+0];
  mad.f32 %f2, %f1, %f1, %f1;
  div.f32 %f3, %f2, %f1;
  st.global.f32 [%rd4+0], %f3;
$Lt_0_1:
  exit;
}
)";

TEST(OlderTexts, AKernelOfCuda2IsAccepted) {
  for (const char* head : {".version 1.4\n.target sm_10, map_f64_to_f32\n",
                           ".version 1.3\n.target sm_13\n", ".version 2.3\n.target sm_13\n"}) {
    EXPECT_EQ(complaint(head + kEntry), "");
    const Kernel kernel = lower_text(head + kEntry);
    for (const Instruction& i : kernel.code)
      EXPECT_FALSE(i.opcode == Opcode::div && !(i.ftz && i.approx));
  }
}

TEST(OlderTexts, TexSpaceVariablesAreTextureReferences) {
  const std::string entry =
      ".entry k (.param .u64 a) {\n  .reg .f32 %f<9>; .reg .s32 %r<9>;\n  mov.s32 %r1, 0;\n"
      "  tex.1d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [t,{%r1,%r1,%r1,%r1}];\n  exit;\n}\n";
  for (const char* type : {".u32", ".u64"}) {
    const Module module = Module::parse(
        ".version 1.4\n.target sm_13\n.tex " + std::string(type) + " t;\n" + entry, "t.ptx");
    ASSERT_EQ(module.variables().size(), 1u);
    EXPECT_EQ(module.variables()[0].space, VariableSpace::texture);
    EXPECT_EQ(module.lower("k", place(module)).code.at(1).opcode, Opcode::tex);
  }
  EXPECT_NE(complaint(".version 1.4\n.target sm_13\n.tex .f32 t;\n").find(".u32 or .u64"),
            std::string::npos);
}

TEST(OlderTexts, NewerTextsNeedARoundingModifier) {
  EXPECT_NE(
      complaint(".version 2.3\n.target sm_20\n" + kEntry).find("unsupported instruction 'mad.f32'"),
      std::string::npos);
}

}  // namespace
}  // namespace heddle::ptx
