#include <gtest/gtest.h>

#include "ptx_text.h"

namespace heddle::ptx {
namespace {

const std::string kSquare =
    ".func (.param .b32 r) square(.param .b32 x) { .reg .b32 %a<3>; ld.param.b32 %a1, [x]; "
    "mul.lo.s32 %a2, %a1, %a1; st.param.b32 [r], %a2; ret; }\n";
const std::string kCall =
    "{ .param .b32 p0; .param .b32 r0;\nst.param.b32 [p0], %r1;\ncall.uni (r0), square, "
    "(p0);\nld.param.b32 %r2, [r0];\n}\n";

std::string module_with(const std::string& functions, const std::string& body) {
  return kHeader + functions + kernel_text(body).substr(kHeader.size());
}

TEST(Calls, CallerStoresArgumentsDirectlyInTheCalleesParameters) {
  const Kernel k = lower_text(module_with(kSquare, kCall + "ret;"));
  ASSERT_EQ(k.code.size(), 8u);
  EXPECT_EQ(k.code[1].opcode, Opcode::call);
  EXPECT_EQ(k.code[1].target, 4u);
  EXPECT_EQ(k.code[0].space, Space::frame);
  EXPECT_EQ(k.code[0].address_offset,
            k.code[4].address_offset);  // st.param [p0] and the callee's ld.param [x]
  EXPECT_EQ(k.code[6].address_offset, k.code[2].address_offset);  // st.param [r] and ld.param [r0]
  EXPECT_EQ(k.code[0].op_class, OpClass::alu);
  EXPECT_EQ(k.frame_bytes, 8u);
}

TEST(Calls, AFunctionCalledTwiceIsLoweredOnce) {
  EXPECT_EQ(lower_text(module_with(kSquare, kCall + kCall + "ret;")).code.size(), 11u);
}

TEST(Calls, CallerAndCalleeShareNoRegisterRow) {
  const Kernel k = lower_text(module_with(
      kSquare, "mov.u32 %r1, 3;\nmov.u32 %r9, 4;\n" + kCall + "st.global.u32 [4096], %r9;\nret;"));
  EXPECT_NE(k.code[1].dst[0].row, k.code[7].dst[0].row);
}

TEST(Calls, OnlyRecursiveFunctionsAreFramed) {
  const std::string functions =
      ".func h() { ret; }\n.func g();\n.func f() { .local .b8 x[20]; .reg .b64 %a; mov.u64 %a, x; "
      "call g; ret; }\n"
      ".func g() { call f; call h; ret; }\n";
  const Kernel k = lower_text(module_with(functions, "call f;\ncall h;\nret;"));
  ASSERT_EQ(k.functions.size(), 4u);
  for (const Function& f : k.functions)
    EXPECT_EQ(f.framed, f.name == "f" || f.name == "g") << f.name;
  EXPECT_TRUE(k.uses_stack);
  EXPECT_EQ(k.functions[1].local_bytes, 20u);
  EXPECT_EQ(k.local_bytes, 0u);
  EXPECT_EQ(k.code[0].opcode, Opcode::call_through_site);
  EXPECT_EQ(k.code[1].opcode, Opcode::call);
  EXPECT_EQ(k.code[k.functions[1].entry].opcode, Opcode::local_address);
}

TEST(Calls, HostFunctionsNeedNoDefinition) {
  const std::string text =
      module_with(".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n",
                  "{ .param .b64 a0; .param .b64 a1; .param .b32 r0;\ncall.uni (r0), vprintf, (a0, "
                  "a1);\n}\nret;");
  const Kernel k = lower_text(text);
  EXPECT_EQ(k.code[0].opcode, Opcode::vprintf);
  EXPECT_EQ(k.call_sites[k.code[0].as<CallSiteIndex>().index].arguments.size(), 2u);
  const std::string odd =
      module_with(".extern .func (.param .b64 r) malloc(.param .b32 a);\n",
                  "{ .param .b32 a0; .param .b64 r0;\ncall (r0), malloc, (a0);\n}\nret;");
  EXPECT_NE(complaint(odd).find("do not match the parameters of 'malloc'"), std::string::npos);
}

TEST(Calls, TheDeviceRuntimeIsProvidedUnderBothGenerationsNames) {
  for (const std::string name : {"cudaLaunchDeviceV2", "__cudaCDP2LaunchDeviceV2"}) {
    const Kernel k = lower_text(
        module_with(".extern .func (.param .b32 r) " + name + "(.param .b64 a, .param .b64 b);\n",
                    "{ .param .b64 a0; .param .b64 a1; .param .b32 r0;\ncall.uni (r0), " + name +
                        ", (a0, a1);\n}\nret;"));
    EXPECT_TRUE(k.uses_device_runtime) << name;
    EXPECT_EQ(k.code[0].opcode, Opcode::device_runtime) << name;
  }
}

TEST(Calls, KernelsLaunchGraphsButDoNotChangeThem) {
  const auto calls = [](const std::string& function) {
    return module_with(
        ".extern .func (.param .b32 r) " + function + "(.param .b64 a, .param .b64 b);\n",
        "{ .param .b64 a0; .param .b64 a1; .param .b32 r0;\ncall.uni (r0), " + function +
            ", (a0, a1);\n}\nret;");
  };
  EXPECT_EQ(complaint(calls("cudaGraphLaunch")), "");
  const std::string refused = complaint(calls("cudaGraphKernelNodeSetEnabled"));
  EXPECT_NE(refused.find("'cudaGraphKernelNodeSetEnabled'"), std::string::npos) << refused;
}

TEST(Calls, OnlyACalledUndefinedFunctionIsAnError) {
  EXPECT_EQ(complaint(module_with(".extern .func far();\n", "ret;")), "");
  EXPECT_NE(complaint(module_with(".extern .func far();\n", "call far;\nret;"))
                .find("'far' is called but not defined"),
            std::string::npos);
}

TEST(Calls, ACallThroughAPointerMayReachEveryMatchingFunctionWhoseAddressIsTaken) {
  const std::string cube =
      ".func (.param .b32 r) cube(.param .b32 x) { ret; }\n.func unfit() { ret; }\n.func (.param "
      ".b32 r) direct(.param .b32 x) { ret; }\n";
  const std::string table = ".global .u64 table[2] = {square, unfit};\n";
  const std::string call =
      "{ .param .b32 p0; .param .b32 r0;\nproto : .callprototype (.param .b32 _) _ (.param .b32 "
      "_);\n"
      "call (r0), %rd1, (p0), proto;\n}\n";
  const Kernel k =
      lower_text(module_with(kSquare + cube + table, "mov.u64 %rd1, cube;\n" + call + "ret;"));
  ASSERT_EQ(k.functions.size(), 3u);  // the kernel, square and cube
  EXPECT_EQ(k.code[1].opcode, Opcode::call_through_site);
  EXPECT_EQ(k.call_sites[k.code[1].as<CallSiteIndex>().index].callees.size(), 2u);
  const Module m =
      Module::parse(kHeader + kSquare + table.substr(0, table.find("unfit") - 2) + "};\n", "t.ptx");
  EXPECT_TRUE(m.variables()[0].relocations.empty());
  EXPECT_NE(m.variables()[0].initial[0] | m.variables()[0].initial[1] |
                m.variables()[0].initial[2] | m.variables()[0].initial[3],
            0);
  EXPECT_NE(body_complaint("call %r1, (), proto;\nret;")
                .find("a call through a pointer needs a 64-bit register"),
            std::string::npos);
}

TEST(Calls, AnotherCallBetweenAnArgumentAndItsCallIsRefused) {
  const std::string body =
      "{ .param .b32 p0; .param .b32 r0; .param .b32 p1; .param .b32 r1;\nst.param.b32 [p0], "
      "%r1;\nst.param.b32 [p1], %r1;\n"
      "call (r1), square, (p1);\ncall (r0), square, (p0);\n}\nret;";
  EXPECT_NE(complaint(module_with(kSquare, body)).find("there is another call between"),
            std::string::npos);
}

TEST(Calls, AVariableOfSeveralFunctionsIsCopied) {
  const std::string twice = kSquare +
                            ".func (.param .b32 r) cube(.param .b32 pad, .param .b32 x) "
                            "{ st.param.b32 [r], 1; ret; }\n";
  const Kernel k = lower_text(module_with(
      twice,
      "{ .param .b32 a; st.param.b32 [a], 5; call (a), square, (a); ld.param.b32 %r1, [a];\n"
      "st.param.b32 [a], 5; call (a), cube, (a, a); ld.param.b32 %r1, [a]; } ret;"));
  EXPECT_EQ(k.code[1].opcode, Opcode::call_through_site);
  EXPECT_EQ(k.code[4].opcode, Opcode::call_through_site);
  EXPECT_EQ(k.call_sites.size(), 2u);
  EXPECT_EQ(k.call_sites[1].arguments.size(), 2u);
  for (const Function& f : k.functions) EXPECT_FALSE(f.framed) << f.name;
}

TEST(Linking, ADeclarationIsResolvedInAnotherModule) {
  std::vector<Module> modules;
  modules.push_back(
      Module::parse(kHeader + ".extern .func f();\n.extern .global .u32 v;\n.visible .entry k() { "
                              ".reg .b32 %r; ld.global.u32 %r, [v]; call f; ret; }",
                    "a.ptx"));
  modules.push_back(Module::parse(
      kHeader + ".visible .global .u32 v = 7;\n.visible .func f() { ret; }", "b.ptx"));
  const Module linked = Module::link(std::move(modules));
  ASSERT_EQ(linked.variables().size(), 1u);
  EXPECT_FALSE(linked.variables()[0].external);
  const Kernel k = linked.lower("k", {{"v", Address{0x500}}});
  EXPECT_EQ(k.code[0].address_offset, 0x500);
  EXPECT_EQ(k.code[1].target, 3u);
}

TEST(Linking, ASharedVariableMayBeDefinedInAnotherModule) {
  const std::string uses =
      ".visible .entry k() { .reg .b32 %r; ld.shared.u32 %r, [s+4]; ld.shared."
      "u32 %r, [t]; call f; ret; }";
  const auto link = [&](const std::string& definition) {
    std::vector<Module> modules;
    modules.push_back(Module::parse(
        kHeader + ".extern .func f();\n.extern .shared .u32 s[2];\n.shared .u32 t;\n" + uses,
        "a.ptx"));
    modules.push_back(Module::parse(kHeader + definition, "b.ptx"));
    return Module::link(std::move(modules)).lower("k", {});
  };
  const std::string f =
      ".visible .func f() { .reg .b32 %r; ld.shared.u32 %r, [s]; st.shared.u32 [s], %r; ret; }";
  const Kernel k = link(".visible .shared .u32 s[2];\n" + f);
  EXPECT_EQ(k.shared_bytes, 12u);
  const Pc callee = k.code[2].target;
  EXPECT_EQ(k.code[0].address_offset, k.code[callee].address_offset + 4);
  EXPECT_NE(k.code[1].address_offset, k.code[callee].address_offset);
  EXPECT_THROW(link(".shared .u32 s[2];\n" + f), UserError);  // private to its module
  EXPECT_THROW(link(".visible .shared .u32 s;\n" + f), UserError);
}

TEST(Linking, MissingAndDuplicateDefinitionsAreRefused) {
  const auto link = [](const std::string& a, const std::string& b) {
    std::vector<Module> modules;
    modules.push_back(Module::parse(kHeader + a, "a.ptx"));
    modules.push_back(Module::parse(kHeader + b, "b.ptx"));
    Module::link(std::move(modules));
  };
  EXPECT_THROW(link(".extern .global .u32 v;", ""), UserError);
  EXPECT_THROW(link(".visible .global .u32 v;", ".visible .global .u32 v;"), UserError);
  EXPECT_THROW(link(".visible .func f() { ret; }", ".visible .func f() { ret; }"), UserError);
  EXPECT_NO_THROW(link(".weak .func f() { ret; }", ".weak .func f() { ret; }"));
  EXPECT_NO_THROW(link(".global .u32 v;", ".global .u32 v;"));  // private to each module
}

TEST(Variables, InitialValuesAndAddresses) {
  const Module m =
      Module::parse(kHeader +
                        ".global .u32 x = 5;\n.const .f32 f[3] = {0f3F800000, 2.0};\n.global .u64 "
                        "p[2] = {x+4, generic(x)};\n.global .u16 t[2][3] = {{1},{2,3}};\n",
                    "t.ptx");
  ASSERT_EQ(m.variables().size(), 4u);
  const Variable& f = m.variables()[1];
  EXPECT_EQ(f.space, VariableSpace::constant);
  EXPECT_EQ(f.bytes, 12u);
  EXPECT_EQ(f.initial[3], 0x3f);
  const Variable& p = m.variables()[2];
  ASSERT_EQ(p.relocations.size(), 2u);
  EXPECT_EQ(p.initial[0], 4);
  EXPECT_EQ(p.relocations[0].symbol, "x");
  EXPECT_TRUE(p.relocations[1].generic);
  const Variable& t = m.variables()[3];
  EXPECT_EQ(t.initial[0], 1);
  EXPECT_EQ(t.initial[6], 2);
  EXPECT_EQ(t.initial[8], 3);
}

TEST(Variables, NestedBracesInitializeNestedDimensions) {
  const Module m =
      Module::parse(kHeader + ".global .u8 t[2][2][3] = {{{1}, {2}}, {{3}}};\n", "t.ptx");
  EXPECT_EQ(m.variables()[0].initial,
            (std::vector<std::uint8_t>{1, 0, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0}));
}

TEST(Variables, TheBytesOfAnAddressAreOneRelocation) {
  const Module m = Module::parse(
      kHeader + ".global .u32 x;\n.global .u8 p[2] = {0xFF(x), 0xFF00(x)};\n", "t.ptx");
  ASSERT_EQ(m.variables()[1].relocations.size(), 1u);
  EXPECT_EQ(m.variables()[1].relocations[0].bytes, 2u);
}

TEST(Variables, ANegatedConstantIsSigned) {
  const Module m = Module::parse(kHeader + ".global .s64 x = -8 / 2;\n", "t.ptx");
  EXPECT_EQ(m.variables()[0].initial[0], 0xfc);
  EXPECT_EQ(m.variables()[0].initial[7], 0xff);
}

TEST(Variables, OperatorsOfOnePrecedenceAreEvaluatedFromTheLeft) {
  const Module m = Module::parse(kHeader + ".global .u32 x = 10 - 3 - 2;\n", "t.ptx");
  EXPECT_EQ(m.variables()[0].initial[0], 5);
}

}  // namespace
}  // namespace heddle::ptx
