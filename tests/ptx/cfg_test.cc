#include <gtest/gtest.h>

#include "ptx_text.h"

namespace heddle::ptx {
namespace {

TEST(ControlFlow, ADiamondReconvergesAtItsJoin) {
  const Kernel k = lower_body(
      "@%p1 bra THEN;\nmov.u32 %r1, 1;\nbra.uni JOIN;\nTHEN: mov.u32 %r1, 2;\nJOIN: mov.u32 %r2, "
      "%r1;\nret;");
  EXPECT_EQ(k.code[0].target, 3u);
  EXPECT_EQ(k.code[0].reconvergence, 4u);
  EXPECT_EQ(k.code[2].reconvergence, kNoPc);
  EXPECT_TRUE(k.code[2].uniform);
}

TEST(ControlFlow, ALoopReconvergesAfterItsBackEdge) {
  const Kernel k = lower_body(
      "mov.u32 %r1, 0;\nL: add.s32 %r1, %r1, 1;\nsetp.lt.s32 %p1, %r1, 9;\n@%p1 bra L;\nret;");
  EXPECT_EQ(k.code[3].reconvergence, 4u);
  ASSERT_EQ(k.loops.size(), 1u);
  EXPECT_EQ(k.loops[0].header, 1u);
  EXPECT_EQ(k.loops[0].back_edges, std::vector<Pc>{3});
  EXPECT_TRUE(k.code[1].loop_header);
  EXPECT_FALSE(k.code[2].loop_header);
  EXPECT_EQ(k.code[3].loop, 0);
  EXPECT_EQ(k.code[4].loop, Loop::kNone);
}

TEST(ControlFlow, NestedLoopsAreListedOutermostFirst) {
  const Kernel k = lower_body(
      "A: mov.u32 %r1, 0;\nB: add.s32 %r1, %r1, 1;\n@%p1 bra B;\n@%p2 bra A;\nC: @%p3 bra "
      "C;\nret;");
  ASSERT_EQ(k.loops.size(), 3u);
  EXPECT_EQ(k.loops[0].header, 0u);
  EXPECT_EQ(k.loops[0].depth, 1);
  const Loop& inner = k.loops[k.code[1].loop];
  EXPECT_EQ(inner.header, 1u);
  EXPECT_EQ(inner.depth, 2);
  EXPECT_EQ(inner.parent, 0);
  EXPECT_TRUE(k.loops[0].contains(2));
  EXPECT_FALSE(k.loops[0].contains(4));
}

TEST(ControlFlow, TwoBackEdgesToOneHeaderAreOneLoop) {
  const Kernel k =
      lower_body("A: mov.u32 %r1, 0;\n@%p1 bra A;\nmov.u32 %r2, 0;\n@%p2 bra A;\nret;");
  ASSERT_EQ(k.loops.size(), 1u);
  EXPECT_EQ(k.loops[0].back_edges.size(), 2u);
}

TEST(ControlFlow, AGuardedExitIsABranchToTheEnd) {
  const Kernel k = lower_body("@%p1 bra X;\n@%p2 exit;\nmov.u32 %r1, 1;\nX: mov.u32 %r2, 2;\nret;");
  EXPECT_EQ(k.code[0].reconvergence, kNoPc);  // some lanes may never reach X
}

TEST(ControlFlow, ABranchAroundAnEarlyReturnReconvergesAtTheEnd) {
  const Kernel k = lower_body("@%p1 bra X;\nret;\nX: mov.u32 %r2, 2;\nret;");
  EXPECT_EQ(k.code[0].reconvergence, kNoPc);
}

TEST(ControlFlow, EarlyExitsAreIgnoredBeforeAShuffle) {
  const std::string shuffle =
      "JOIN: shfl.sync.bfly.b32 %r3, %r1, 1, 31, -1;\nst.global.u32 [%rd1], %r3;\nEND: ret;";
  const std::string nested =
      "@%p1 bra OTHER;\n@%p2 bra END;\nmov.u32 %r1, 1;\nbra.uni JOIN;\nOTHER: mov.u32 %r1, 2;\n";
  const Kernel k = lower_body(nested + shuffle);
  EXPECT_EQ(k.code[0].reconvergence, 5u);
  EXPECT_EQ(k.code[1].reconvergence, 2u);  // the exiting lanes are gone
  const Kernel alone =
      lower_body(nested + "JOIN: mov.u32 %r3, %r1;\nst.global.u32 [%rd1], %r3;\nEND: ret;");
  EXPECT_EQ(alone.code[0].reconvergence, 7u) << "no warp-synchronous instruction follows";
  const Kernel loop = lower_body("L: @%p1 bra END;\nadd.s32 %r1, %r1, 1;\n@%p2 bra L;\n" + shuffle);
  EXPECT_EQ(loop.code[2].reconvergence, 3u);
  const Kernel side_exit = lower_body(
      "@%p1 bra OTHER;\n@!%p2 bra ON;\nst.global.u32 [%rd1], %r1;\nbra.uni END;\nON: mov.u32 %r1, "
      "1;\nbra.uni JOIN;\nOTHER: mov.u32 %r1, 2;\n" +
      shuffle);
  EXPECT_EQ(side_exit.code[0].reconvergence, 7u);
  const Kernel out = lower_body(
      "L: @%p1 bra ON;\n@%p2 bra OUT;\nON: shfl.sync.bfly.b32 %r3, %r1, 1, 31, -1;\n@%p3 bra "
      "L;\nOUT: st.global.u32 [%rd1], %r3;\nret;");
  EXPECT_EQ(out.code[0].reconvergence, 2u)
      << "the exit of the loop leads to an end that other paths share";
  EXPECT_EQ(out.code[3].reconvergence, 4u);
  const Kernel guard = lower_body("@%p1 bra END;\nmov.u32 %r1, 2;\n" + shuffle);
  EXPECT_EQ(guard.code[0].reconvergence, 4u)
      << "a branch around the whole kernel reconverges at the end";
}

TEST(ControlFlow, ALoopWhoseOnlyExitsAreEarlyExitsKeepsThem) {
  // Both sides of the first branch reconverge before the vote of the same iteration.
  const Kernel k = lower_body(
      "L: @%p1 bra B;\n@%p2 bra END;\nmov.u32 %r1, 1;\nB: add.s32 %r1, %r1, "
      "1;\nvote.sync.ballot.b32 %r3, %p3, -1;\n@%p4 bra L;\nEND: st.global.u32 [%rd1], %r3;\nret;");
  EXPECT_EQ(k.code[0].reconvergence, 3u);
  EXPECT_EQ(k.code[1].reconvergence, 2u);
  EXPECT_EQ(k.code[5].reconvergence, 6u);
}

TEST(ControlFlow, ABranchBeforeANewReconvergencePointReconvergesThere) {
  // The inner loop's branch (5) reconverges before the vote (7), so the exit of the function in its
  // body (3) must not reconverge at the end.
  const Kernel k = lower_body(
      "L: mov.u32 %r1, 1;\nI: @%p1 bra A;\nmov.u32 %r1, 2;\nA: @%p2 bra OUT;\nmov.u32 %r1, "
      "3;\n@%p3 bra I;\nmov.u32 %r1, 4;\n"
      "vote.sync.ballot.b32 %r3, %p4, -1;\n@%p5 bra L;\nOUT: st.global.u32 [%rd1], %r3;\nret;");
  EXPECT_EQ(k.code[1].reconvergence, 3u);
  EXPECT_EQ(k.code[3].reconvergence, 4u);
  EXPECT_EQ(k.code[5].reconvergence, 6u);
}

TEST(ControlFlow, ToleratesIrreducibleAndEndlessCode) {
  const Kernel k =
      lower_body("@%p1 bra B;\nA: mov.u32 %r1, 1;\nB: mov.u32 %r2, 1;\n@%p2 bra A;\nE: bra E;");
  EXPECT_EQ(k.code[0].reconvergence, 2u);
  for (const Loop& loop : k.loops) EXPECT_NE(loop.header, 1u);
}

TEST(ControlFlow, ReduceHasOneLoopAndFiveReconvergencePoints) {
  const Kernel k = lower_text(program("reduce"), "reduce");
  ASSERT_EQ(k.loops.size(), 1u);
  for (const Instruction& i : k.code) {
    if (i.opcode == Opcode::bra) {
      EXPECT_NE(i.reconvergence, kNoPc);
    }
  }
  EXPECT_EQ(k.shared_bytes, 1024u);
}

}  // namespace
}  // namespace heddle::ptx
