#include "exec/compiled/divergence.h"

#include "tests/exec/compiled_bench.h"

namespace heddle::exec::test {
namespace {

TEST(CompiledDivergence, BothPathsRunAndMeet) {
  check_equal(
      "@%p0 bra other; add.s32 %r9, %r9, 7; @%p2 bra both; mul.lo.s32 %r9, %r9, 5; bra both;\n"
      "other: mul.lo.s32 %r9, %r9, 3; both: add.s32 %r9, %r9, %r1; st.global.u32 [%x], %r9;",
      1);
}

TEST(CompiledDivergence, LanesEndLoopsOneAfterTheOther) {
  check_equal(
      "mov.u32 %r10, 0; outer: and.b32 %r11, %t, 7; inner: add.s32 %r9, %r9, %r11;\n"
      "sub.s32 %r11, %r11, 1; setp.ge.s32 %p3, %r11, 0; @%p3 bra inner; add.s32 %r10, %r10, 1;\n"
      "and.b32 %r12, %t, 3; setp.le.u32 %p4, %r10, %r12; @%p4 bra outer;\n"
      "st.global.u32 [%x], %r9;",
      1);
}

TEST(CompiledDivergence, LanesEndInABranch) {
  check_equal(
      "st.global.u32 [%x], %r0; @%p0 bra other; st.global.u32 [%x], %r1; ret;\n"
      "other: popc.b32 %r9, %r1; st.global.u32 [%x], %r9;",
      1);
}

// More levels than a stack has at first.
TEST(CompiledDivergence, NestsBeyondTheFirstStack) {
  std::string body, end;
  for (int n = 0; n < 20; ++n) {
    const std::string level = std::to_string(n);
    body += "and.b32 %r10, %t, 31; setp.eq.u32 %p3, %r10, " + level + "; @%p3 bra out" + level +
            "; add.s32 %r9, %r9, %r10;\n";
    end = "out" + level + ": mul.lo.s32 %r9, %r9, 3;\n" + end;
  }
  check_equal(body + end + "st.global.u32 [%x], %r9;", 1);
}

TEST(CompiledDivergence, TheFirstPathIsThatOfTheBranch) {
  DecodedInstruction r;
  ptx::Instruction branch;
  r.instruction = &branch;
  branch.target = 9, branch.reconvergence = 12;
  EXPECT_EQ(first_path(r, 3), 9u);
  EXPECT_TRUE(can_diverge(r, 3));
  branch.reconvergence = 9;
  EXPECT_EQ(first_path(r, 3), 4u);
  branch.target = 4;
  EXPECT_FALSE(can_diverge(r, 3));
  branch.target = 9, branch.reconvergence = kNoPc;
  EXPECT_FALSE(can_diverge(r, 3));
}

}  // namespace
}  // namespace heddle::exec::test
