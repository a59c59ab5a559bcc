#include "config/gpgpusim_import.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "base/diagnostics.h"
#include "base/temporary_folder.h"
#include "config/config.h"
#include "tests/error_message.h"

namespace heddle::config {
namespace {

class GpgpuSimImport : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    const std::string path = folder_.file(name);
    std::ofstream(path) << text;
    return path;
  }
  GpuSpec imported(const std::string& text) {
    const ImportedGpu gpu = import_gpgpu_sim(write("gpgpusim.config", kCaches + text));
    remarks_ = gpu.remarks;
    return load_gpu(write("imported.toml", gpu.toml));
  }
  std::string refusal(const std::string& text) {
    return message_of([&] { imported(text); }, "accepted");
  }
  bool remarks_have(const std::string& part) const {
    return std::any_of(remarks_.begin(), remarks_.end(), [&](const std::string& remark) {
      return remark.find(part) != std::string::npos;
    });
  }

  // Twelve lines. GPGPU-Sim has no L1 by default, and its other defaults contradict each other.
  const std::string kCaches =
      "-gpgpu_cache:dl1 N:32:128:4,L:L:m:N:H,S:64:8,8\n"
      "-gpgpu_cache:dl2 S:64:128:8,L:B:m:L:L,A:256:4,4:0,32\n"
      "-gpgpu_num_reg_banks 16\n-gpgpu_shmem_num_banks 32\n-gpgpu_coalesce_arch 20\n"
      "-dram_data_command_freq_ratio 4\n-gpgpu_dram_burst_length 8\n-gpgpu_n_mem 6\n"
      "-gpgpu_n_sub_partition_per_mchannel 2\n-gpgpu_n_mem_per_ctrlr 2\n"
      "-gpgpu_dram_timing_opt 16:2:6:12:28:12:40:12:4:5:12:4:3:2\n"
      "-gpgpu_mem_addr_mapping dramid@8;00000000.00000000.00000000.00000000."
      "0000RRRR.RRRRRRRR.BBBCCCCB.CCSSSSSS\n";
  std::vector<std::string> remarks_;

 private:
  TemporaryFolder folder_;
};

TEST_F(GpgpuSimImport, OptionsAndGroupsOfNumbersBecomeParameters) {
  const GpuSpec gpu = imported(
      "-gpgpu_n_clusters 14 # a comment\n"
      "-gpgpu_clock_domains 710.0:650.0:600.0:924.0\n"
      "-gpgpu_shader_core_pipeline 2048:32\n"
      "-gpgpu_pipeline_widths 6,4,0,2,1,5,3,0,2,1,12\n"
      "-gpgpu_num_sp_units 6\n-gpgpu_num_dp_units 4\n-gpgpu_num_sfu_units 2\n"
      "-ptx_opcode_latency_int 4,13,4,5,145\n"
      "-gpgpu_flush_l1_cache 1\n"
      "-gpgpu_dram_partition_queues 32:16:8:4\n");
  EXPECT_EQ(gpu.clusters, 14u);
  EXPECT_EQ(gpu.clocks.core_mhz, 710);
  EXPECT_EQ(gpu.clocks.icnt_mhz, 650);
  EXPECT_EQ(gpu.clocks.l2_mhz, 600);
  EXPECT_EQ(gpu.clocks.dram_mhz, 924);
  EXPECT_EQ(gpu.sm.max_threads, 2048u);
  EXPECT_EQ(gpu.sm.issue_latches.dp, 4u);
  EXPECT_EQ(gpu.sm.dispatch_latches.dp, 3u);
  EXPECT_EQ(gpu.sm.writeback_latches, 12u);
  EXPECT_EQ(gpu.sm.int_op.latency[5], 145u) << "SHFL has the value of DIV where the file has none";
  EXPECT_TRUE(gpu.sm.flush_l1d_at_kernel_end);
  EXPECT_EQ(gpu.memory.partition_queues, (std::array<std::uint32_t, 4>{32, 16, 8, 4}));
}

TEST_F(GpgpuSimImport, AnOptionThatIsNotGivenHasTheDefaultOfGpgpuSim) {
  const GpuSpec gpu = imported("");
  EXPECT_EQ(gpu.clusters, 10u);
  EXPECT_EQ(gpu.sms_per_cluster, 3u);
  EXPECT_EQ(gpu.memory.rop_latency, 85u);
}

