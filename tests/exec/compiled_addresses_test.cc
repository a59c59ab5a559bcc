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

// A base whose lanes are far apart is not known to later accesses.
TEST(CompiledAddresses, FarApartAreInterpreted) {
  check_equal(
      "setp.eq.u32 %p3, %t, 5; selp.b64 %rd20, 0x01000040, %y, %p3; ld.u32 %r9, [%rd20]; ld.u32 "
      "%r10, [%rd20+4]; st.global.u32 [%x], %r9; st.global.u32 [%x+1792], %r10;",
      2);
}

}  // namespace
}  // namespace heddle::exec::test
