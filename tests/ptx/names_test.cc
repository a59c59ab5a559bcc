#include <gtest/gtest.h>

#include "ptx_text.h"

namespace heddle::ptx {
namespace {

std::string module_of(const std::string& declarations, const std::string& body) {
  return kHeader + declarations + kernel_text(body).substr(kHeader.size());
}

TEST(NumberedNames, AreVariablesOfAnyStateSpace) {
  const std::string text = module_of(
      ".global .u32 g<3>, h;\n.const .align 16 .v4 .f32 c<2>;\n.extern .shared .b8 s[];\n",
      "ld.global.u32 %r1, [g2]; ld.const.f32 %f1, [c1+4]; ld.global.u32 %r2, [h]; ret;");
  EXPECT_EQ(complaint(text), "");
  EXPECT_EQ(Module::parse(text, "t.ptx").variables().size(), 6u);
  EXPECT_NE(complaint(module_of(".global .u32 g<3>;\n", "ld.global.u32 %r1, [g3]; ret;")), "");
  EXPECT_NE(complaint(module_of(".global .u32 g<3>[2];\n", "ret;")), "");
  EXPECT_NE(complaint(module_of("", ".shared .b32 s<99999>; ret;")).find("too many variables"),
            std::string::npos);
  EXPECT_NE(complaint(module_of(".global .u32 g<65000>, h<65000>;\n", "ret;")).find("more than"),
            std::string::npos);
}

TEST(VectorRegisters, HaveTheirElementsAndNoOthers) {
  EXPECT_EQ(body_complaint(".reg .v4 .f32 v<2>; ld.global.v4.f32 v1, [%rd1]; add.f32 v0.x, v1.w, "
                           "v1.b; st.global.v4.f32 [%rd1], v0; ret;"),
            "");
  EXPECT_EQ(body_complaint(".reg .v2 .b64 v; ld.global.v2.b64 v, [%rd1]; ret;"), "");
  const auto refused = [](const std::string& body, const std::string& why) {
    EXPECT_NE(body_complaint(body).find(why), std::string::npos) << body_complaint(body);
  };
  refused(".reg .v2 .u32 v; mov.u32 %r1, v.z;", "2 elements, no '.z'");
  refused(".reg .v2 .u32 v; mov.u32 %r1, v.xy;", "2 elements, no '.xy'");
  refused(".reg .v2 .u32 v; add.u32 v, %r1, %r2;", "does not accept a vector");
  refused(".reg .v4 .u32 v; ld.global.v2.u32 v, [%rd1];", "needs 2 elements");
  refused(".reg .v2 .u32 v; mov.b64 %rd1, {v, %r1};", "an element of a vector is one register");
  refused(".reg .v4 .f64 v;", "128 bits");
  refused(".reg .v2 .pred v;", "128 bits");
}

TEST(ComputedOperands, AreSumsAndElementsOfArrays) {
  const std::string arrays = ".global .u32 g[8];\n.const .u16 c[4];\n";
  const auto fits = [&](const std::string& body) {
    EXPECT_EQ(complaint(module_of(arrays, body + " ret;")), "") << body;
  };
  fits("add.u32 %r1, %r2+1, %r3; mov.u64 %rd1, %rd2+8; st.global.u32 [%rd1], %r1+2;");
  fits("mov.u64 %rd1, g[1+1]; ld.global.u32 %r1, g[2]; ld.const.u16 %h1, c[3];");
  fits("ld.global.u32 %r1, g[%r2]; ld.global.u32 %r1, g[%r2+1]; st.global.u32 g[%rd2], %r1;");
  EXPECT_NE(body_complaint("mov.f32 %f1, %f2+1; ret;").find("integer register"), std::string::npos);
  EXPECT_NE(complaint(module_of(arrays, "ld.global.u32 %r1, g[%f1]; ret;")).find("an index"),
            std::string::npos);
  // The index counts elements, and the address is the variable's.
  const Kernel kernel = lower_text(module_of(arrays, "ld.global.u32 %r1, g[3]; ret;"));
  EXPECT_EQ(kernel.code[0].address_offset, 0x1000 + 12);
}

TEST(SpecialRegisters, IncludePerformanceCountersAndTheClusterPredicate) {
  EXPECT_EQ(body_complaint("mov.u32 %r1, %pm0; mov.u32 %r1, %pm7; mov.u64 %rd1, %pm3_64; "
                           "mov.u32 %r1, %tid.r; @%is_explicit_cluster bra L; L: "
                           "@!%is_explicit_cluster mov.u32 %r1, 1; ret;"),
            "");
  EXPECT_NE(body_complaint("mov.u32 %r1, %pm8; ret;").find("unknown name"), std::string::npos);
  EXPECT_EQ(body_complaint("add.u32 %r1, %is_explicit_cluster, 1; ret;"),
            "t.ptx:10:14: the register's type .pred does not fit 'add.u32'");
}

TEST(Clusters, OfAKernelAreReadForItsLaunch) {
  const auto kernel = [](const std::string& directives) {
    return lower_text(kHeader + ".visible .entry k()" + directives + "{ ret; }\n");
  };
  EXPECT_EQ(kernel("").cluster.count(), 1u);
  EXPECT_EQ(kernel(".explicitcluster .reqnctapercluster 2, 3").cluster, (Dim3{2, 3, 1}));
  EXPECT_TRUE(kernel(".blocksareclusters .reqntid 32 .reqnctapercluster 2")
                  .cluster_rules.blocks_are_clusters);
  EXPECT_NE(complaint(kHeader + ".entry k() .blocksareclusters .reqntid 32 { ret; }")
                .find(".blocksareclusters needs .reqntid and .reqnctapercluster"),
            std::string::npos);
}

TEST(VariablesInFunctions, OfGlobalAndConstantSpaceLiveInTheModule) {
  const std::string text = kernel_text(
      ".global .u32 g = 5;\n{ .const .u32 g = 6; .global .u64 p[2] = {g, generic(g)+4}; "
      "ld.const.u32 %r2, [g]; }\nld.global.u32 %r1, [g]; ret;");
  EXPECT_EQ(complaint(text), "");
  const Module module = Module::parse(text, "t.ptx");
  ASSERT_EQ(module.variables().size(), 3u);
  EXPECT_EQ(module.variables()[0].name, "g");
  EXPECT_EQ(module.variables()[1].name, "g$2");
  ASSERT_EQ(module.variables()[2].relocations.size(), 2u);
  EXPECT_EQ(module.variables()[2].relocations[0].symbol, "g$2");  // the inner one
  EXPECT_NE(body_complaint("{ .global .u32 g; } ld.global.u32 %r1, [g]; ret;"), "");
  EXPECT_NE(body_complaint(".visible .global .u32 g; ret;"), "");
  EXPECT_NE(body_complaint(".global .texref t; ret;"), "");
}

TEST(Prototypes, NeedNoSemicolonBeforeADirective) {
  EXPECT_EQ(complaint(module_of(".visible .func (.param .b32 r) f (.param .b32 a)\n"
                                ".shared .align 4 .b8 buf[16];\n"
                                ".visible .func (.param .b32 r) f (.param .b32 a) { ret; }\n",
                                "{ .param .b32 a; call (_), f, (a); } ret;")),
            "");
  EXPECT_NE(complaint(kHeader + ".entry k(.param .b32 a)\n.global .u32 g;"), "");
}

TEST(Kernels, MayHaveHiddenParametersThatNothingReads) {
  const std::string header = kHeader +
                             ".visible .entry k(.param .u32 n, .hidden .param .align 64 "
                             ".b8 h[128]) { .reg .b64 %rd1;\n";
  const Kernel kernel = lower_text(header + "ret; }");
  ASSERT_EQ(kernel.parameters.size(), 1u);
  EXPECT_EQ(kernel.parameter_bytes, 192u);
  EXPECT_NE(complaint(header + "ld.param.u64 %rd1, [h]; ret; }").find("hidden parameter 'h'"),
            std::string::npos);
}

TEST(Calls, ReportListsThatDoNotFit) {
  const std::string f = ".func (.param .b32 r) f (.param .b32 a) { ret; }\n";
  const auto refused = [&](const std::string& body, const std::string& why) {
    EXPECT_NE(complaint(module_of(f, body)).find(why), std::string::npos)
        << complaint(module_of(f, body));
  };
  refused("call (_), f, (_);", "an argument cannot be '_'");
  refused("call (%rd1), f, (1);", "does not fit");
  refused("call (%r1), f, (1.5);", "cannot take a floating constant");
  refused("call (%r1), f, (1, 2);", "the type of this parameter is not known");
  refused("call (%r1), %rd1, (1);", "the type of this parameter is not known");
  refused(".shared .b32 s; call (_), f, (s);", "not a .param variable");
}

// %q<5> is %q0 to %q4; a prefix may end in digits.
TEST(NumberedRegisters, EndBeforeTheirCount) {
  const std::string declared = ".reg .b32 %q<5>, %q1_<3>, %s1<2>;\n";
  Refusals rows;
  for (const char* name : {"%q0", "%q4", "%q1_0", "%q1_2", "%s10", "%s11"})
    rows.emplace_back(declared + "mov.u32 %r1, " + name + ";", "");
  for (const char* name : {"%q5", "%q", "%q04", "%q40", "%q1_3", "%q1_", "%s1", "%s12", "%s010"})
    rows.emplace_back(declared + "mov.u32 %r1, " + name + ";", "unknown name");
  check_refusals(rows);
}

}  // namespace
}  // namespace heddle::ptx