TEST_F(GpgpuSimImport, ACacheStringIsReadLetterByLetter) {
  const GpuSpec gpu = imported("-gpgpu_cache:dl1 S:4:128:64,F:T:s:W:X,A:512:8,16:0,32\n");
  const CacheSpec& l1 = gpu.sm.l1d;
  EXPECT_EQ(l1.size_bytes, 4u * 128 * 64);
  EXPECT_EQ(l1.ways, 64u);
  EXPECT_EQ(l1.filling, Filling::sectors);
  EXPECT_EQ(l1.replacement, "fifo");
  EXPECT_EQ(l1.write, WritePolicy::write_through);
  EXPECT_EQ(l1.allocation, LineAllocation::streaming);
  EXPECT_EQ(l1.write_allocation, WriteAllocation::allocate);
  EXPECT_EQ(l1.set_index, SetIndex::xor_hash);
  EXPECT_EQ(l1.mshr_keying, MshrKeying::line);
  EXPECT_EQ(l1.mshr_entries, 512u);
  EXPECT_EQ(l1.mshr_merges, 8u);
  EXPECT_EQ(l1.miss_queue, 16u);
  EXPECT_EQ(l1.data_port_bytes, 0u) << "GPGPU-Sim's L1 does not wait for its data port";
  EXPECT_EQ(gpu.memory.l2.data_port_bytes, 32u);
}

TEST_F(GpgpuSimImport, QuotesJoinLinesOfDramTiming) {
  const GpuSpec gpu = imported(
      "-gpgpu_dram_timing_opt \"nbk=16:CCD=2:RRD=6:RCD=12:RAS=28:RP=12:RC=40:\n"
      "    CL=12:WL=4:CDLR=5:WR=12:nbkgrp=4:CCDL=3:RTPL=2\"\n"
      "-dram_bnkgrp_indexing_policy 1\n");
  EXPECT_EQ(gpu.memory.dram.banks, 16u);
  EXPECT_EQ(gpu.memory.dram.cl, 12u);
  EXPECT_EQ(gpu.memory.dram.bank_groups, 4u);
  EXPECT_EQ(gpu.memory.dram.rtpl, 2u);
  EXPECT_EQ(gpu.memory.dram.bank_group_bits, BankGroupBits::low);
}

TEST_F(GpgpuSimImport, TheAddressMapIsReadFromItsLowestBit) {
  EXPECT_EQ(imported("").memory.address_bits, "S6 C2 B1 C4 B3 R12");
  const GpuSpec gpu =
      imported("-gpgpu_mem_addr_mapping dramid@8;0000RRRR.CCRRBRRR.BBCCCCCB.CCSSSSSS\n");
  EXPECT_EQ(gpu.memory.address_bits, "S6 C2 B1 C5 B2 R3 B1 R2 C2 R4");
}

TEST_F(GpgpuSimImport, TheNetworkIsReadFromTheFileBesideIt) {
  write("net.icnt", "flit_size = 48;\nvc_buf_size = 128; // flits\ntopology = mesh;\n");
  const GpuSpec gpu = imported("-network_mode 1\n-inter_config_file net.icnt\n");
  EXPECT_EQ(gpu.network.flit_bytes, 48u);
  EXPECT_EQ(gpu.network.buffer_flits, 128u);
  EXPECT_EQ(gpu.network.slice_flits, 128u + 16u);
  EXPECT_TRUE(remarks_have("topology mesh of the network has no counterpart"));
  write("net.icnt",
        "internal_speedup = 3.5;\nvc_alloc_delay = 2;\nvc_buf_size = 128;\n"
        "ejection_buffer_size = 32;\nboundary_buffer_size = 24;\n");
  const GpuSpec router = imported("-network_mode 1\n-inter_config_file net.icnt\n");
  EXPECT_EQ(router.network.internal_speedup, 3u);
  EXPECT_EQ(router.network.packet_gap, 2u);
  EXPECT_EQ(router.network.slice_flits, 32u + 24u);
  EXPECT_TRUE(remarks_have("internal_speedup 3.5 of the network has no counterpart; 3"));
  EXPECT_EQ(
      imported("-network_mode 2\n-icnt_flit_size 40\n-icnt_in_buffer_limit 512\n").network.topology,
      Topology::local_crossbar);
}

TEST_F(GpgpuSimImport, ANetworkInAnotherFolderIsNotRead) {
  const std::string path = write("net.icnt", "flit_size = 48;\n");
  EXPECT_NE(imported("-inter_config_file " + path + "\n").network.flit_bytes, 48u);
  EXPECT_TRUE(remarks_have("cannot be read"));
}

