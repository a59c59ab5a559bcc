#include <gtest/gtest.h>

#include <algorithm>

#include "ptx_text.h"

namespace heddle::ptx {
namespace {

TEST(Diagnostics, AnUnsupportedInstructionIsRefusedWithPlaceAndReason) {
  EXPECT_EQ(complaint(kHeader + ".entry k() {\n\tmultimem.st.u64 [%rd1], %rd2;\n}"),
            "t.ptx:5:2: unsupported instruction 'multimem.st.u64': multimem instructions are not "
            "supported");
}

TEST(Diagnostics, ASpaceOfAThreadHoldsTwoGiB) {
  const auto with_bytes = [](const std::string& bytes) {
    return ".local .b8 big[" + bytes + "];\nmov.u64 %rd1, big;\nret;";
  };
  EXPECT_EQ(lower_body(with_bytes("2147483648")).local_bytes, std::uint64_t{1} << 31);
  EXPECT_NE(body_complaint(with_bytes("2147483649")).find("too much memory for 'big'"),
            std::string::npos);
}

TEST(Diagnostics, TheRowsOfConstantsAreLimited) {
  const auto constants = [](int count) {  // of two rows each
    std::string body;
    for (int i = 0; i < count; ++i) body += "mov.u64 %rd1, " + std::to_string(i) + ";\n";
    return body + "ret;";
  };
  EXPECT_EQ(lower_body(constants(0xfff0 / 2 + 1)).constants.size() / 32, 0xfff2u);
  EXPECT_NE(body_complaint(constants(0xfff0 / 2 + 2)).find("too many different constants"),
            std::string::npos);
}

TEST(Diagnostics, MessagesStateTheMistake) {
  const auto check = [](const std::string& body, const std::string& part) {
    const std::string message = body_complaint(body);
    EXPECT_NE(message.find(part), std::string::npos) << body << " -> " << message;
  };
  check("ad.s32 %r1, %r2, %r3;", "did you mean");
  check("add.e4m3x2 %r1, %r2, %r3;", "'.e4m3x2' is not supported with add");
  check("brx.idx %r1;", "'brx.idx' needs a list of labels");
  check("ld.global.v8.f32 {%f1,%f2}, [%rd1];", "needs 8 registers here");
  check("cp.async.bulk.tensor.3d.shared::cluster.global.tile::gather4 [%r1], [%rd1], 16;",
        "'.tile::gather4' is not supported with cp");
  check("cp.async.cg.shared.global [%r1], [%rd1], 8;", "copies 16 bytes");
  check("clusterlaunchcontrol.try_cancel.async.b128 [%rd1], [%rd2];", "cluster");
  check("ld.global.f32 %f1, [%r1];", "only 64-bit addresses");
  check("ld.u32 %r2, [%r1+4];", "only 64-bit addresses");
  check("atom.add.noftz.f16 %h1, [%rd1], %h2, %rd2;", "too many operands");
  check("add.s32 %r1.b2, %r2, %r3;", "does not accept parts");
  check("vadd.u32.u32.u32 %r1, %r2.b4, %r3;", "no such part");
  check("vadd.u32.u32.u32 %r1, %r2.h2, %r3;", "no such part");
  check("vadd4.u32.u32.u32 %r1, %r2.h10, %r3, %r4;", "the parts have another size");
  check("brx.idx %r1, NOWHERE;", "not in this function");
  check("add.s32 %r1, %r2;", "too few operands");
  check("add.s32 %r1, %r2, %r3, %r4;", "too many operands");
  check("add.s32 %r1, %r2, %rd3;", "type .b64 does not fit");
  check("add.s32 %r1, %r2, %q;", "unknown name");
  check("add.s32 %r1, %r2, q;", "not declared");
  check("bra NOWHERE;", "not in this function");
  check("ld.shared.u32 %r1, [a];", "not in the state space");
  check("@%r1 ret;", "not a predicate");
  check("mov.u32 %r1, %tid;", "needs a component");
  check("L: L: ret;", "declared twice");
  check(".reg .b32 %x<99999999999>;", "too many registers");
  check("ret", "expected ';'");
  check(".tex x;", "not supported inside a function");
  check("add.s32 %r1, %r2, 1/0;", "division by zero");
  check(".shared .attribute(.shiny) .b32 x;", "unknown attribute '.shiny'");
  check("ld.global.v4.u32 {%r1,%r2}, [%rd1];", "needs 4 elements");
}

TEST(Diagnostics, RefusesUnsupportedDirectives) {
  EXPECT_NE(complaint(".version 0.9\n.target sm_20\n").find("not supported"), std::string::npos);
  EXPECT_NE(complaint(kHeader + ".const .samplerref t;").find("only supported with .global"),
            std::string::npos);
  EXPECT_NE(complaint(kHeader + ".address_size 32").find("64-bit"), std::string::npos);
  EXPECT_NE(complaint("").find(".version"), std::string::npos);
}

TEST(Diagnostics, AnUnknownKernelNameGetsASuggestion) {
  const Module m = Module::parse(program("vecadd"), "vecadd");
  EXPECT_THROW(m.lower("vecad", {}), UserError);
}

TEST(Robustness, EveryPrefixOfATextIsRefusedOrComplete) {
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
