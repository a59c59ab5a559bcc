#include "tests/exec/compiled_bench.h"

namespace heddle::exec::test {
namespace {

TEST(CompiledAddresses, AFaultNamesTheSameLaneAndInstruction) {
  for (const std::string offset : {"4194304", "1"}) {
    const Outcome outcome = check_equal(
        "setp.eq.u32 %p3, %t, 70; add.s64 %rd20, %y, " + offset +
            "; selp.b64 %rd20, %rd20, %y, %p3; ld.global.u32 %r9, [%y+8]; ld.global.u32 %r9, "
            "[%rd20]; st.global.u32 [%x], %r9;",
        1);
    EXPECT_NE(outcome.fault, "");
  }
  EXPECT_NE(check_equal("shl.b32 %r8, %t, 5; st.shared.u32 [%r8], %r1;", 1).fault, "");
}

// Accesses with one base are checked with the first of them, and act one after the other.
TEST(CompiledAddresses, AFaultOfALaterAccessComesAfterTheEarlierOnes) {
  for (const std::string later :
       {"ld.global.u32 %r11, [%y+4194304];", "ld.global.u32 %r11, [%y+2];",
        "st.global.u32 [%x+4194304], %r0;", "ld.shared.u32 %r11, [%r8+4096];"}) {
    const Outcome outcome = check_equal(
        "mov.u32 %r8, tile; ld.global.u32 %r9, [%y+4]; st.shared.u32 [%r8+16], %r9;\n"
        "ld.shared.u32 %r10, [%r8+16]; st.global.u32 [%x], %r10; ld.global.u32 %r12, [%y+8];\n"
        "st.global.u32 [%x+1792], %r12;\n" +
            later + "st.global.u32 [%x+3584], %r11;",
        3);
    EXPECT_NE(outcome.fault, "");
  }
}

// The same instruction, whose lanes' addresses relative to the first differ from time to time.
TEST(CompiledAddresses, AreDescribedAgainWhenTheyChange) {
  check_equal(
      "mov.u32 %r10, 12; mov.u32 %r7, tile; mov.u32 %r11, %t;\n"
      "again: and.b32 %r8, %r11, 255; shl.b32 %r8, %r8, 2; add.s32 %r8, %r8, %r7;\n"
      "st.shared.u32 [%r8], %r0; ld.shared.u32 %r12, [%r8+64]; add.s32 %r9, %r9, %r12;\n"
      "mul.lo.s32 %r11, %r11, 3; sub.s32 %r10, %r10, 1; setp.ne.s32 %p3, %r10, 0;\n"
      "@%p3 bra again; st.global.u32 [%x], %r9;",
      1);
}

// A base whose lanes are far apart is not known to later accesses.
TEST(CompiledAddresses, FarApartAreInterpreted) {
  check_equal(
      "setp.eq.u32 %p3, %t, 5; selp.b64 %rd20, 0x01000040, %y, %p3; ld.u32 %r9, [%rd20]; ld.u32 "
      "%r10, [%rd20+4]; st.global.u32 [%x], %r9; st.global.u32 [%x+1792], %r10;",
      2);
}

}  // namespace
}  // namespace heddle::exec::test
