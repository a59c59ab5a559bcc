#include "exec/check/address_check.h"

#include <gtest/gtest.h>

#include "tests/exec/builder.h"
#include "tests/ptx/ptx_text.h"

namespace heddle::exec::test {
namespace {

// Thread t stores to word 32 * (3 * i + j) + t in iteration j of the inner loop, i of the outer.
TEST(AddressCheck, AnInnerLoopBeginsAgainInEachIterationOfTheOuterOne) {
  const ptx::Kernel kernel = ptx::lower_body(
      "ld.param.u64 %rd1, [a];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\n"
      "add.s64 %rd3, %rd1, %rd2;\nmov.u32 %r2, 0;\n"
      "OUTER:\nmov.u32 %r3, 0;\n"
      "INNER:\nmad.lo.s32 %r4, %r2, 3, %r3;\nmul.wide.s32 %rd4, %r4, 128;\n"
      "add.s64 %rd5, %rd3, %rd4;\nst.global.u32 [%rd5], %r4;\n"
      "add.s32 %r3, %r3, 1;\nsetp.lt.s32 %p1, %r3, 3;\n@%p1 bra INNER;\n"
      "add.s32 %r2, %r2, 1;\nsetp.lt.s32 %p2, %r2, 2;\n@%p2 bra OUTER;\nret;\n");
  ASSERT_EQ(kernel.loops.size(), 2u);
  Bench bench;
  const Address out = bench.array(std::vector<std::uint32_t>(6 * 32));
  const Launch launch = bench.launch(kernel, {1, 1, 1}, {32, 1, 1});
  AddressCheck check(launch);
  run_functionally(launch, bench.memory, {}, nullptr, nullptr, &check);
  EXPECT_EQ(check.compared(), 6u * 32);
  EXPECT_EQ(bench.read<std::uint32_t>(out, 6 * 32)[5 * 32 + 7], 5u);
}

}  // namespace
}  // namespace heddle::exec::test
