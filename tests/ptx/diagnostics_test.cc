#include <gtest/gtest.h>

#include <algorithm>

#include "ptx_text.h"

namespace heddle::ptx {
namespace {

TEST(Diagnostics, AnUnsupportedInstructionIsNamedWithItsPlaceAndReason) {
  EXPECT_EQ(complaint(kHeader + ".entry k() {\n\tmultimem.st.u64 [%rd1], %rd2;\n}"),
            "t.ptx:5:2: unsupported instruction 'multimem.st.u64': multimem instructions are not "
            "supported");
}

TEST(Diagnostics, SaysWhatIsWrong) {
  const auto says = [](const std::string& body, const std::string& part) {
    const std::string message = body_complaint(body);
    EXPECT_NE(message.find(part), std::string::npos) << body << " -> " << message;
  };
  says("ad.s32 %r1, %r2, %r3;", "did you mean");
  says("add.e4m3x2 %r1, %r2, %r3;", "'.e4m3x2' is not supported with add");
  says("brx.idx %r1;", "'brx.idx' needs a list of labels");
  says("ld.global.v8.f32 {%f1,%f2}, [%rd1];", "needs 8 registers here");
  says("cp.async.bulk.tensor.1d.shared::cluster.global [%r1], [%rd1], 16;",
       "'.tensor' is not supported with cp");
  says("cp.async.cg.shared.global [%r1], [%rd1], 8;", "copies 16 bytes");
  says("clusterlaunchcontrol.try_cancel.async.b128 [%rd1], [%rd2];", "cluster");
  says("ld.global.f32 %f1, [%r1];", "only 64-bit addresses");
  says("ld.u32 %r2, [%r1+4];", "only 64-bit addresses");
  says("atom.add.noftz.f16 %h1, [%rd1], %h2, %rd2;", "too many operands");
  says("add.s32 %r1.b2, %r2, %r3;", "takes no parts");
  says("vadd.u32.u32.u32 %r1, %r2.b4, %r3;", "no such part");
  says("vadd4.u32.u32.u32 %r1, %r2.h10, %r3, %r4;", "parts of another size");
  says("brx.idx %r1, NOWHERE;", "not in this function");
  says("add.s32 %r1, %r2;", "too few operands");
  says("add.s32 %r1, %r2, %r3, %r4;", "too many operands");
  says("add.s32 %r1, %r2, %rd3;", "type .b64 does not fit");
  says("add.s32 %r1, %r2, %q;", "unknown name");
  says("add.s32 %r1, %r2, q;", "not declared");
  says("bra NOWHERE;", "not in this function");
  says("ld.shared.u32 %r1, [a];", "not in the state space");
  says("@%r1 ret;", "not a predicate");
  says("mov.u32 %r1, %tid;", "one component at a time");
  says("L: L: ret;", "declared twice");
  says(".reg .b32 %x<99999999999>;", "too many registers");
  says("ret", "expected ';'");
  says(".tex x;", "not supported inside a function");
  says("add.s32 %r1, %r2, 1/0;", "division by zero");
  says("ld.global.v4.u32 {%r1,%r2}, [%rd1];", "needs 4 elements");
}

TEST(Diagnostics, RefusesUnsupportedDirectives) {
  EXPECT_NE(complaint(".version 0.9\n.target sm_20\n").find("not supported"), std::string::npos);
  EXPECT_NE(complaint(kHeader + ".const .samplerref t;").find("only supported with .global"),
            std::string::npos);
  EXPECT_NE(complaint(kHeader + ".address_size 32").find("64-bit"), std::string::npos);
  EXPECT_NE(complaint("").find(".version"), std::string::npos);
}

TEST(Diagnostics, AnUnknownKernelIsSuggested) {
  const Module m = Module::parse(program("vecadd"), "vecadd");
  EXPECT_THROW(m.lower("vecad", {}), UserError);
}

TEST(Robustness, TextThatStopsAnywhereIsRefusedOrWhole) {
  for (const char* name : {"reduce", "sgemm", "spmv", "vecadd"}) {
    const std::string text = program(name);
    for (std::size_t n = 0; n < text.size(); n += 3) complaint(text.substr(0, n));
  }
}

TEST(Robustness, DamagedTextNeverCrashes) {
  std::uint32_t random = 7;
  const auto next = [&random](std::size_t below) {
    return (random = random * 1664525u + 1013904223u) / 256 % below;
  };
  for (const char* name : {"reduce", "sgemm", "spmv", "vecadd"}) {
    const std::string text = program(name);
    for (int round = 0; round < 400; ++round) {
      std::string damaged = text;
      for (std::size_t n = next(4) + 1; n-- > 0;) {
        const std::size_t at = next(damaged.size());
        if (next(2))
          damaged[at] = static_cast<char>(next(256));
        else
          std::copy_n(text.begin() + static_cast<std::ptrdiff_t>(next(text.size() - 8)),
                      std::min<std::size_t>(8, damaged.size() - at),
                      damaged.begin() + static_cast<std::ptrdiff_t>(at));
      }
      complaint(damaged);
    }
  }
}

TEST(Robustness, DeepNestingIsRefused) {
  EXPECT_NE(body_complaint(std::string(100000, '{')), "");
  EXPECT_NE(body_complaint("add.s32 %r1, %r1, " + std::string(100000, '(')), "");
  EXPECT_NE(body_complaint("add.s32 %r1, %r1, " + std::string(100000, '-') + "1;"), "");
  EXPECT_NE(complaint(kHeader + ".global .u32 x[2] = " + std::string(100000, '{')), "");
}

TEST(Robustness, HugeArraysAreRefused) {
  EXPECT_NE(complaint(kHeader + ".global .b8 x[99999999999999];"), "");
  EXPECT_NE(complaint(kHeader + ".global .b8 x[4294967295][4294967295][4294967295];"), "");
  EXPECT_NE(complaint(kHeader + ".global .b8 x[999999999] = {1};"), "");
}

}  // namespace
}  // namespace heddle::ptx
