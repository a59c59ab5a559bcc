#include <gtest/gtest.h>

#include "ptx/module.h"
#include "tests/exec/stepping.h"

namespace heddle::exec {
namespace {

TEST(HostCalls, AFailedAssertionNamesItsBlockAndThread) {
  const ptx::Module module = ptx::Module::parse(
      ".version 8.0\n.target sm_80\n.address_size 64\n"
      ".extern .func __assertfail(.param .b64 a, .param .b64 f, .param .b32 l, .param .b64 n, "
      ".param .b64 s);\n"
      ".visible .entry k() {\n"
      ".reg .pred %p1; .reg .b32 %r<4>;\n"
      // Thread 17 of a block of 2 x 3 x 4: 17 = 1 + 2 * (2 + 3 * 2).
      "mov.u32 %r1, %laneid; setp.ne.u32 %p1, %r1, 17; @%p1 bra END;\n"
      "{ .param .b64 a; .param .b64 f; .param .b32 l; .param .b64 n; .param .b64 s;\n"
      "st.param.b64 [a], 0; st.param.b64 [f], 0; st.param.b32 [l], 5; st.param.b64 [n], 0;\n"
      "st.param.b64 [s], 1; call.uni __assertfail, (a, f, l, n, s); }\n"
      "END: ret;\n}\n",
      "kernel.ptx");
  const ptx::Kernel kernel = module.lower("k", {});
  test::Bench bench;
  try {
    run_functionally(bench.launch(kernel, {1, 1, 1}, {2, 3, 4}), bench.memory, {});
    FAIL() << "no fault";
  } catch (const KernelFault& fault) {
    EXPECT_NE(fault.said().find("block: [0,0,0], thread: [1,2,2]"), std::string::npos)
        << fault.said();
  }
}

}  // namespace
}  // namespace heddle::exec
