// The warps of one CTA in a functional run.
#include "exec/functional/functional_cta.h"

#include <gtest/gtest.h>

#include "ptx/module.h"
#include "tests/exec/builder.h"

namespace heddle::exec::test {
namespace {

// Warp 0 runs so long without a barrier that it is observed alone, and then ends the wait of the
// others. Warp 1 overwrites a word of shared memory that warp 2 reads first on a GPU: its store is
// delayed, which is not done for warps that are observed.
TEST(FunctionalCta, OnlyTheWarpThatRunsWithoutEndIsObserved) {
  const ptx::Module module = ptx::Module::parse(
      ".version 7.3\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 out) {\n"
      ".reg .pred %p<9>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.shared .align 4 .b8 tile[4];\n"
      "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\nshr.u32 %r2, %r1, 5;\n"
      "st.shared.u32 [tile], 1;\nbar.sync 0;\nmov.u32 %r3, 0;\n"
      "setp.ne.u32 %p1, %r2, 0;\n@%p1 bra SPIN;\n"
      "LONG:\nadd.u32 %r3, %r3, 1;\nsetp.lt.u32 %p2, %r3, 13000000;\n@%p2 bra LONG;\n"
      "st.volatile.global.u32 [%rd1], 1;\nret;\n"
      "SPIN:\nld.volatile.global.u32 %r4, [%rd1];\nsetp.eq.u32 %p3, %r4, 0;\n@%p3 bra SPIN;\n"
      "setp.eq.u32 %p4, %r2, 2;\n@%p4 bra READ;\n"
      "SHORT:\nadd.u32 %r3, %r3, 1;\nsetp.lt.u32 %p5, %r3, 200;\n@%p5 bra SHORT;\n"
      "st.shared.u32 [tile], 1000;\nret;\n"
      "READ:\nld.shared.u32 %r5, [tile];\nst.global.u32 [%rd1+4], %r5;\nret;\n}\n",
      "observed.ptx");
  Bench bench;
  const Address out = bench.array(std::vector<std::uint32_t>(2));
  bench.run(module.lower("k", {}), {1, 1, 1}, {96, 1, 1});
  EXPECT_EQ(bench.read<std::uint32_t>(out, 2)[1], 1u);
}

}  // namespace
}  // namespace heddle::exec::test
