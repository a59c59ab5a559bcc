#include "analysis/symbolic_evaluation.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/analysis/kernels.h"

namespace heddle::analysis {
namespace {

TEST(SymbolicEvaluation, AnElementByRowAndColumnIsALinearForm) {
  EXPECT_EQ(form_of("mad.lo.s32 %r10, %r4, 16, %r2; mul.lo.s32 %r11, %r10, %r5;\n"
                    "mad.lo.s32 %r12, %r3, 16, %r1; add.s32 %r13, %r11, %r12;\n" +
                        load_at("%rd1", "%r13"),
                    kGrid, kBlock, 128),
            "a + 4*(n*(16*bidy + tidy) + 16*bidx + tidx)");
}

TEST(SymbolicEvaluation, ADivisionByMultiplicationIsAQuotient) {
  // clang divides a thread index by 5 so.
  EXPECT_EQ(form_of("mul.hi.u32 %r10, %r1, -858993459; shr.u32 %r11, %r10, 2;\n" +
                    load_at("%rd1", "%r11")),
            "a + 4*floor(tidx / 5)");
}

TEST(SymbolicEvaluation, AWrapOf32BitsIsAQuotientUnlessAGuardExcludesIt) {
  const std::string shifted =
      "add.s32 %r10, %r1, -1; cvt.u64.u32 %rd3, %r10; shl.b64 %rd4, %rd3, "
      "2; add.s64 %rd5, %rd1, %rd4;\n";
  EXPECT_EQ(form_of(shifted + "ld.global.f32 %f1, [%rd5];"),
            "a + 4*(tidx - 4294967296*floor((4294967295 + tidx) / 4294967296) + 4294967295)");
  EXPECT_EQ(form_of(shifted + "setp.eq.s32 %p1, %r1, 0; @%p1 bra DONE; ld.global.f32 %f1, [%rd5]; "
                              "DONE:"),
            "a + 4*(tidx - 1)");
}

TEST(SymbolicEvaluation, ValuesOfTwoPathsAreAChoice) {
  EXPECT_EQ(form_of("min.s32 %r10, %r1, 7;\n" + load_at("%rd1", "%r10")), "a + 4*min(tidx, 7)");
  EXPECT_EQ(form_of("mov.u32 %r10, 0; setp.lt.s32 %p1, %r1, 4; @%p1 bra JOIN; mov.u32 %r10, %r3; "
                    "JOIN:\n" +
                    load_at("%rd1", "%r10")),
            "a + 4*(3 >= tidx ? 0 : bidx)");
}

TEST(SymbolicEvaluation, ALoopCounterAndAPointerThatIsIncrementedAreOneVariable) {
  const std::string loop =
      "mov.u32 %r10, 0; mul.wide.u32 %rd3, %r1, 4; add.s64 %rd4, %rd1, %rd3;\n"
      "LOOP: ld.global.f32 %f1, [%rd4]; add.s64 %rd4, %rd4, 64; add.s32 %r10, %r10, 1;\n"
      "setp.lt.s32 %p1, %r10, %r5; @%p1 bra LOOP;\n";
  EXPECT_EQ(form_of(loop, kGrid, kBlock, 10), "a + 4*(tidx + 16*i)");
  // Behind the loop the pointer has moved by all iterations.
  EXPECT_EQ(form_of(loop + "ld.global.f32 %f2, [%rd4];", kGrid, kBlock, 10, 0, 1),
            "a + 4*(tidx + 16*n)");
}

TEST(SymbolicEvaluation, NestedLoopsHaveACounterEach) {
  EXPECT_EQ(form_of("mov.u32 %r10, 0;\nOUTER: mov.u32 %r11, 0;\nINNER: mad.lo.s32 %r12, %r10, %r5, "
                    "%r11;\n" +
                        load_at("%rd1", "%r12") +
                        "add.s32 %r11, %r11, 1; setp.lt.s32 %p1, %r11, %r6; @%p1 bra INNER;\n"
                        "add.s32 %r10, %r10, 2; setp.lt.s32 %p2, %r10, %r5; @%p2 bra OUTER;\n",
                    kGrid, kBlock, 20, 6),
            "a + 4*(2*n*i + j)");
}

TEST(SymbolicEvaluation, ALoopWhoseEndDependsOnDataHasAnAffineAccessWithoutACount) {
  const ptx::Kernel kernel =
      kernel_of(kStart + "mov.u32 %r10, 0;\nLOOP: mad.lo.s32 %r11, %r10, 16, %r1;\n" +
                load_at("%rd1", "%r11") +
                "add.s32 %r10, %r10, 1; setp.gt.f32 %p1, %f9, 0f00000000; @%p1 bra LOOP;\n");
  LaunchAnalysis analysis(kernel, shape_of(kernel), {});
  const KernelAnalysis& result = analysis.result();
  ASSERT_EQ(result.accesses.size(), 1u);
  EXPECT_EQ(result.accesses[0].form, "a + 4*(tidx + 16*i)");
  ASSERT_EQ(result.loops.size(), 1u);
  EXPECT_NE(result.loops[0].reason, "");
  EXPECT_NE(result.ctas.incomplete, "");
}

// A loop that carries an address of 32 bits ends, however large the address is.
TEST(SymbolicEvaluation, CodeAfterALoopIsReachedWhenTheLoopCarriesALargeValue) {
  EXPECT_EQ(form_of("mov.u32 %r10, 1073741800; mov.u32 %r11, 20;\n"
                    "LOOP: ld.shared.f32 %f1, [%r10]; add.s32 %r10, %r10, 8; add.s32 %r11, %r11, "
                    "-1; setp.ne.s32 %p1, %r11, 0; @%p1 bra LOOP;\n" +
                    load_at("%rd1", "%r1")),
            "a + 4*tidx");
}

TEST(SymbolicEvaluation, AnIrreducibleKernelIsNotAnalysed) {
  EXPECT_EQ(form_of("setp.eq.s32 %p1, %r1, 0; @%p1 bra SECOND;\nFIRST: add.s32 %r10, %r10, 1; bra "
                    "SECOND;\nSECOND: add.s32 %r11, %r11, 1; setp.lt.s32 %p2, %r11, 9; @%p2 bra "
                    "FIRST;\n"),
            "its control flow has a cycle with two entries");
}

TEST(SymbolicEvaluation, AnAccessHasTheConditionOfItsPath) {
  const Evaluated e("setp.lt.s32 %p1, %r1, 4; @%p1 bra ELSE;\n" + load_at("%rd1", "%r1") +
                    "bra JOIN;\nELSE: " + load_at("%rd2", "%r1") +
                    "JOIN: " + load_at("%rd1", "%r2"));
  EXPECT_EQ(e.condition(0), "tidx >= 4");
  EXPECT_EQ(e.condition(1), "3 >= tidx");
  EXPECT_EQ(e.condition(2), "always");  // both paths join
}

TEST(SymbolicEvaluation, AGuardOfAnAccessIsPartOfItsCondition) {
  const Evaluated e("setp.lt.s32 %p1, %r1, 4; @!%p1 ld.global.f32 %f1, [%rd1];");
  EXPECT_EQ(e.condition(0), "tidx >= 4");
}

TEST(SymbolicEvaluation, LanesThatExitExecuteNothingBehind) {
  const Evaluated e(load_at("%rd1", "%r1") + "setp.ge.s32 %p1, %r1, 4; @%p1 exit;\n" +
                    load_at("%rd2", "%r1"));
  EXPECT_EQ(e.condition(0), "always");
  EXPECT_EQ(e.condition(1), "3 >= tidx");
}

TEST(SymbolicEvaluation, NestedGuardsAreJoined) {
  const Evaluated e(
      "setp.ge.s32 %p1, %r1, 4; @%p1 bra DONE; setp.ge.s32 %p1, %r2, 2; @%p1 bra "
      "DONE;\n" +
      load_at("%rd1", "%r1") + "DONE:\n");
  EXPECT_EQ(e.condition(0), "3 >= tidx && 1 >= tidy");
}

TEST(SymbolicEvaluation, ABranchOnDataDecidesAboutAddressesBehindIt) {
  const Evaluated e(load_at("%rd1", "%r1") +
                    "mov.u32 %r10, 1; setp.gt.f32 %p1, %f9, 0f00000000; @%p1 bra JOIN; mov.u32 "
                    "%r10, 2;\nJOIN: " +
                    load_at("%rd1", "%r10"));
  EXPECT_EQ(e.symbolic.accesses[1].reason,
            "its address depends on a branch decides about it: data loaded at PTX line 13");
  EXPECT_EQ(e.condition(1), "always");
}

TEST(SymbolicEvaluation, TwoComparisonsOfOneLoadedValueAreTwoConditions) {
  // Where the word is not above 0 and below 0.
  const Evaluated e(load_at("%rd1", "%r1") +
                    "setp.gt.f32 %p1, %f9, 0f00000000; @%p1 bra DONE; setp.lt.f32 %p2, %f9, "
                    "0f00000000; @!%p2 bra DONE;\n" +
                    load_at("%rd2", "%r1") + "DONE:\n");
  ASSERT_EQ(e.symbolic.accesses.size(), 2u);
  EXPECT_EQ(e.condition(1), "data-dependent && data-dependent");
}

TEST(SymbolicEvaluation, AJoinWithinAGuardHasTheConditionOfTheGuard) {
  const Evaluated e(
      "setp.ge.s32 %p1, %r1, 4; @%p1 bra DONE; setp.lt.s32 %p2, %r2, 2; @%p2 bra "
      "JOIN; add.s32 %r3, %r3, 1;\nJOIN: " +
      load_at("%rd1", "%r1") + "DONE:\n");
  EXPECT_EQ(e.condition(0), "3 >= tidx");
}

TEST(SymbolicEvaluation, ABlockThatSomePathsReachHasTheConditionOfAny) {
  const Evaluated e(
      "setp.lt.s32 %p1, %r1, 4; @%p1 bra SOME; setp.lt.s32 %p2, %r2, 2; @%p2 bra "
      "SOME; bra DONE;\nSOME: " +
      load_at("%rd1", "%r1") + "DONE:\n");
  EXPECT_EQ(e.condition(0), "3 >= tidx || 1 >= tidy");
}

TEST(SymbolicEvaluation, ABlockThatNoPathReachesHasNoAccess) {
  const Evaluated e("setp.lt.s32 %p1, %r1, 16; @%p1 bra DONE;\n" + load_at("%rd1", "%r1") +
                    "DONE:\n");
  EXPECT_TRUE(e.symbolic.accesses.empty());
}

TEST(SymbolicEvaluation, OnlyGlobalAndLocalMemoryIsDescribed) {
  const Evaluated e(
      ".shared .align 4 .b8 s[64]; .local .align 4 .b8 l[64];\n"
      "mov.u32 %r10, s; ld.shared.f32 %f1, [%r10]; mov.u32 %r11, l; st.local.f32 "
      "[%r11], %f1; ld.f32 %f2, [%rd1]; red.global.add.u32 [%rd1], 1;");
  ASSERT_EQ(e.symbolic.accesses.size(), 3u);
  EXPECT_EQ(e.symbolic.accesses[0].space, ptx::Space::local);
  EXPECT_TRUE(e.symbolic.accesses[0].store);
  EXPECT_EQ(e.symbolic.accesses[1].space, ptx::Space::global);  // of a generic address
  EXPECT_FALSE(e.symbolic.accesses[1].store);
  EXPECT_TRUE(e.symbolic.accesses[2].store);  // an atomic
}

TEST(SymbolicEvaluation, AGenericAddressOfSharedMemoryIsNoAccess) {
  const Evaluated e(".shared .align 4 .b8 s[64];\ncvta.shared.u64 %rd3, s; ld.f32 %f1, [%rd3];");
  EXPECT_TRUE(e.symbolic.accesses.empty());
}

TEST(SymbolicEvaluation, AnAccessHasItsLoopAndBytes) {
  const Evaluated e(
      "mov.u32 %r10, 0;\nLOOP: ld.global.v2.f32 {%f1, %f2}, [%rd1 + 8]; add.s32 %r10, "
      "%r10, 1; setp.lt.s32 %p1, %r10, 4; @%p1 bra LOOP; ld.global.u8 %h1, [%rd1];");
  ASSERT_EQ(e.symbolic.accesses.size(), 2u);
  EXPECT_EQ(e.symbolic.accesses[0].loop, 0u);
  EXPECT_EQ(e.symbolic.accesses[0].bytes, 8u);
  EXPECT_EQ(e.form(0), "a + 8");
  EXPECT_EQ(e.symbolic.accesses[1].loop, ptx::Loop::kNone);
  EXPECT_EQ(e.symbolic.accesses[1].bytes, 1u);
}

TEST(SymbolicEvaluation, ANumberBeyond63BitsEndsTheFormAndNotTheAnalysis) {
  const Evaluated e(
      "cvt.u64.u32 %rd3, %r1; mul.lo.s64 %rd3, %rd3, 4611686018427387904; mul.lo.s64 "
      "%rd3, %rd3, 4; add.s64 %rd3, %rd1, %rd3; ld.global.f32 %f1, [%rd3];");
  EXPECT_EQ(e.symbolic.not_analysed, "");
  EXPECT_EQ(e.symbolic.accesses[0].reason,
            "its address depends on a number that does not fit into 63 bits, at PTX line 13");
}

TEST(SymbolicEvaluation, LoopsThatAreTooDeepAreNotAnalysed) {
  for (const int depth : {30, 16000}) {
    std::string body;
    for (int n = 0; n < depth; ++n) body += fmt::format("L{}: add.u32 %r10, %r10, 1;\n", n);
    for (int n = depth; n-- > 0;)
      body += fmt::format("setp.lt.u32 %p1, %r10, %r5;\n@%p1 bra L{};\n", n);
    EXPECT_EQ(Evaluated(body).symbolic.not_analysed,
              "it has too many instructions in nested loops");
  }
}

}  // namespace
}  // namespace heddle::analysis
