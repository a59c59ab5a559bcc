#include "tests/exec/compiled_bench.h"

namespace heddle::exec::test {
namespace {

// Statements that compute a shared address, %r8: adjacent, one for all lanes, scattered.
const std::vector<std::string> kAddresses{
    "shl.b32 %r8, %t, 2;", "mov.u32 %r8, 64;", "and.b32 %r8, %r0, 1020;",
    "shr.u32 %r8, %t, 3; shl.b32 %r8, %r8, 5;", "xor.b32 %r8, %t, 9; shl.b32 %r8, %r8, 2;"};

TEST(CompiledAccess, ToSharedMemory) {
  for (const std::string& address : kAddresses)
    for (const std::string guard : {"", "@%p0 "})
      check_equal(address + "mov.u32 %r7, tile; add.s32 %r8, %r8, %r7;\n" + guard +
                      "st.shared.u32 [%r8], %r1;\n" + guard + "st.shared.u8 [%r8+4], %r2;\n" +
                      guard + "ld.shared.u32 %r9, [%r8];\n" + guard +
                      "ld.shared.u32 %r10, [%r8+8]; ld.shared.v2.u32 {%r11, %r12}, [%r7+32];\n"
                      "st.global.u32 [%x], %r9; st.global.u32 [%x+1792], %r10; "
                      "st.global.u32 [%x+3584], %r12;",
                  3);
}

TEST(CompiledAccess, ToGlobalMemory) {
  for (const std::string& address : kAddresses)
    for (const std::string guard : {"", "@%p0 "})
      check_equal(address +
                      "ld.param.u64 %rd20, [in]; cvt.u64.u32 %rd21, %r8; add.s64 %rd20, %rd20, "
                      "%rd21;\nld.param.u64 %rd22, [out]; add.s64 %rd22, %rd22, %rd21;\n" +
                      guard + "ld.global.u32 %r9, [%rd20];\n" + guard +
                      "ld.global.v2.u32 {%r10, %r11}, [%rd20+8];\n" + guard +
                      "ld.global.f32 %f9, [%rd20+4];\n" + guard + "st.global.u32 [%rd22], %r9;\n" +
                      guard + "st.global.f32 [%rd22+4096], %f9; st.global.u32 [%x+8192], %r11;",
                  8);
}

TEST(CompiledAccess, OfManyWidths) {
  check_equal(
      "ld.global.u64 %rd9, [%y]; ld.global.v2.u64 {%rd10, %rd11}, [%y+0];\n"
      "st.global.u64 [%x], %rd9; st.global.u16 [%x+1792], %r1; st.global.u8 [%x+1794], %r2;\n"
      "ld.param.u32 %r9, [number]; st.global.u32 [%x+1796], %r9; st.global.v2.u32 [%x+3584], {%r0, "
      "%r1};",
      3, false, 64);
}

TEST(CompiledAccess, OfParametersOfEveryShape) {
  const std::vector<std::string> loads{"ld.param.u8 %r9, [in+3];",
                                       "ld.param.s8 %r9, [in+3];",
                                       "ld.param.u16 %r9, [in+2];",
                                       "ld.param.s16 %r9, [in+2];",
                                       "ld.param.u32 %r9, [in];",
                                       "ld.param.u32 %r9, [in+4];",
                                       "ld.param.u32 %rd9, [in];",
                                       "ld.param.s32 %rd9, [in];",
                                       "ld.param.u64 %rd9, [out];",
                                       "ld.param.v2.u32 {%r9, %r10}, [in];",
                                       "@%p0 ld.param.u32 %r9, [in];",
                                       "@!%p0 ld.param.u64 %rd9, [in];",
                                       "ld.param.v2.u32 {%r10, %r9}, [out];"};
  std::string body;
  for (std::size_t i = 0; i < loads.size(); ++i)
    body += loads[i] + "\n" + store_of(loads[i], 1792 * i);
  check_equal(body, loads.size());
}

}  // namespace
}  // namespace heddle::exec::test
