#include <gtest/gtest.h>

#include "base/diagnostics.h"
#include "config/config.h"

namespace heddle::config {
namespace {

// Bytes per second that the DRAM channels can move at most, in units of 10^9.
double peak_bandwidth(const std::string& name) {
  const GpuSpec gpu = load_gpu(name);
  const DramSpec& dram = gpu.memory.dram;
  return gpu.memory.channels * (dram.bus_bytes * dram.chips * dram.ratio) * gpu.clocks.dram_mhz /
         1e3;
}

TEST(Presets, DramBandwidthIsThatOfTheDataSheets) {
  EXPECT_NEAR(peak_bandwidth("gtx480"), 177.4, 0.05);
  EXPECT_NEAR(peak_bandwidth("ctamap"), 177.4, 0.05);
  EXPECT_NEAR(peak_bandwidth("ctamap_512"), 177.4, 0.05);
  EXPECT_NEAR(peak_bandwidth("titanx"), 480, 0.05);
  EXPECT_NEAR(peak_bandwidth("daws"), 102.4, 0.05);
  EXPECT_NEAR(peak_bandwidth("qv100"), 870.4, 0.05);
  EXPECT_NEAR(peak_bandwidth("rtx2060"), 336, 0.1);
  EXPECT_NEAR(peak_bandwidth("rtx3070"), 448, 0.1);
  EXPECT_NEAR(peak_bandwidth("h200"), 4800, 0.1);
  EXPECT_NEAR(peak_bandwidth("h200_guided"), 4800, 0.1);
  EXPECT_NEAR(peak_bandwidth("h100"), 2039, 0.1);
  EXPECT_NEAR(peak_bandwidth("a100"), 1555.2, 0.1);
  EXPECT_NEAR(peak_bandwidth("v100"), 898, 0.1);
  EXPECT_NEAR(peak_bandwidth("t4"), 320, 0.1);
  EXPECT_NEAR(peak_bandwidth("rtx3090"), 936, 0.1);
  EXPECT_NEAR(peak_bandwidth("rtx4090"), 1008, 0.1);
}

TEST(Presets, L2SizesAreThoseOfTheTables) {
  const auto l2_kib = [](const std::string& name) {
    const GpuSpec gpu = load_gpu(name);
    return gpu.memory.slices() * gpu.memory.l2.size_bytes / 1024;
  };
  EXPECT_EQ(l2_kib("ipaws"), 768u);
  EXPECT_EQ(l2_kib("daws"), 1024u);
  EXPECT_EQ(l2_kib("kaws"), 3u * 1024);
  EXPECT_EQ(l2_kib("ctamap"), 768u);
  EXPECT_EQ(l2_kib("ctamap_512"), 512u);
  EXPECT_EQ(l2_kib("lfws"), 768u);
  EXPECT_EQ(l2_kib("qv100"), 6u * 1024);
  EXPECT_EQ(l2_kib("rtx2060"), 3u * 1024);
  EXPECT_EQ(l2_kib("rtx3070"), 4u * 1024);
  EXPECT_EQ(l2_kib("h200"), 60u * 1024);
  EXPECT_EQ(l2_kib("h200_guided"), 60u * 1024);
  EXPECT_EQ(l2_kib("h100"), 50u * 1024);
  EXPECT_EQ(l2_kib("a100"), 40u * 1024);
  EXPECT_EQ(l2_kib("v100"), 6u * 1024);
  EXPECT_EQ(l2_kib("t4"), 4u * 1024);
  EXPECT_EQ(l2_kib("rtx3090"), 6u * 1024);
  EXPECT_EQ(l2_kib("rtx4090"), 72u * 1024);
}

TEST(Presets, CardsOfTodayWithEccFillPartialWrites) {
  for (const std::string& name : preset_names())
    EXPECT_EQ(load_gpu(name).memory.l2.fills_partial_writes,
              name == "h200_guided" || name == "h100" || name == "a100")
        << name;
}

TEST(Presets, FermiMachinesOfThePapersHaveTheirL1AndSchedulers) {
  const GpuSpec ipaws = load_gpu("ipaws"), slow = load_gpu("ipaws_700"), lfws = load_gpu("lfws"),
                ctamap = load_gpu("ctamap");
  EXPECT_EQ(ipaws.sm.schedulers, 1u);
  EXPECT_EQ(ipaws.sm.l1d.mshr_entries, 32u);
  EXPECT_EQ(ipaws.sm.constant.mshr_merges, 32u);
  EXPECT_EQ(ipaws.clocks.core_mhz, 1400);
  EXPECT_EQ(ipaws.clocks.dram_mhz, 924);
  EXPECT_EQ(load_gpu("ipaws_1400").clocks.core_mhz, 1400);
  EXPECT_EQ(slow.clocks.core_mhz, 700);
  EXPECT_EQ(slow.sm.schedulers, 2u);
  EXPECT_EQ(lfws.sm.schedulers, 2u);
  EXPECT_EQ(lfws.sm.l1d.size_bytes, 16u * 1024);
  EXPECT_EQ(lfws.default_scheduler, "lrr");
  EXPECT_EQ(ctamap.default_scheduler, "gto");
  EXPECT_EQ(lfws.memory.l2.filling, Filling::lines);
  EXPECT_EQ(lfws.memory.heap_base, 0x80000000u);
  EXPECT_EQ(lfws.network.injection_flits, 9u);
  EXPECT_EQ(lfws.sm.flow.first_fetch_slot, 1u);
  EXPECT_TRUE(lfws.sm.products.floats_on_either);
  EXPECT_EQ(lfws.memory.dram.bank_groups, 2u);
  EXPECT_EQ(lfws.network.topology, Topology::router);
  EXPECT_EQ(lfws.network.window(), 1u);
  EXPECT_TRUE(lfws.memory.summed_clocks);
  EXPECT_FALSE(lfws.sm.flow.taken_lanes_first);
  EXPECT_EQ(lfws.sm.l1d.write_allocation, WriteAllocation::none_with_way);
  for (const GpuSpec& other : {ipaws, slow, ctamap}) {
    EXPECT_EQ(other.sm.flow.first_fetch_slot, 0u);
    EXPECT_FALSE(other.sm.products.floats_on_either);
    EXPECT_EQ(other.memory.dram.bank_groups, 4u);
    EXPECT_EQ(other.network.request_latency, 7u);
    EXPECT_EQ(other.network.topology, Topology::butterfly);
    EXPECT_FALSE(other.memory.summed_clocks);
    EXPECT_TRUE(other.sm.flow.taken_lanes_first);
    EXPECT_EQ(other.sm.l1d.write_allocation, WriteAllocation::none);
  }
  EXPECT_EQ(lfws.sm.l1d.set_index, SetIndex::linear);
  EXPECT_EQ(load_gpu("lfws_hash").sm.l1d.set_index, SetIndex::fermi_hash);
  EXPECT_EQ(load_gpu("ctamap_hash").sm.l1d.set_index, SetIndex::fermi_hash);
  EXPECT_EQ(load_gpu("ipaws_hash").sm.l1d.set_index, SetIndex::fermi_hash);
  EXPECT_EQ(load_gpu("ctamap_units").sm.units.int_, 2u);
}

TEST(Presets, DawsHasThreeSmsPerPortAndHalfWarps) {
  const GpuSpec gpu = load_gpu("daws");
  EXPECT_EQ(gpu.sms(), 30u);
  EXPECT_EQ(gpu.clusters, 10u);
  EXPECT_EQ(gpu.sm.coalescing_arch, 13u);
  EXPECT_EQ(gpu.sm.shared.warp_parts, 2u);
  EXPECT_EQ(gpu.sm.l1d.write, WritePolicy::write_evict);
  EXPECT_EQ(gpu.sm.l1d.mshr_entries, 16u);
  EXPECT_EQ(gpu.sm.l1i.line_bytes, 128u);
  EXPECT_EQ(gpu.memory.slices(), 8u);
  EXPECT_EQ(gpu.memory.dram.frfcfs_queue, 32u);
}

TEST(Presets, KawsBypassesItsL1AndKawsL1UsesIt) {
  EXPECT_TRUE(load_gpu("kaws").sm.global_loads_skip_l1d);
  EXPECT_FALSE(load_gpu("kaws_l1").sm.global_loads_skip_l1d);
  EXPECT_EQ(load_gpu("kaws_l1").sm.l1d.size_bytes, 24u * 1024);
  EXPECT_EQ(load_gpu("kaws_l1").sm.l1d.allocation, LineAllocation::streaming);
  EXPECT_TRUE(load_gpu("kaws").sm.sub_cores);
  EXPECT_EQ(load_gpu("kaws").sm.max_issue, 2u);
  EXPECT_EQ(load_gpu("kaws").sm.generic_collectors.units, 0u);
  EXPECT_EQ(load_gpu("kaws").sm.sfu_collectors.units, 4u);
}

TEST(Presets, Qv100HasUnifiedMemoryAndAUnitForEveryClass) {
  const GpuSpec gpu = load_gpu("qv100");
  EXPECT_EQ(gpu.sm.unified_bytes, 128u * 1024);
  EXPECT_EQ(gpu.sm.shared_sizes, (std::vector<std::uint32_t>{0, 8192, 16384, 32768, 65536, 98304}));
  EXPECT_EQ(gpu.sm.units.int_, 4u);
  EXPECT_EQ(gpu.sm.units.dp, 4u);
  EXPECT_EQ(gpu.sm.units.tensor, 4u);
  EXPECT_EQ(gpu.sm.l1d.written_share, 25u);
  EXPECT_EQ(gpu.network.topology, Topology::local_crossbar);
  EXPECT_TRUE(gpu.memory.dram.dual_command_bus);
}

TEST(Presets, AreTheSameAfterWritingAndReading) {
  for (const std::string& name : preset_names())
    EXPECT_NE(to_toml(load_gpu(name)).find("shared_sizes = ["), std::string::npos) << name;
  const GpuSpec gpu = load_gpu("qv100", {"sm.shared_sizes=[0, 32KiB, 96KiB]"});
  EXPECT_EQ(gpu.sm.shared_sizes, (std::vector<std::uint32_t>{0, 32768, 98304}));
}

TEST(Presets, RejectAUnifiedMemoryThatCannotBeDivided) {
  EXPECT_THROW(load_gpu("qv100", {"sm.shared_sizes=8KiB,0"}), UserError);  // falling
  EXPECT_THROW(load_gpu("qv100", {"sm.shared_sizes=0,8KiB"}),
               UserError);  // below the SM's shared memory
  EXPECT_THROW(load_gpu("qv100", {"sm.unified_size=96KiB"}), UserError);   // nothing left for L1
  EXPECT_THROW(load_gpu("qv100", {"sm.unified_size=131073"}), UserError);  // no whole ways
}

}  // namespace
}  // namespace heddle::config
