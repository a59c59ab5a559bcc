#include "sm/front/fetch.h"

#include <gtest/gtest.h>

#include "tests/sm/lsu_bench.h"

namespace heddle::sm::test {
namespace {

isa::Kernel kernel_of(std::size_t instructions, std::uint32_t before) {
  isa::Kernel kernel;
  kernel.instructions.resize(instructions);
  kernel.instructions_before = before;
  return kernel;
}

}  // namespace

TEST(Fetch, PackedKernelsHaveThePlaceThatTheirTextGivesUnlessAnotherKernelHasIt) {
  config::GpuSpec gpu = gtx480();
  gpu.sm.code_placement = config::CodePlacement::packed;
  LsuBench bench(gpu);
  FrontEnd front_end(0, gpu.sm, bench.port, bench.warps, bench.kernel);
  const isa::Kernel first = kernel_of(100, 0), later = kernel_of(50, 200),
                    between = kernel_of(90, 100), overlapping = kernel_of(20, 190);
  const std::uint64_t start = front_end.place_code(first, {});
  const std::uint64_t instruction = (front_end.place_code(later, {}) - start) / 200;
  EXPECT_EQ(instruction, 8u);
  EXPECT_EQ(front_end.place_code(between, {}), start + 100 * instruction);
  EXPECT_GE(front_end.place_code(overlapping, {}), start + 250 * instruction);
  EXPECT_EQ(front_end.place_code(first, {}), start);
}

}  // namespace heddle::sm::test
