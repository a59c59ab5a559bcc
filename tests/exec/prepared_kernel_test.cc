#include "exec/prepared_kernel.h"

#include <gtest/gtest.h>

#include "ptx/module.h"
#include "tests/exec/operation.h"

namespace heddle::exec::test {
namespace {

ptx::Kernel kernel_of(const char* statement) {
  return ptx::Module::parse(std::string(".version 8.0\n.target sm_80\n.address_size 64\n"
                                        ".visible .entry k() {\n.reg .b32 %r<9>;\n"
                                        "mov.u32 %r1, 1;\n") +
                                statement + "\nret;\n}\n",
                            "kernel.ptx")
      .lower("k", {});
}

TEST(PreparedKernel, IsSharedByTheLaunchesOfAKernel) {
  const ptx::Kernel kernel = kernel_of("add.u32 %r2, %r1, 1;");
  EXPECT_EQ(decode_kernel(kernel), decode_kernel(kernel));
  EXPECT_EQ(PreparedKernel::of(kernel).compiled(), PreparedKernel::of(kernel).compiled());
}

TEST(PreparedKernel, OfACopyOrAMovedKernelIsMadeAnew) {
  ptx::Kernel kernel = kernel_of("add.u32 %r2, %r1, 1;");
  const auto first = decode_kernel(kernel);
  const ptx::Kernel copy = kernel;
  EXPECT_EQ(decode_kernel(copy)->kernel, &copy);
  kernel = kernel_of("");
  EXPECT_EQ(decode_kernel(kernel)->code.size(), first->code.size() - 1);
  const ptx::Kernel moved = std::move(kernel);
  EXPECT_EQ(decode_kernel(moved)->kernel, &moved);
}

TEST(PreparedKernel, CountsWhatItsFunctionalRunsExecute) {
  const ptx::Kernel kernel = kernel_of("add.u32 %r2, %r1, 1;");
  Bench bench;
  for (const std::uint64_t launches : {1u, 2u, 3u}) {
    run_functionally(bench.launch(kernel, {4, 1, 1}, {64, 1, 1}), bench.memory, {});
    EXPECT_EQ(PreparedKernel::of(kernel).executed(), launches * 4 * 2 * 3);
  }
}

}  // namespace
}  // namespace heddle::exec::test
