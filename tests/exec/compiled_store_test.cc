#include "tests/exec/compiled_bench.h"

namespace heddle::exec::test {
namespace {

// Several lanes store to a word: the last one's value stays, as the interpreter has it.
TEST(CompiledStore, LanesStoreInTheirOrder) {
  for (const std::string guard : {"", "@%p0 "})
    EXPECT_EQ(check_equal("and.b32 %r8, %t, 3; mul.wide.u32 %rd21, %r8, 16; ld.param.u64 %rd22, "
                          "[out]; add.s64 %rd22, "
                          "%rd22, %rd21;\n" +
                              guard + "st.global.u32 [%rd22], %t;\n" + guard +
                              "st.global.v4.u32 [%rd22+32], {%t, %r0, %r1, %r2};\n" + guard +
                              "st.global.u8 [%rd22+100], %r1;",
                          1)
                  .fault,
              "");
}

}  // namespace
}  // namespace heddle::exec::test
