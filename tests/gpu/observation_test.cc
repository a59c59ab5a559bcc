#include "gpu/observe/observation.h"

#include <gtest/gtest.h>

#include "tests/gpu/watched_runs.h"

namespace heddle::gpu {

// Between the launches the device is idle for 5000 cycles, which belong to no row.
TEST(Observation, TheRowsOfALaunchCoverItFromItsStart) {
  DeviceBench bench(watched("gtx480", "gto"));
  sum(bench);
  bench.finish();
  bench.device.advance(bench.device.now() + 5000);
  sum(bench);
  bench.finish();
  for (const KernelResult& launch : bench.device.results()) {
    ASSERT_FALSE(launch.series.empty());
    EXPECT_EQ(launch.series.front().from, launch.start);
    EXPECT_GE(launch.series.back().to, launch.start + launch.cycles);
    std::uint64_t issued = 0;
    for (const SeriesRow& row : launch.series) issued += row.sm.warp_instructions;
    EXPECT_EQ(issued, launch.sm.warp_instructions);
  }
}

}  // namespace heddle::gpu