TEST_F(GpgpuSimImport, UnifiedMemoryNeedsTheAdaptiveCache) {
  const std::string sizes =
      "-gpgpu_unified_l1d_size 96\n-gpgpu_shmem_option 32,64\n-gpgpu_shmem_size 65536\n";
  EXPECT_EQ(imported(sizes).sm.unified_bytes, 0u);
  const GpuSpec gpu = imported(sizes + "-gpgpu_adaptive_cache_config 1\n");
  EXPECT_EQ(gpu.sm.unified_bytes, 96u << 10);
  EXPECT_EQ(gpu.sm.shared_sizes, (std::vector<std::uint32_t>{32 << 10, 64 << 10}));
}

TEST_F(GpgpuSimImport, WhatHasNoCounterpartIsListed) {
  imported(
      "-gpgpu_perfect_mem 1\n-gpgpu_l1_banks_hashing_function 0\n-visualizer_enabled 0\n"
      "-gpgpu_scheduler rrr\n-gpgpu_compute_capability_major 2\n-gpgpu_unheard_of 3\n");
  EXPECT_TRUE(remarks_have("-gpgpu_perfect_mem 1 has no counterpart"));
  EXPECT_FALSE(remarks_have("hashing")) << "its value is GPGPU-Sim's default";
  EXPECT_FALSE(remarks_have("visualizer")) << "it changes no cycle";
  EXPECT_TRUE(remarks_have("-gpgpu_scheduler rrr: choose one by --scheduler"));
  EXPECT_TRUE(remarks_have("compute capability"));
  EXPECT_TRUE(remarks_have("-gpgpu_unheard_of 3 is not known"));
  EXPECT_TRUE(remarks_have(
      "-gpgpu_frfcfs_dram_sched_queue_size 0 is without limit: memory.dram.frfcfs_queue of "));
}

TEST_F(GpgpuSimImport, CoalescingHasThreeGenerations) {
  const std::pair<int, unsigned> rules[] = {{13, 13}, {19, 13}, {30, 20}, {35, 35}, {38, 20},
                                            {39, 13}, {40, 61}, {60, 61}, {70, 70}, {89, 61}};
  for (const auto& [given, arch] : rules)
    EXPECT_EQ(imported(fmt::format("-gpgpu_coalesce_arch {}\n", given)).sm.coalescing_arch, arch)
        << given;
}

TEST_F(GpgpuSimImport, AnotherFileIsRefusedByItsName) {
  const std::pair<const char*, const char*> files[] = {
      {"// 21*1 fly\nuse_map = 0;\n", "the file of a network"},
      {"-trace_opcode_latency_initiation_int 4,1\n", "latencies for traces"},
      {"base = \"gtx480\"\n", "not a configuration of GPGPU-Sim"},
      {"", "not a configuration of GPGPU-Sim"}};
  for (const auto& [text, problem] : files) {
    const std::string path = write("file", text);
    const std::string message = message_of([&] { import_gpgpu_sim(path); });
    EXPECT_NE(message.find(problem), std::string::npos) << message;
  }
}

TEST_F(GpgpuSimImport, AWrongValueIsRefusedWithItsLine) {
  EXPECT_NE(refusal("-gpgpu_n_clusters many\n").find("gpgpusim.config:13"), std::string::npos)
      << refusal("-gpgpu_n_clusters many\n");
  EXPECT_NE(refusal("-gpgpu_cache:dl1 N:32:128:4,L:Q:m:N:H,S:64:8,8\n").find("'Q'"),
            std::string::npos);
  EXPECT_NE(refusal("-gpgpu_cache:dl1 none\n").find("bypasses the L1"), std::string::npos);
  EXPECT_NE(refusal("-gpgpu_cache:dl1 nonsense\n").find("values"), std::string::npos);
  EXPECT_NE(refusal("-gpgpu_coalesce_arch 12\n").find("gpgpusim.config:13"), std::string::npos);
  EXPECT_NE(refusal("-gpgpu_n_mem\n").find("has no value"), std::string::npos);
  EXPECT_NE(refusal("7\n").find("follows no option"), std::string::npos);
  EXPECT_NE(refusal("-gpgpu_dram_timing_opt xyz=3\n").find("no DRAM timing"), std::string::npos);
  EXPECT_NE(refusal("-gpgpu_dram_timing_opt 1:2:3:4:5:6:7:8:9:1:2:3:4:5:6\n").find("too many"),
            std::string::npos);
  EXPECT_THROW(import_gpgpu_sim("/nonexistent/gpgpusim.config"), UserError);
}

}  // namespace
}  // namespace heddle::config
