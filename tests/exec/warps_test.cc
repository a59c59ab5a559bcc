#include "exec/state/warps.h"

#include <gtest/gtest.h>

#include "ptx/module.h"
#include "tests/exec/operation.h"

namespace heddle::exec::test {
namespace {

// Each thread writes %tid and %ctaid, of four bits each, at its number in the grid.
constexpr const char* kIndices = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<30>;
  .reg .b64 %rd<9>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %tid.z;
  mov.u32 %r4, %ctaid.x; mov.u32 %r5, %ctaid.y; mov.u32 %r6, %ctaid.z;
  mov.u32 %r11, %ntid.x; mov.u32 %r12, %ntid.y; mov.u32 %r13, %ntid.z;
  mov.u32 %r14, %nctaid.x; mov.u32 %r15, %nctaid.y;
  mad.lo.u32 %r20, %r6, %r15, %r5; mad.lo.u32 %r20, %r20, %r14, %r4;
  mad.lo.u32 %r20, %r20, %r13, %r3; mad.lo.u32 %r20, %r20, %r12, %r2;
  mad.lo.u32 %r20, %r20, %r11, %r1;
  shl.b32 %r21, %r6, 4; or.b32 %r21, %r21, %r5; shl.b32 %r21, %r21, 4; or.b32 %r21, %r21, %r4;
  shl.b32 %r21, %r21, 4; or.b32 %r21, %r21, %r3; shl.b32 %r21, %r21, 4; or.b32 %r21, %r21, %r2;
  shl.b32 %r21, %r21, 4; or.b32 %r21, %r21, %r1;
  mad.wide.u32 %rd2, %r20, 4, %rd1; st.global.u32 [%rd2], %r21;
  ret;
}
)";

TEST(Warps, ThreadsAndCtasAreNumberedAlongXThenYThenZ) {
  const ptx::Kernel kernel = ptx::Module::parse(kIndices, "kernel.ptx").lower("k", {});
  const Dim3 grid{3, 2, 4}, block{5, 4, 3};
  const std::size_t threads = grid.count() * block.count();
  Bench bench;
  const Address out = bench.memory.allocate(4 * threads, "out");
  Launch launch = bench.launch(kernel, grid, block);
  launch.parameters.resize(8);
  std::memcpy(launch.parameters.data(), &out, 8);
  run_functionally(launch, bench.memory, {});
  std::size_t n = 0;
  for (std::uint32_t cz = 0; cz < grid.z; ++cz)
    for (std::uint32_t cy = 0; cy < grid.y; ++cy)
      for (std::uint32_t cx = 0; cx < grid.x; ++cx)
        for (std::uint32_t z = 0; z < block.z; ++z)
          for (std::uint32_t y = 0; y < block.y; ++y)
            for (std::uint32_t x = 0; x < block.x; ++x, ++n) {
              std::uint32_t got = 0;
              std::memcpy(&got, bench.memory.host(out) + 4 * n, 4);
              EXPECT_EQ(got, cz << 20 | cy << 16 | cx << 12 | z << 8 | y << 4 | x) << n;
            }
}

}  // namespace
}  // namespace heddle::exec::test
