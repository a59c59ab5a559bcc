#include "analysis/loop_bounds.h"

#include <gtest/gtest.h>

#include "tests/analysis/kernels.h"

namespace heddle::analysis {
namespace {

const Dim3 kOneCta{1, 1, 1}, kWarpOfThreads{32, 1, 1};

// The number of the last iteration of a loop with this start of %r10 and this end. n = 10, m = 4.
std::string last_of(const std::string& start, const std::string& end) {
  return Evaluated(start + "\nLOOP: " + load_at("%rd1", "%r10") + end + " @%p1 bra LOOP;\n",
                   {4, 1, 1}, kWarpOfThreads, 10, 4)
      .last(0);
}

TEST(LoopBounds, ACountUpwardsEndsAtItsBound) {
  EXPECT_EQ(last_of("mov.u32 %r10, 0;", "add.s32 %r10, %r10, 1; setp.lt.s32 %p1, %r10, %r5;"),
            "-1 + n");
  EXPECT_EQ(last_of("mov.u32 %r10, 0;", "add.s32 %r10, %r10, 1; setp.le.s32 %p1, %r10, %r5;"), "n");
  // 0, 3, 6, 9
  EXPECT_EQ(last_of("mov.u32 %r10, 0;", "add.s32 %r10, %r10, 3; setp.lt.s32 %p1, %r10, 10;"), "3");
  EXPECT_EQ(last_of("mov.u32 %r10, 0;", "add.s32 %r10, %r10, 3; setp.lt.s32 %p1, %r10, 9;"), "2");
}

TEST(LoopBounds, ACountDownwardsEndsAtItsBound) {
  EXPECT_EQ(last_of("mov.u32 %r10, 7;", "add.s32 %r10, %r10, -1; setp.ge.s32 %p1, %r10, 0;"), "7");
  EXPECT_EQ(last_of("mov.u32 %r10, 8;", "add.s32 %r10, %r10, -3; setp.gt.s32 %p1, %r10, 0;"), "2");
  EXPECT_EQ(last_of("mov.u32 %r10, 8;", "add.s32 %r10, %r10, -2; setp.ne.s32 %p1, %r10, 0;"), "3");
}

TEST(LoopBounds, AnEqualityEndsTheLoopThatNothingElseEnds) {
  EXPECT_EQ(last_of("mov.u32 %r10, 0;", "add.s32 %r10, %r10, 2; setp.ne.s32 %p1, %r10, %r5;"), "4");
  EXPECT_EQ(last_of("mov.u32 %r10, %r1;", "add.s32 %r10, %r10, 1; setp.ne.s32 %p1, %r10, 64;"),
            "-tidx + 63");
}

TEST(LoopBounds, ALoopThatIsTestedAtItsEndHasAnIteration) {
  EXPECT_EQ(last_of("mov.u32 %r10, 20;", "add.s32 %r10, %r10, 1; setp.lt.s32 %p1, %r10, %r5;"),
            "0");
  // tidx + 1 < 4 for the first 3 threads only.
  EXPECT_EQ(last_of("mov.u32 %r10, %r1;", "add.s32 %r10, %r10, 1; setp.lt.s32 %p1, %r10, %r6;"),
            "max(-tidx - 1 + m, 0)");
}

TEST(LoopBounds, AStrideOverTheGridDependsOnTheThread) {
  // i = 32 * bidx + tidx; i < 300; i += 128: the thread has ceil((300 - i) / 128) iterations.
  const Evaluated e("mad.lo.s32 %r10, %r3, 32, %r1;\nLOOP: " + load_at("%rd1", "%r10") +
                        "add.s32 %r10, %r10, 128; setp.lt.s32 %p1, %r10, 300; @%p1 bra LOOP;\n",
                    {4, 1, 1}, kWarpOfThreads);
  ASSERT_TRUE(e.symbolic.loops[0].counted);
  std::vector<std::int64_t> values(e.symbolic.forms.atoms(), 0);
  for (std::int64_t i = 0; i < 128; ++i) {
    values[ctaid_x] = i / 32, values[tid_x] = i % 32;
    EXPECT_EQ(e.symbolic.forms.evaluate(e.symbolic.loops[0].last, values), (299 - i) / 128);
  }
}

TEST(LoopBounds, ALoopThatIsTestedAtItsHeaderBeginsAnIterationMore) {
  const Evaluated e("mov.u32 %r10, 0;\nLOOP: setp.ge.s32 %p1, %r10, %r5; @%p1 bra DONE;\n" +
                        load_at("%rd1", "%r10") + "add.s32 %r10, %r10, 1; bra LOOP;\nDONE:\n",
                    kOneCta, kWarpOfThreads, 10);
  EXPECT_EQ(e.last(0), "n");
  EXPECT_EQ(e.condition(0), "-1 + n >= i");
}

// for (i = start; i < 64; i += step) if (i == tidx) break;
std::string last_with_break(const std::string& start, const std::string& step,
                            const std::string& value) {
  return Evaluated("mov.u32 %r10, " + start + ";\nLOOP: " + load_at("%rd1", "%r10") +
                       "setp.eq.s32 %p1, %r10, " + value +
                       "; @%p1 bra DONE;\nadd.s32 %r10, %r10, " + step +
                       "; setp.lt.s32 %p1, %r10, 64; @%p1 bra LOOP;\nDONE:\n",
                   kOneCta, kWarpOfThreads)
      .last(0);
}

TEST(LoopBounds, TheFirstOfSeveralExitsEndsTheLoop) {
  EXPECT_EQ(last_with_break("0", "1", "%r1"), "tidx");
  EXPECT_EQ(last_with_break("0", "1", "70"), "63");
  EXPECT_EQ(last_with_break("0", "2", "6"), "3");
}

TEST(LoopBounds, AnEqualityThatMayNeverHoldDoesNotCount) {
  // Odd threads never see their number among 0, 2, 4; the first threads not among 5, 6, 7.
  EXPECT_EQ(last_with_break("0", "2", "%r1"), "not counted: its exit condition is not affine");
  EXPECT_EQ(last_with_break("5", "1", "%r1"), "not counted: its exit condition is not affine");
  EXPECT_EQ(last_with_break("0", "2", "7"), "not counted: its exit condition is not affine");
}

TEST(LoopBounds, ExitsOnDifferentPathsOfAnIterationHaveNoCommonCount) {
  // The first 9 threads end at i == 20, the others at i == 30.
  EXPECT_EQ(
      Evaluated("mov.u32 %r10, 0; setp.lt.s32 %p1, %r1, 9;\nLOOP: " + load_at("%rd1", "%r10") +
                    "@%p1 bra FIRST;\nsetp.eq.s32 %p2, %r10, 30; @%p2 bra DONE; bra NEXT;\n"
                    "FIRST: setp.eq.s32 %p2, %r10, 20; @%p2 bra DONE;\n"
                    "NEXT: add.s32 %r10, %r10, 1; bra LOOP;\nDONE:\n",
                kOneCta, kWarpOfThreads)
          .last(0),
      "not counted: an exit of the loop is under a condition");
}

TEST(LoopBounds, AnInnerLoopsEndMayDependOnTheOuterCounter) {
  const Evaluated e("mov.u32 %r10, 0;\nOUTER: mov.u32 %r11, 0;\nINNER: " + load_at("%rd1", "%r11") +
                        "add.s32 %r11, %r11, 1; setp.le.s32 %p1, %r11, %r10; @%p1 bra INNER;\n"
                        "add.s32 %r10, %r10, 1; setp.lt.s32 %p2, %r10, %r5; @%p2 bra OUTER;\n",
                    kOneCta, kWarpOfThreads, 10);
  EXPECT_EQ(e.last(0), "-1 + n");
  EXPECT_EQ(e.last(1), "i");
}

TEST(LoopBounds, ALoopWithoutACountSaysWhy) {
  EXPECT_EQ(last_of("mov.u32 %r10, 0;", "add.s32 %r10, %r10, 1; setp.gt.f32 %p1, %f9, 0f00000000;"),
            "not counted: its number of iterations depends on data loaded at PTX line 14");
  EXPECT_EQ(last_of("mov.u32 %r10, 1;", "shl.b32 %r10, %r10, 1; setp.lt.s32 %p1, %r10, 64;"),
            "not counted: its number of iterations depends on a value that the loop at PTX line 14 "
            "changes other than by a constant step");
  EXPECT_EQ(Evaluated("mov.u32 %r10, 0;\nLOOP: " + load_at("%rd1", "%r10") +
                          "add.s32 %r10, %r10, 1; bra LOOP;\n",
                      kOneCta, kWarpOfThreads)
                .last(0),
            "not counted: it has no exit");
  // The bound moves away with the counter.
  EXPECT_EQ(last_of("mov.u32 %r10, 0;", "add.s32 %r10, %r10, -1; setp.lt.s32 %p1, %r10, 10;"),
            "not counted: its exit condition is not affine");
}

// The form of a register that a loop of four iterations carries, in the loop and behind it.
std::string carried(const std::string& first, const std::string& step, std::size_t access) {
  const Evaluated e("mov.u32 %r11, 0; " + first + "\nLOOP: " + load_at("%rd1", "%r10") + step +
                        "add.s32 %r11, %r11, 1; setp.lt.s32 %p1, %r11, 4; @%p1 bra LOOP;\n" +
                        load_at("%rd1", "%r10"),
                    kOneCta, kWarpOfThreads, 10);
  const SymbolicAccess& a = e.symbolic.accesses.at(access);
  return a.affine ? e.form(access) : a.reason;
}

TEST(LoopBounds, AConstantStepIsAProductWithTheCounter) {
  EXPECT_EQ(carried("mov.u32 %r10, %r1;", "add.s32 %r10, %r10, %r5;", 0), "a + 4*(tidx + n*i)");
  EXPECT_EQ(carried("mov.u32 %r10, %r1;", "add.s32 %r10, %r10, %r5;", 1), "a + 4*(tidx + 4*n)");
  EXPECT_EQ(carried("mov.u32 %r10, 20;", "add.s32 %r10, %r10, -2;", 1), "a + 48");
}

TEST(LoopBounds, AValueThatIsAssignedInTheLoopDiffersInTheFirstIteration) {
  EXPECT_EQ(carried("mov.u32 %r10, %r1;", "mov.u32 %r10, %r5;", 0), "a + 4*(i == 0 ? tidx : n)");
  EXPECT_EQ(carried("mov.u32 %r10, %r1;", "mov.u32 %r10, %r1;", 0), "a + 4*tidx");
}

TEST(LoopBounds, OtherChangesAreNotAffine) {
  EXPECT_EQ(carried("mov.u32 %r10, %r1;", "add.s32 %r10, %r10, %r11;", 0),
            "its address depends on a value that the loop at PTX line 14 changes other than by a "
            "constant step");
  EXPECT_EQ(carried("mov.u32 %r10, %r1;", "add.s32 %r10, %r10, %r1;", 0),
            "its address depends on a product of an index and the iterations of the loop at PTX "
            "line 14");
}

TEST(LoopBounds, WhatWasLoadedBeforeTheLoopKeepsItsReason) {
  EXPECT_EQ(carried("ld.global.u32 %r10, [%rd1];", "add.s32 %r10, %r10, 1;", 1),
            "its address depends on data loaded at PTX line 13");
}

TEST(LoopBounds, WithoutACountValuesStayBelow2To30) {
  const Evaluated e("mov.u32 %r10, 0;\nLOOP: " + load_at("%rd1", "%r10") +
                        "add.s32 %r10, %r10, 128; setp.gt.f32 %p1, %f9, 0f00000000; @%p1 bra "
                        "LOOP;\n",
                    kOneCta, kWarpOfThreads);
  const AtomId counter = e.symbolic.loops[0].counter;
  EXPECT_EQ(e.symbolic.forms.atom(counter).interval.high, (1 << 30) / 128);
  EXPECT_EQ(e.form(0), "a + 512*i");  // no quotient by 2^32
}

TEST(LoopBounds, BehindALoopWithoutACountItsCounterIsUnknown) {
  const Evaluated e(
      "mov.u32 %r10, 0;\nLOOP: " + load_at("%rd1", "%r10") +
          "add.s32 %r10, %r10, 1; setp.gt.f32 %p1, %f9, 0f00000000; @%p1 bra LOOP;\n" +
          load_at("%rd1", "%r10") + load_at("%rd1", "%r1"),
      kOneCta, kWarpOfThreads);
  EXPECT_EQ(e.symbolic.accesses[1].reason,
            "its address depends on the number of iterations of the loop at PTX line 14, which is "
            "not known");
  EXPECT_EQ(e.form(2), "a + 4*tidx");  // what the loop does not change
}

TEST(LoopBounds, CountersAreNamedByDepth) {
  const std::string loop = "LOOP: add.s32 %r10, %r10, 1; " + load_at("%rd1", "%r10") +
                           "setp.lt.s32 %p1, %r10, 9; @%p1 bra LOOP;\n";
  std::string second = loop;
  for (std::size_t at; (at = second.find("LOOP")) != std::string::npos;) second.replace(at, 4, "B");
  const Evaluated e("mov.u32 %r10, -1;\n" + loop + "mov.u32 %r10, -1;\n" + second, kOneCta,
                    kWarpOfThreads);
  EXPECT_EQ(e.form(0), "a + 4*i");
  EXPECT_EQ(e.form(1), "a + 4*i2");
}

// 3000 - tidx times 13421773 divided by 2^32 is 9 for the first 120 threads, then 8.
TEST(LoopBounds, AQuotientBy2To32ThatCountsIterationsIsNoWrap) {
  EXPECT_EQ(form_of("sub.s32 %r10, 3000, %r1; mul.hi.u32 %r11, %r10, 13421773; mov.u32 %r12, %r1;\n"
                    "LOOP: add.s32 %r12, %r12, 320; add.s32 %r11, %r11, -1; setp.ne.s32 %p1, %r11, "
                    "0; @%p1 bra LOOP;\n" +
                        load_at("%rd1", "%r12"),
                    {8, 4, 1}, {320, 1, 1}),
            "a + 4*(tidx + 320*floor((1610613336 - 13421773*tidx) / 4294967296) + 2880)");
}

}  // namespace
}  // namespace heddle::analysis
