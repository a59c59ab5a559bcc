#include "exec/isa/control.h"

#include <gtest/gtest.h>

#include <cstring>

#include "ptx/module.h"
#include "tests/exec/stepping.h"

namespace heddle::exec {
namespace {

// The word that each lane of a warp stores at the end of the code from %r3.
std::array<std::uint32_t, kWarpSize> stored_by_warp(const std::string& code) {
  const ptx::Module module = ptx::Module::parse(
      ".version 8.0\n.target sm_80\n.address_size 64\n"
      ".visible .entry k(.param .u64 out) {\n"
      ".reg .pred %p1; .reg .b32 %r<5>; .reg .b64 %rd<3>;\n"
      "mov.u32 %r1, %laneid; ld.param.u64 %rd1, [out];\n"
      "mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2;\n" +
          code + "st.global.u32 [%rd1], %r3; ret;\n}\n",
      "kernel.ptx");
  const ptx::Kernel kernel = module.lower("k", {});
  test::Bench bench;
  const Address out = bench.memory.allocate(4 * kWarpSize, "out");
  Launch launch = bench.launch(kernel, {1, 1, 1}, {kWarpSize, 1, 1});
  launch.parameters.resize(8);
  std::memcpy(launch.parameters.data(), &out.value, 8);
  run_functionally(launch, bench.memory, {});
  std::array<std::uint32_t, kWarpSize> words{};
  std::memcpy(words.data(), bench.memory.host(out), sizeof words);
  return words;
}

TEST(Control, AnIndexedBranchMovesOnlyTheActiveLanes) {
  const auto words = stored_by_warp(
      "mov.u32 %r3, 1; setp.lt.u32 %p1, %r1, 16; @%p1 bra JOIN;\n"
      "and.b32 %r2, %r1, 1;\n"
      "TABLE: .branchtargets EVEN, ODD;\n"
      "brx.idx %r2, TABLE;\n"
      "EVEN: add.u32 %r3, %r3, 100; bra JOIN;\n"
      "ODD: add.u32 %r3, %r3, 200;\n"
      "JOIN:\n");
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane)
    EXPECT_EQ(words[lane], lane < 16 ? 1u : lane % 2 == 0 ? 101u : 201u) << lane;
}

TEST(Control, LanesThatDoNotTakeABranchRunAfterThoseThatDo) {
  // Both sides count in shared memory: the side that runs first finds 0.
  const auto words = stored_by_warp(
      ".shared .u32 count; setp.eq.u32 %p1, %r1, 0; mov.u32 %r4, 0; st.shared.u32 [count], %r4;\n"
      "@%p1 bra TAKEN;\n"
      "ld.shared.u32 %r3, [count]; bra JOIN;\n"
      "TAKEN: ld.shared.u32 %r3, [count]; mov.u32 %r4, 7; st.shared.u32 [count], %r4;\n"
      "JOIN:\n");
  EXPECT_EQ(words[0], 0u);
  EXPECT_EQ(words[1], 7u);
}

}  // namespace
}  // namespace heddle::exec
