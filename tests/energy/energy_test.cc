#include "energy/energy.h"

#include <gtest/gtest.h>

namespace heddle::energy {
namespace {

double share(const std::vector<Share>& shares, std::string_view name) {
  for (const Share& s : shares)
    if (s.name == name) return s.nanojoules;
  ADD_FAILURE() << name;
  return 0;
}

TEST(Energy, IsCoefficientsTimesCounters) {
  config::GpuSpec gpu;
  gpu.clocks.core_mhz = 700;
  gpu::KernelResult result;
  result.cycles = 700;  // a microsecond
  result.memory.dram.reads = 1000;
  result.memory.dram.activates = 10;
  result.memory.request_network.flits = 3;
  result.memory.reply_network.flits = 7;
  result.sm.unit_lanes = {1000, 0, 0, 100, 0};
  const auto list = shares(gpu, result);
  EXPECT_DOUBLE_EQ(share(list, "dram_read"),
                   1000 * gpu.memory.dram.atom_bytes() * gpu.energy.dram_read_byte / 1e3);
  EXPECT_DOUBLE_EQ(share(list, "dram_activate"), 10 * gpu.energy.dram_activate / 1e3);
  EXPECT_DOUBLE_EQ(share(list, "network"), 10 * gpu.energy.network_flit / 1e3);
  EXPECT_DOUBLE_EQ(share(list, "execution"),
                   (1000 * gpu.energy.sp_lane + 100 * gpu.energy.sfu_lane) / 1e3);
  EXPECT_DOUBLE_EQ(share(list, "static"),
                   gpu.energy.static_power * 1e3);  // watts times a microsecond, in nanojoules
  double sum = 0;
  for (const Share& s : list) sum += s.nanojoules;
  EXPECT_DOUBLE_EQ(total(list), sum);
}

TEST(Energy, IsZeroWithoutEvents) {
  EXPECT_EQ(total(shares(config::GpuSpec{}, gpu::KernelResult{})), 0.0);
}

}  // namespace
}  // namespace heddle::energy
