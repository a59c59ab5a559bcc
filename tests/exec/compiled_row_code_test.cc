#include "exec/compiled/row_code.h"

#include <set>

#include "tests/exec/compiled_bench.h"

namespace heddle::exec::test {
namespace {

// Values that more rows than registers, interpreted instructions and blocks lie between.
TEST(RowCode, KeepsWhatIsReadLater) {
  std::string body;
  for (int n = 10; n < 20; ++n)
    body += "add.s32 %r" + std::to_string(n) + ", %r0, " + std::to_string(n) + ";\n";
  body += "popc.b32 %r9, %r19; @%p0 add.s32 %r12, %r12, %r1; @%p0 bra other;\n";
  for (int n = 10; n < 20; ++n)
    body += "add.s32 %r9, %r9, %r" + std::to_string(n) + "; mul.lo.s32 %r9, %r9, 3;\n";
  body += "other: add.s32 %r9, %r9, %r11; st.global.u32 [%x], %r9;";
  check_equal(body, 1);
}

// A faulting access ends compiled code in the middle of a block: earlier stores have happened.
TEST(RowCode, StoresResultsBeforeTheInterpreterGoesOn) {
  const Outcome outcome = check_equal(
      "add.s32 %r10, %r0, 1; add.s32 %r11, %r10, 1; add.s32 %r12, %r11, 1; mov.u64 %rd9, 64;\n"
      "st.global.u32 [%x], %r12; ld.global.u32 %r13, [%rd9]; add.s32 %r13, %r13, %r10;\n"
      "st.global.u32 [%x+4], %r13;",
      1);
  EXPECT_NE(outcome.fault, "");
}

// NaNs become canonical where something else than arithmetic reads them.
TEST(RowCode, NansAreCanonicalOutsideOfArithmetic) {
  check_equal(
      "mul.f32 %f3, %f0, %f1; fma.rn.f32 %f4, %f3, %f1, %f2; add.f32 %f5, %f4, %f3;\n"
      "mov.b32 %r10, %f3; st.global.u32 [%x], %r10; st.global.f32 [%x+1792], %f4;\n"
      "cvt.f64.f32 %d3, %f5; st.global.f64 [%x+3584], %d3; selp.f32 %f6, %f3, %f5, %p0;\n"
      "st.global.f32 [%x+5376], %f6; setp.num.f32 %p9, %f5, %f4; selp.u32 %r9, 1, 2, %p9;\n"
      "st.global.u32 [%x+7168], %r9; sub.f32 %f7, %f5, %f0; @%p1 mov.f32 %f7, %f3;\n"
      "st.global.f32 [%x+8960], %f7;",
      6, true);
}

}  // namespace
}  // namespace heddle::exec::test
