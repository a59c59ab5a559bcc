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

TEST(Fetch, TheInstructionBehindAKernelIsBufferedAndStaleWhereFetchesCrossKernels) {
  for (const bool crosses : {false, true}) {
    config::GpuSpec gpu = gtx480();
    gpu.sm.perfect_instruction_cache = true;
    gpu.sm.flow.fetch_crosses_kernels = crosses;
    LsuBench bench(gpu);
    const isa::Instruction branch = make(isa::OpClass::branch);
    const InstructionTiming timing = timing_of(branch, gpu.sm);
    bench.kernel.timing = &timing;
    bench.kernel.code = &branch;
    bench.kernel.code_size = 1;
    const WarpSlot w{0};
    bench.warps[w].next_pc = bench.warps[w].fetch_pc = 0;
    bench.warps.live.set(w);
    bench.warps.fetchable.set(w);
    FrontEnd front_end(0, gpu.sm, bench.port, bench.warps, bench.kernel);
    front_end.fetch(Cycle{0}, [](WarpSlot) {});
    EXPECT_EQ(front_end.decode(), w);
    Warp& warp = bench.warps[w];
    EXPECT_EQ(warp.buffered, crosses ? 2 : 1);
    EXPECT_TRUE(bench.warps.valid.test(w));
    ++warp.head, --warp.buffered;  // the branch issues, to itself
    bench.warps.refresh(w);
    EXPECT_EQ(bench.warps.mismatched.test(w), crosses);
  }
}

}  // namespace heddle::sm::test
