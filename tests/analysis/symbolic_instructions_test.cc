#include <gtest/gtest.h>

#include <functional>

#include "tests/analysis/kernels.h"

namespace heddle::analysis {
namespace {

constexpr std::int64_t k2To31 = std::int64_t{1} << 31, k2To32 = std::int64_t{1} << 32;
const Dim3 kThreads{256, 1, 1};

using OfThread = std::function<std::int64_t(std::int64_t)>;

void check_values(const std::string& body, const OfThread& expected) {
  const Evaluated e(body, {4, 1, 1}, kThreads, 100);
  ASSERT_EQ(e.symbolic.not_analysed, "") << body;
  const SymbolicAccess& access = e.symbolic.accesses.at(0);
  ASSERT_TRUE(access.affine) << body << access.reason;
  std::vector<std::int64_t> values(e.symbolic.forms.atoms(), 0);
  for (values[tid_x] = 0; values[tid_x] < kThreads.x; ++values[tid_x]) {
    const std::int64_t address = e.symbolic.forms.evaluate(access.address, values);
    ASSERT_EQ((address - static_cast<std::int64_t>(kA)) / 4, expected(values[tid_x]))
        << body << "\nthread " << values[tid_x];
  }
}
// The signed value of %r10 after the instructions; %r1 = tidx.
void check_r10(const std::string& instructions, const OfThread& expected) {
  check_values(instructions + "\n" + load_at("%rd1", "%r10"), expected);
}
// The value of %rd10; %rd3 = tidx - 128.
void check_rd10(const std::string& instructions, const OfThread& expected) {
  check_values("add.s32 %r9, %r1, -128; cvt.s64.s32 %rd3, %r9;\n" + instructions +
                   "\nshl.b64 %rd9, %rd10, 2; add.s64 %rd9, %rd1, %rd9; "
                   "ld.global.f32 %f9, [%rd9];",
               expected);
}
std::string why_not(const std::string& instructions, const std::string& index = "%r10") {
  const Evaluated e(instructions + "\n" + load_at("%rd1", index), {4, 1, 1}, kThreads, 100);
  const SymbolicAccess& access = e.symbolic.accesses.back();
  return access.affine ? "affine: " + e.form(e.symbolic.accesses.size() - 1) : access.reason;
}
std::string why_not_wide(const std::string& instructions) {
  return why_not("add.s32 %r9, %r1, -128; cvt.s64.s32 %rd3, %r9;\n" + instructions +
                 "\ncvt.u32.u64 %r10, %rd10;");
}
// What a form of a 32-bit register stands for.
std::int64_t wrapped(std::int64_t value) { return static_cast<std::int32_t>(value); }

TEST(SymbolicInstructions, SumsAndProductsWrapAt32Bits) {
  check_r10("add.s32 %r10, %r1, 5;", [](auto t) { return t + 5; });
  check_r10("sub.s32 %r10, 5, %r1;", [](auto t) { return 5 - t; });
  check_r10("neg.s32 %r10, %r1;", [](auto t) { return -t; });
  check_r10("add.s32 %r10, %r1, 2147483647;", [](auto t) { return wrapped(t + k2To31 - 1); });
  check_r10("mul.lo.s32 %r10, %r1, 50000000;", [](auto t) { return wrapped(t * 50000000); });
  check_r10("mad.lo.s32 %r10, %r1, 7, -3;", [](auto t) { return t * 7 - 3; });
}

TEST(SymbolicInstructions, AWideProductExtendsItsFactorsByTheirSign) {
  check_rd10("mul.wide.s32 %rd10, %r9, 3;", [](auto t) { return (t - 128) * 3; });
  check_rd10("mul.wide.u32 %rd10, %r9, 3;",
             [](auto t) { return (t < 128 ? t - 128 + k2To32 : t - 128) * 3; });
  check_rd10("mad.wide.s32 %rd10, %r9, 3, %rd3;", [](auto t) { return (t - 128) * 4; });
}

TEST(SymbolicInstructions, TheHighHalfOfAProductIsAQuotient) {
  check_r10("mul.hi.u32 %r10, %r1, 100000000;", [](auto t) { return t * 100000000 / k2To32; });
  check_r10("sub.s32 %r9, %r1, 128; mul.hi.s32 %r10, %r9, 100000000;",
            [](auto t) { return floor_of((t - 128) * 100000000, k2To32); });
  check_r10("mad.hi.u32 %r10, %r1, 100000000, %r1;",
            [](auto t) { return t * 100000000 / k2To32 + t; });
}

TEST(SymbolicInstructions, AProductOf24BitsIgnoresHigherBits) {
  // 16777216 + t in 24 bits is t.
  check_r10("add.s32 %r9, %r1, 16777216; mul24.lo.u32 %r10, %r9, 3;", [](auto t) { return t * 3; });
  // 8388608 + t in 24 bits with a sign is t - 8388608.
  check_r10("add.s32 %r9, %r1, 8388608; mad24.lo.s32 %r10, %r9, 2, 1;",
            [](auto t) { return (t - 8388608) * 2 + 1; });
}

TEST(SymbolicInstructions, MinAndMaxCompareByTheTypesSign) {
  check_r10("min.s32 %r10, %r1, 7;", [](auto t) { return std::min<std::int64_t>(t, 7); });
  check_r10("max.s32 %r10, %r1, 7;", [](auto t) { return std::max<std::int64_t>(t, 7); });
  check_r10("sub.s32 %r9, %r1, 3; min.u32 %r10, %r9, 7;",
            [](auto t) { return t < 3 ? 7 : std::min<std::int64_t>(t - 3, 7); });
  check_r10("sub.s32 %r9, %r1, 3; abs.s32 %r10, %r9;", [](auto t) { return std::abs(t - 3); });
}

TEST(SymbolicInstructions, ADivisionRoundsTowardsZero) {
  check_r10("sub.s32 %r9, %r1, 9; div.s32 %r10, %r9, 4;", [](auto t) { return (t - 9) / 4; });
  check_r10("sub.s32 %r9, %r1, 9; rem.s32 %r10, %r9, 4;", [](auto t) { return (t - 9) % 4; });
  check_r10("div.u32 %r10, %r1, %r5;", [](auto t) { return t / 100; });
  check_r10("rem.u32 %r10, %r1, %r5;", [](auto t) { return t % 100; });
  EXPECT_EQ(why_not("div.u32 %r10, 100, %r1;"),
            "its address depends on a division by an index at PTX line 13");
  EXPECT_EQ(why_not("div.s32 %r10, %r1, 0;"),
            "its address depends on a division by an index at PTX line 13");
}

TEST(SymbolicInstructions, ShiftsAreProductsAndQuotients) {
  check_r10("shl.b32 %r10, %r1, 4;", [](auto t) { return t * 16; });
  check_r10("shr.u32 %r10, %r1, 4;", [](auto t) { return t / 16; });
  check_r10("sub.s32 %r9, %r1, 9; shr.s32 %r10, %r9, 2;",
            [](auto t) { return floor_of(t - 9, 4); });
  check_r10("sub.s32 %r9, %r1, 9; shr.u32 %r10, %r9, 2;",
            [](auto t) { return (t < 9 ? t - 9 + k2To32 : t - 9) / 4; });
  EXPECT_EQ(why_not("shl.b32 %r10, 1, %r1;"),
            "its address depends on a shift by an index at PTX line 13");
}

TEST(SymbolicInstructions, AShiftByTheWidthOrMoreKeepsOnlyTheSign) {
  check_r10("shl.b32 %r10, %r1, 32;", [](auto) { return 0; });
  check_r10("shr.u32 %r10, %r1, 99;", [](auto) { return 0; });
  check_r10("shl.b32 %r10, %r1, -1;", [](auto) { return 0; });
  check_r10("sub.s32 %r9, %r1, 9; shr.s32 %r10, %r9, 32;", [](auto t) { return t < 9 ? -1 : 0; });
}

TEST(SymbolicInstructions, AShiftCountIsTakenModulo2To32) {
  // 2^31 + 2^31 + 3 is 3 in 32 bits.
  check_r10(
      "mov.u32 %r9, -2147483648; add.s32 %r9, %r9, %r9; add.s32 %r9, %r9, 3;\n"
      "shl.b32 %r10, %r1, %r9;",
      [](auto t) { return t * 8; });
}

TEST(SymbolicInstructions, AMaskKeepsItsRunsOfOnes) {
  check_r10("and.b32 %r10, %r1, 7;", [](auto t) { return t & 7; });
  check_r10("and.b32 %r10, 170, %r1;", [](auto t) { return t & 170; });
  check_r10("and.b32 %r10, %r1, -8;", [](auto t) { return t & ~7; });
  check_r10("sub.s32 %r9, %r1, 9; and.b32 %r10, %r9, 2147483644;",
            [](auto t) { return (t - 9) & 0x7ffffffc; });
  check_r10("or.b32 %r10, %r1, 20;", [](auto t) { return t | 20; });
  check_r10("xor.b32 %r10, %r1, 20;", [](auto t) { return t ^ 20; });
  check_r10("xor.b32 %r10, %r1, -1;", [](auto t) { return ~t; });
  check_r10("not.b32 %r10, %r1;", [](auto t) { return ~t; });
  // 10101 01010 has five runs.
  EXPECT_EQ(why_not("and.b32 %r10, %r1, 682;"),
            "its address depends on a mask of an index at PTX line 13");
  EXPECT_EQ(why_not("and.b32 %r10, %r1, -251;"),
            "its address depends on a mask of an index at PTX line 13");
}

TEST(SymbolicInstructions, MasksOfNumbersAreNumbers) {
  // n = 100
  check_r10("and.b32 %r10, %r5, 54;", [](auto) { return 100 & 54; });
  check_r10("or.b32 %r10, %r5, 3;", [](auto) { return 103; });
  check_r10("xor.b32 %r10, %r5, -1;", [](auto) { return -101; });
}

TEST(SymbolicInstructions, DisjointBitsOfTwoIndicesAreAdded) {
  check_r10("and.b32 %r8, %r1, 3; shr.u32 %r9, %r1, 4; shl.b32 %r9, %r9, 2; or.b32 %r10, %r8, %r9;",
            [](auto t) { return (t & 3) | (t >> 4 << 2); });
  EXPECT_EQ(why_not("shl.b32 %r9, %r1, 2; or.b32 %r10, %r1, %r9;"),
            "its address depends on combined bits of two indices at PTX line 13");
}

TEST(SymbolicInstructions, ABitFieldIsARemainderOfAQuotient) {
  check_r10("bfe.u32 %r10, %r1, 2, 3;", [](auto t) { return (t >> 2) & 7; });
  EXPECT_NE(why_not("bfe.s32 %r10, %r1, 2, 3;"), "");
}

TEST(SymbolicInstructions, AComparisonIsBySign) {
  const auto chosen = [](const std::string& comparison) {
    return "sub.s32 %r9, %r1, 9;\n" + comparison + " selp.s32 %r10, 1, 0, %p1;";
  };
  check_r10(chosen("setp.lt.s32 %p1, %r9, 5;"), [](auto t) { return t - 9 < 5; });
  check_r10(chosen("setp.le.s32 %p1, %r9, 5;"), [](auto t) { return t - 9 <= 5; });
  check_r10(chosen("setp.gt.s32 %p1, %r9, 5;"), [](auto t) { return t - 9 > 5; });
  check_r10(chosen("setp.ge.s32 %p1, %r9, 5;"), [](auto t) { return t - 9 >= 5; });
  check_r10(chosen("setp.eq.s32 %p1, %r9, -2;"), [](auto t) { return t - 9 == -2; });
  check_r10(chosen("setp.ne.u32 %p1, %r9, -2;"), [](auto t) { return t - 9 != -2; });
  // Negative numbers are large unsigned ones.
  check_r10(chosen("setp.lt.u32 %p1, %r9, 5;"), [](auto t) { return t >= 9 && t < 14; });
  check_r10(chosen("setp.hi.u32 %p1, %r9, 5;"), [](auto t) { return t < 9 || t > 14; });
  check_r10(chosen("setp.ls.u32 %p1, %r9, 5;"), [](auto t) { return t >= 9 && t <= 14; });
  check_r10(chosen("setp.hs.u32 %p1, %r9, 5;"), [](auto t) { return t < 9 || t >= 14; });
}

TEST(SymbolicInstructions, PredicatesAreJoinedAndNegated) {
  const auto chosen = [](const std::string& logic) {
    return "setp.ge.s32 %p1, %r1, 10; setp.lt.s32 %p2, %r1, 20;\n" + logic +
           " selp.s32 %r10, 1, 0, %p3;";
  };
  const auto from = [](auto t) { return t >= 10; };
  const auto below = [](auto t) { return t < 20; };
  check_r10(chosen("and.pred %p3, %p1, %p2;"), [=](auto t) { return from(t) && below(t); });
  check_r10(chosen("or.pred %p3, %p1, %p2;"), [=](auto t) { return from(t) || below(t); });
  check_r10(chosen("xor.pred %p3, %p1, %p2;"), [=](auto t) { return from(t) != below(t); });
  check_r10(chosen("not.pred %p3, %p1;"), [=](auto t) { return !from(t); });
  check_r10(chosen("mov.pred %p3, %p2;"), below);
  check_r10(chosen("setp.ne.and.s32 %p3, %r1, 15, %p1;"),
            [=](auto t) { return t != 15 && from(t); });
  check_r10(chosen("setp.eq.or.s32 %p3, %r1, 5, !%p2;"),
            [=](auto t) { return t == 5 || !below(t); });
  check_r10(chosen("setp.lt.xor.s32 %p3, %r1, 15, %p1;"),
            [=](auto t) { return (t < 15) != from(t); });
}

TEST(SymbolicInstructions, ASecondPredicateIsTheNegation) {
  check_r10("setp.lt.s32 %p1|%p2, %r1, 9; selp.s32 %r10, 1, 0, %p2;",
            [](auto t) { return t >= 9; });
}

TEST(SymbolicInstructions, AGuardedInstructionKeepsTheOldValue) {
  check_r10("mov.u32 %r10, 3; setp.lt.s32 %p1, %r1, 9; @!%p1 mov.u32 %r10, %r1;",
            [](auto t) { return t < 9 ? 3 : t; });
}

TEST(SymbolicInstructions, AConversionExtendsByTheSignOfItsSource) {
  check_rd10("cvt.s64.s32 %rd10, %r9;", [](auto t) { return t - 128; });
  check_rd10("cvt.u64.u32 %rd10, %r9;",
             [](auto t) { return t < 128 ? t - 128 + k2To32 : t - 128; });
}

TEST(SymbolicInstructions, AConversionToANarrowTypeDropsBits) {
  check_r10("cvt.s32.s8 %r10, %r1;", [](auto t) { return static_cast<std::int8_t>(t); });
  check_r10("mul.lo.s32 %r9, %r1, 3; cvt.u32.u8 %r10, %r9;", [](auto t) { return t * 3 % 256; });
  check_r10("mul.lo.s32 %r9, %r1, 300; cvt.u16.u32 %h1, %r9; cvt.u32.u16 %r10, %h1;",
            [](auto t) { return t * 300 % 65536; });
  check_r10("mul.lo.s32 %r9, %r1, 300; cvt.u16.u32 %h1, %r9; cvt.s32.s16 %r10, %h1;",
            [](auto t) { return static_cast<std::int16_t>(t * 300); });
  check_r10("cvt.u64.u32 %rd3, %r1; add.s64 %rd3, %rd3, 4294967291; cvt.u32.u64 %r10, %rd3;",
            [](auto t) { return t - 5; });
}

TEST(SymbolicInstructions, AConversionBetweenNarrowTypesExtendsByTheSignOfItsSource) {
  check_r10("cvt.u16.u32 %h1, %r1; cvt.s16.s8 %h2, %h1; cvt.s32.s16 %r10, %h2;",
            [](auto t) { return static_cast<std::int8_t>(t); });
  check_r10("cvt.u16.u32 %h1, %r1; cvt.u16.s8 %h2, %h1; cvt.u32.u16 %r10, %h2;",
            [](auto t) { return t < 128 ? t : t - 256 + 65536; });
}

TEST(SymbolicInstructions, RegistersArePackedAndUnpacked) {
  check_rd10("mov.b64 %rd10, {%r1, %r9};", [](auto t) { return t + (t - 128) * k2To32; });
  check_r10("sub.s32 %r9, %r1, 128; cvt.s64.s32 %rd3, %r9; mov.b64 {%r8, %r10}, %rd3;",
            [](auto t) { return t < 128 ? -1 : 0; });
  check_r10("sub.s32 %r9, %r1, 128; cvt.s64.s32 %rd3, %r9; mov.b64 {%r10, %r8}, %rd3;",
            [](auto t) { return t - 128; });
  check_r10("mul.lo.s32 %r9, %r1, 70000; mov.b32 {%h1, %h2}, %r9; cvt.u32.u16 %r10, %h2;",
            [](auto t) { return t * 70000 / 65536; });
}

TEST(SymbolicInstructions, A64BitDivisionByAPowerOfTwoRoundsTowardsZero) {
  // As clang writes x / 16: (x + ((x >> 63) >>> 60)) >> 4.
  check_rd10(
      "shr.s64 %rd4, %rd3, 63; shr.u64 %rd5, %rd4, 60; add.s64 %rd6, %rd3, %rd5;\n"
      "shr.s64 %rd10, %rd6, 4;",
      [](auto t) { return (t - 128) / 16; });
}

TEST(SymbolicInstructions, UnsignedOperationsOf64BitsOnNegativeNumbersAreNotAffine) {
  for (const std::string operation :
       {"shr.u64 %rd10, %rd3, 1;", "div.u64 %rd10, %rd3, 3;", "rem.u64 %rd10, %rd3, 3;",
        "min.u64 %rd10, %rd3, 3;", "max.u64 %rd10, %rd3, 3;"})
    EXPECT_EQ(why_not_wide(operation),
              "its address depends on an unsigned operation on a negative number at PTX line 14");
  EXPECT_EQ(why_not_wide("setp.lt.u64 %p1, %rd3, 3; selp.b64 %rd10, 1, 2, %p1;"),
            "its address depends on a branch decides about it: an unsigned operation on a negative "
            "number at PTX line 14");
  check_rd10("shr.u64 %rd10, %rd3, 0;", [](auto t) { return t - 128; });
  check_rd10("cvt.u64.u32 %rd4, %r1; shr.u64 %rd10, %rd4, 3;", [](auto t) { return t / 8; });
  check_rd10("cvt.u64.u32 %rd4, %r1; min.u64 %rd10, %rd4, 3;",
             [](auto t) { return std::min<std::int64_t>(t, 3); });
}

TEST(SymbolicInstructions, WhatIsNotAffineSaysWhy) {
  const auto depends_on = [](const std::string& what) {
    return "its address depends on " + what + " at PTX line 13";
  };
  EXPECT_EQ(why_not("mul.lo.s32 %r10, %r1, %r3;"), depends_on("a product of two indices"));
  EXPECT_EQ(why_not("ld.shared.u32 %r10, [%r1];"), depends_on("data loaded from shared memory"));
  EXPECT_EQ(why_not("ld.global.u32 %r10, [%rd1];"), depends_on("data loaded"));
  EXPECT_EQ(why_not("atom.global.add.u32 %r10, [%rd1], 1;"), depends_on("the result of an atomic"));
  EXPECT_EQ(why_not("shfl.sync.idx.b32 %r10, %r1, 0, 31, -1;"),
            depends_on("a value of another lane"));
  EXPECT_EQ(why_not("mov.u32 %r10, %clock;"), depends_on("a clock"));
  EXPECT_EQ(why_not("cvt.rn.f32.s32 %f1, %r1; cvt.rzi.s32.f32 %r10, %f1;"),
            depends_on("a floating-point value"));
  EXPECT_EQ(why_not("popc.b32 %r10, %r1;"), depends_on("an operation that is not affine"));
  EXPECT_EQ(why_not("add.sat.s32 %r10, %r1, 1;"), depends_on("an operation that is not affine"));
  EXPECT_EQ(why_not("add.cc.u32 %r10, %r1, 1;"), depends_on("an operation that is not affine"));
}

}  // namespace
}  // namespace heddle::analysis
