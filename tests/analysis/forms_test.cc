#include <gtest/gtest.h>

#include "tests/analysis/kernels.h"

namespace heddle::analysis {
namespace {

const Dim3 kGrid{8, 4, 1}, kBlock{16, 16, 1};

TEST(Forms, AnElementByRowAndColumnIsALinearForm) {
  EXPECT_EQ(form_of("mad.lo.s32 %r10, %r4, 16, %r2; mul.lo.s32 %r11, %r10, %r5;\n"
                    "mad.lo.s32 %r12, %r3, 16, %r1; add.s32 %r13, %r11, %r12;\n" +
                        load_at("%rd1", "%r13"),
                    kGrid, kBlock, 128),
            "a + 4*(n*(16*bidy + tidy) + 16*bidx + tidx)");
}

TEST(Forms, ShiftsAndMasksOfLowBitsAreQuotientsAndRemainders) {
  EXPECT_EQ(form_of("shr.u32 %r10, %r1, 3;\n" + load_at("%rd1", "%r10"), kGrid, kBlock),
            "a + 4*floor(tidx / 8)");
  EXPECT_EQ(form_of("and.b32 %r10, %r1, 7;\n" + load_at("%rd1", "%r10"), kGrid, kBlock),
            "a + 4*(tidx - 8*floor(tidx / 8))");
  EXPECT_EQ(form_of("shl.b32 %r10, %r3, 4; or.b32 %r11, %r10, %r1;\n" + load_at("%rd1", "%r11"),
                    kGrid, kBlock),
            "a + 4*(16*bidx + tidx)");
}

TEST(Forms, ADivisionByMultiplicationIsAQuotient) {
  // clang divides a thread index by 5 so.
  EXPECT_EQ(form_of("mul.hi.u32 %r10, %r1, -858993459; shr.u32 %r11, %r10, 2;\n" +
                        load_at("%rd1", "%r11"),
                    kGrid, kBlock),
            "a + 4*floor(tidx / 5)");
}

TEST(Forms, AWrapOf32BitsIsAQuotientUnlessAGuardExcludesIt) {
  const std::string shifted =
      "add.s32 %r10, %r1, -1; cvt.u64.u32 %rd3, %r10; shl.b64 %rd4, %rd3, "
      "2; add.s64 %rd5, %rd1, %rd4;\n";
  EXPECT_EQ(form_of(shifted + "ld.global.f32 %f1, [%rd5];", kGrid, kBlock),
            "a + 4*(tidx - 4294967296*floor((4294967295 + tidx) / 4294967296) + 4294967295)");
  EXPECT_EQ(form_of(shifted + "setp.eq.s32 %p1, %r1, 0; @%p1 bra DONE; ld.global.f32 %f1, [%rd5]; "
                              "DONE:",
                    kGrid, kBlock),
            "a + 4*(tidx - 1)");
}

TEST(Forms, ValuesOfTwoPathsAreAChoice) {
  EXPECT_EQ(form_of("min.s32 %r10, %r1, 7;\n" + load_at("%rd1", "%r10"), kGrid, kBlock),
            "a + 4*min(tidx, 7)");
  EXPECT_EQ(form_of("mov.u32 %r10, 0; setp.lt.s32 %p1, %r1, 4; @%p1 bra JOIN; mov.u32 %r10, %r3; "
                    "JOIN:\n" +
                        load_at("%rd1", "%r10"),
                    kGrid, kBlock),
            "a + 4*(3 >= tidx ? 0 : bidx)");
}

TEST(Forms, ALoopCounterAndAPointerThatIsIncrementedAreOneVariable) {
  const std::string loop =
      "mov.u32 %r10, 0; mul.wide.u32 %rd3, %r1, 4; add.s64 %rd4, %rd1, %rd3;\n"
      "LOOP: ld.global.f32 %f1, [%rd4]; add.s64 %rd4, %rd4, 64; add.s32 %r10, %r10, 1;\n"
      "setp.lt.s32 %p1, %r10, %r5; @%p1 bra LOOP;\n";
  EXPECT_EQ(form_of(loop, kGrid, kBlock, 10), "a + 4*(tidx + 16*i)");
  // Behind the loop the pointer has moved by all iterations.
  EXPECT_EQ(form_of(loop + "ld.global.f32 %f2, [%rd4];", kGrid, kBlock, 10, 0, 1),
            "a + 4*(tidx + 16*n)");
}

TEST(Forms, NestedLoopsHaveACounterEach) {
  EXPECT_EQ(form_of("mov.u32 %r10, 0;\nOUTER: mov.u32 %r11, 0;\nINNER: mad.lo.s32 %r12, %r10, %r5, "
                    "%r11;\n" +
                        load_at("%rd1", "%r12") +
                        "add.s32 %r11, %r11, 1; setp.lt.s32 %p1, %r11, %r6; @%p1 bra INNER;\n"
                        "add.s32 %r10, %r10, 2; setp.lt.s32 %p2, %r10, %r5; @%p2 bra OUTER;\n",
                    kGrid, kBlock, 20, 6),
            "a + 4*(2*n*i + j)");
}

TEST(Forms, WhatIsNotAffineHasAReason) {
  EXPECT_EQ(form_of(load_at("%rd1", "%r1") + "mov.b32 %r10, %f9;\n" + load_at("%rd2", "%r10"),
                    kGrid, kBlock, 0, 0, 1),
            "not affine: its address depends on data loaded at PTX line 13");
  EXPECT_EQ(form_of("mul.lo.s32 %r10, %r1, %r3;\n" + load_at("%rd1", "%r10"), kGrid, kBlock),
            "not affine: its address depends on a product of two indices at PTX line 13");
  EXPECT_EQ(form_of("mov.u32 %r10, 1;\nLOOP: " + load_at("%rd1", "%r10") +
                        "shl.b32 %r10, %r10, 1; setp.lt.s32 %p1, %r10, 64; @%p1 bra LOOP;\n",
                    kGrid, kBlock),
            "not affine: its address depends on a value that the loop at PTX line 14 changes other "
            "than by a "
            "constant step");
  EXPECT_EQ(form_of("atom.global.add.u32 %r10, [%rd1], 1;\n" + load_at("%rd2", "%r10"), kGrid,
                    kBlock, 0, 0, 1),
            "not affine: its address depends on the result of an atomic at PTX line 13");
}

TEST(Forms, ALoopWhoseEndDependsOnDataHasAnAffineAccessWithoutACount) {
  const ptx::Kernel kernel =
      kernel_of(kStart + "mov.u32 %r10, 0;\nLOOP: mad.lo.s32 %r11, %r10, 16, %r1;\n" +
                load_at("%rd1", "%r11") +
                "add.s32 %r10, %r10, 1; setp.gt.f32 %p1, %f9, 0f00000000; @%p1 bra LOOP;\n");
  LaunchAnalysis analysis(kernel, shape_of(kernel, kGrid, kBlock), {});
  const KernelAnalysis& result = analysis.result();
  ASSERT_EQ(result.accesses.size(), 1u);
  EXPECT_EQ(result.accesses[0].form, "a + 4*(tidx + 16*i)");
  ASSERT_EQ(result.loops.size(), 1u);
  EXPECT_NE(result.loops[0].reason, "");
  EXPECT_NE(result.ctas.incomplete, "");
}

// 3000 - tidx times 13421773 divided by 2^32 is 9 for the first 120 threads, then 8.
TEST(Forms, AQuotientBy2To32ThatCountsIterationsIsNoWrap) {
  EXPECT_EQ(form_of("sub.s32 %r10, 3000, %r1; mul.hi.u32 %r11, %r10, 13421773; mov.u32 %r12, %r1;\n"
                    "LOOP: add.s32 %r12, %r12, 320; add.s32 %r11, %r11, -1; setp.ne.s32 %p1, %r11, "
                    "0; @%p1 bra LOOP;\n" +
                        load_at("%rd1", "%r12"),
                    kGrid, {320, 1, 1}),
            "a + 4*(tidx + 320*floor((1610613336 - 13421773*tidx) / 4294967296) + 2880)");
}

// A loop that carries an address of 32 bits ends, however large the address is.
TEST(Forms, CodeAfterALoopIsReachedWhenTheLoopCarriesALargeValue) {
  EXPECT_EQ(form_of("mov.u32 %r10, 1073741800; mov.u32 %r11, 20;\n"
                    "LOOP: ld.shared.f32 %f1, [%r10]; add.s32 %r10, %r10, 8; add.s32 %r11, %r11, "
                    "-1; setp.ne.s32 %p1, %r11, 0; @%p1 bra LOOP;\n" +
                        load_at("%rd1", "%r1"),
                    kGrid, kBlock),
            "a + 4*tidx");
}

TEST(Forms, AnIrreducibleKernelIsNotAnalysed) {
  EXPECT_EQ(form_of("setp.eq.s32 %p1, %r1, 0; @%p1 bra SECOND;\nFIRST: add.s32 %r10, %r10, 1; bra "
                    "SECOND;\nSECOND: add.s32 %r11, %r11, 1; setp.lt.s32 %p2, %r11, 9; @%p2 bra "
                    "FIRST;\n",
                    kGrid, kBlock),
            "its control flow has a cycle with two entries");
}

}  // namespace
}  // namespace heddle::analysis
