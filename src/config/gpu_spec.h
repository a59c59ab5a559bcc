// The parameters of a GPU as plain values; they do not change after they were read. Names, units,
// ranges, defaults, meanings and sources are declared once in config/gpu_parameters.cc. The
// meanings follow GPGPU-Sim's parameters.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/address_layout.h"

namespace heddle::config {

enum class Filling : std::uint8_t {
  lines,
  sectors
};  // whole lines, or 32-byte sectors filled separately; N, S in GPGPU-Sim's files
enum class WritePolicy : std::uint8_t {
  read_only,
  write_back,
  write_through,
  write_evict,
  local_back_global_through
};  // R B T E L in GPGPU-Sim's files
enum class LineAllocation : std::uint8_t { on_miss, on_fill, streaming };  // m f s, there
enum class WriteAllocation : std::uint8_t {
  none,
  none_with_way,
  allocate,
  allocate_merged,
  fetch_on_write,
  lazy_fetch_on_read
};  // N N W W F L
enum class SetIndex : std::uint8_t {
  linear,
  fermi_hash,
  xor_hash,
  ipoly,
  prime_displacement
};  // L H X P, and that of the CCWS authors' simulator
enum class Topology : std::uint8_t { butterfly, local_crossbar, router };  // fly k, local
enum class MshrKeying : std::uint8_t { line, sector };                     // A S
// Where the hit latency of the L1 data cache is: in a queue before the tags, or behind them.
enum class L1AccessPath : std::uint8_t { queued, direct };
// The number of a register that selects its bank: dense in the kernel, or the digits of its name.
enum class RegisterNumbers : std::uint8_t { dense, named };
// Where kernels are in instruction memory.
enum class CodePlacement : std::uint8_t { aligned, packed };
// The bits of a bank's number that select its bank group.
enum class BankGroupBits : std::uint8_t { low, high };
// Which SM gets the next CTA: the next SM with room, or an SM of the next cluster by the search of
// the CCWS authors' simulator.
enum class CtaPlacement : std::uint8_t { round_robin, skipping_clusters };

// How an SM issues and reads its operands: scoreboard and operand collectors, or the compiler's
// control words and a fixed read window.
enum class Core : std::uint8_t { collector, compiler_guided };

struct CacheSpec {
  std::uint64_t size_bytes = 0;
  std::uint32_t line_bytes = 128;
  std::uint32_t ways = 4;
  Filling filling = Filling::lines;
  std::string replacement = "lru";  // a replacement policy of mem/catalogue.h
  WritePolicy write = WritePolicy::read_only;
  LineAllocation allocation = LineAllocation::on_fill;
  WriteAllocation write_allocation = WriteAllocation::none;
  SetIndex set_index = SetIndex::linear;
  MshrKeying mshr_keying = MshrKeying::line;
  bool merges_while_draining = false;  // until a complete MSHR has served all its requests
  bool fills_partial_writes = false;   // L2 that fills sectors: before it writes them back
  std::uint32_t mshr_entries = 8;
  std::uint32_t mshr_merges = 4;      // requests that one entry merges
  std::uint32_t miss_queue = 4;       // requests that wait to be sent to the next level
  std::uint32_t data_port_bytes = 0;  // bytes per cycle through the data port; 0 = a whole line
  std::uint32_t hit_latency = 0;      // cycles from access to data on a hit (L1D only)
  std::uint32_t banks = 1;            // L1D: accesses per cycle to different banks
  std::uint32_t fetch_sectors = 1;    // L2 that fills sectors: what a miss fetches, aligned
  // Percent of the lines: while a smaller share is dirty, dirty lines are not replaced.
  std::uint32_t written_share = 0;
  std::uint32_t sets() const {
    return static_cast<std::uint32_t>(size_bytes / (std::uint64_t{line_bytes} * ways));
  }
};

struct ClockSpec {
  double core_mhz = 700, icnt_mhz = 700, l2_mhz = 700, dram_mhz = 924;
};

// Result latency and initiation interval in core cycles for the five (six) classes ADD, MAX/MIN,
// MUL, MAD, DIV, and SHFL (integer) or FMA (floating point; latency 0: as MAD).
struct LatencySpec {
  std::array<std::uint32_t, 6> latency{4, 13, 4, 5, 145, 32};
  std::array<std::uint32_t, 6> interval{1, 2, 2, 1, 8, 4};
};
// One entry per unit class.
struct PerUnit {
  std::uint32_t sp = 0, dp = 0, int_ = 0, sfu = 0, mem = 0, tensor = 0;
};

struct CollectorSpec {
  std::uint32_t units = 0, in_ports = 0, out_ports = 0;
};

struct SharedMemorySpec {
  std::uint32_t banks = 32, warp_parts = 1, latency = 26;
};

// What only a compiler-guided core has.
struct GuidedSpec {
  std::uint32_t predicate_latency = 13;  // from a comparison to the instruction that it guards
  std::uint32_t address_interval = 4;    // memory instructions of a sub-core, one to the next
  std::uint32_t memory_interval = 1;     // the same for the SM
  std::uint32_t conflict_cycles = 2;     // latency of a conflict in shared memory
  std::uint64_t l0i_bytes = 16384;       // L0 instruction cache of a sub-core
  std::uint32_t l0i_miss_latency = 78;   // to the L1 instruction cache and back
  std::uint32_t prefetched_lines = 8;    // of the stream buffer
};

// Which unit multiplies and divides, where it is not always the SP and the SFU.
struct ProductUnits {
  bool integers_on_sfu = false;   // MUL and MAD
  bool floats_on_either = false;  // the SFU while the latches of the SP are full
  bool minor_in_a_cycle = false;  // rem, mul24 and mad24, on the SP
};

// How warps begin, idle and branch, where versions of GPGPU-Sim differ.
struct WarpFlowSpec {
  std::uint32_t first_fetch_slot = 0;  // the warp slot that fetches first of all
  bool schedulers_run_without_warps = false;
  bool taken_lanes_first = true;       // of a divergent branch
  bool loose_atomics = false;          // they wait for no address, and their warp for no result
  bool fetch_crosses_kernels = false;  // behind the last instruction is one of the next kernel
};

struct SmSpec {
  // Residency limits.
  std::uint32_t max_threads = 1536, max_ctas = 8, registers = 32768, shared_bytes = 49152;
  std::uint32_t max_warps() const { return max_threads / 32; }
  // Front end and issue.
  std::uint32_t schedulers = 2, max_issue = 1;
  bool dual_issue_different_units = true, sub_cores = false;
  bool first_scheduler_rotates = true;  // the scheduler that issues first in a cycle
  std::uint32_t fetch_throughput = 1;   // warps fetched and instruction pairs decoded per cycle
  // Pipeline.
  PerUnit units{2, 0, 0, 1, 1};
  PerUnit issue_latches{2, 0, 0, 1, 1};     // ID_OC
  PerUnit dispatch_latches{2, 0, 0, 1, 1};  // OC_EX
  std::uint32_t writeback_latches = 2;      // EX_WB: results per cycle
  std::uint32_t writeback_delay = 2;        // from the end of an arithmetic latency to writeback
  LatencySpec int_op, fp_op{{4, 13, 4, 5, 39, 0}, {1, 2, 1, 1, 4, 0}},
      dp_op{{8, 19, 8, 8, 330, 0}, {8, 16, 8, 8, 130, 0}};
  std::uint32_t sfu_latency = 8, sfu_interval = 8, tensor_latency = 64, tensor_interval = 64;
  CollectorSpec sp_collectors{6, 2, 2}, sfu_collectors{8, 1, 1}, mem_collectors{2, 1, 1},
      generic_collectors{0, 0, 0};
  std::uint32_t register_banks = 16, register_bank_ports = 1;
  bool single_ported_collectors = false;
  bool collectors_step_in_lsu = false;  // before the load/store unit accepts an instruction
  bool duplicate_operands_read_twice = false;
  ProductUnits products;
  WarpFlowSpec flow;
  bool fetch_again_after_miss = false;
  RegisterNumbers register_numbers = RegisterNumbers::dense;
  CodePlacement code_placement = CodePlacement::aligned;
  // Memory.
  L1AccessPath l1d_access = L1AccessPath::queued;
  SharedMemorySpec shared;
  std::uint32_t coalescing_arch = 20;  // 13, 20, 35, 61, 70, 75, 86
  bool global_loads_skip_l1d = false, flush_l1d_at_kernel_end = true,
       memory_barriers_empty_l1d = false, volatile_loads_use_l1d = false,
       vector_stores_mark_first_element = false;
  bool combined_atomics = false;        // of lanes on the same word
  std::uint32_t replies_per_cycle = 1;  // that the SM takes from the network, a sector each
  CacheSpec l1d, l1i, constant, texture;
  Core core = Core::collector;
  GuidedSpec guided;
  bool perfect_instruction_cache = false, perfect_constant_cache = false;
  // One memory for L1D and shared memory. A kernel gets the smallest of these sizes (bytes,
  // ascending) that fits its CTAs' shared memory; the L1D gets the rest, in whole ways. 0: two
  // memories; the list is not used.
  std::uint64_t unified_bytes = 0;
  std::vector<std::uint32_t> shared_sizes{0};
};

struct NetworkSpec {
  static constexpr std::uint32_t kMaxSpeedup = 8, kMaxGap = 16;
  Topology topology = Topology::butterfly;
  std::uint32_t flit_bytes = 40, buffer_flits = 64, virtual_channels = 1, output_speedup = 1,
                internal_speedup = 1;
  bool multiple_grants = false;         // of an input in a cycle (local crossbar)
  std::uint32_t packet_gap = 0;         // router steps in which a port rests after a packet
  std::uint32_t injection_packets = 8;  // packets that an SM's output port buffers
  std::uint32_t injection_flits = 0;    // flits that it buffers; 0: injection_packets
  std::uint32_t ejection_packets = 32;  // packets that an SM's input port buffers
  std::uint32_t slice_flits = 0;        // that a slice's input port buffers
  std::uint32_t request_latency = 4, reply_latency = 4;  // core cycles of a link without load
  // Core cycles in which no SM can affect another one: SMs and memory exchange packets after each.
  std::uint32_t window() const {
    return topology == Topology::router ? 1 : std::min(request_latency, reply_latency);
  }
};

struct DramSpec {
  std::uint32_t bus_bytes = 4, chips = 2, burst = 8,
                ratio =
                    4;  // bytes per beat per chip; chips; beats per burst; beats per command cycle
  std::uint32_t banks = 16, bank_groups = 4;
  BankGroupBits bank_group_bits = BankGroupBits::low;
  std::uint32_t ccd = 2, rrd = 6, rcd = 12, ras = 28, rp = 12, rc = 40, cl = 12, wl = 4, cdlr = 5,
                wr = 12, ccdl = 3, rtpl = 2;
  std::uint32_t faw = 0;            // 0: unlimited
  std::uint32_t frfcfs_passes = 0;  // row hits before the oldest request of a bank; 0: unlimited
  std::uint32_t frfcfs_queue = 64, return_queue = 116;
  std::uint32_t write_queue = 32, write_high = 28,
                write_low = 16;  // separate write queue (used when separate_writes)
  bool separate_writes = false;
  bool dual_command_bus = false;
  std::string scheduler = "fr-fcfs";  // a DRAM scheduler of mem/catalogue.h
  std::uint32_t atom_bytes() const { return bus_bytes * chips * burst; }
};

struct MemorySpec {
  std::uint32_t channels = 6, slices_per_channel = 2;
  CacheSpec l2;
  std::uint32_t rop_latency = 120;   // core cycles
  std::uint32_t far_latency = 0;     // core cycles, further ones from the other half of the L2
  std::uint32_t dram_latency = 100;  // core cycles before a request enters the DRAM queue
  std::uint32_t slice_room = 4;      // free places of the queue icnt->L2 that a request needs
  bool flush_l2_at_kernel_end = false;
  bool summed_clocks = false;         // clock edges are at sums of rounded periods
  bool gpgpusim_arbitration = false;  // among the slices of a channel
  std::array<std::uint32_t, 4> partition_queues{64, 64, 64,
                                                64};  // icnt->L2, L2->DRAM, DRAM->L2, L2->icnt
  std::uint64_t heap_base = kHeapBase;  // of cudaMalloc's memory, for channels, banks and L2 sets
  std::string address_bits;  // from bit 0 upwards, e.g. "S6 C2 B1 C4 B3 R12": S inside atom, C
                             // column, B bank, R row
  std::uint32_t partition_hash = 0;          // 0 none, 1 xor, 2 ipoly, 4 scattered, 6 row
  bool memcpy_fills_l2 = false;              // cudaMemcpy to the device fills the L2
  bool memcpy_from_device_fills_l2 = false;  // cudaMemcpy from the device, too
  DramSpec dram;
  std::uint32_t slices() const { return channels * slices_per_channel; }
};

// Energy of events in picojoules; static power in watts. energy/ multiplies them with counters.
struct EnergySpec {
  double sp_lane = 4.6, dp_lane = 50, int_lane = 3.2, sfu_lane = 20, mem_lane = 0.5;
  double issue = 70, register_read = 160, register_write = 160;
  double shared_cycle = 384, l1d_access = 224, constant_access = 10, instruction_fetch = 20;
  double l2_access = 110, network_flit = 388;
  double dram_read_byte = 96, dram_write_byte = 96, dram_activate = 2400, dram_precharge = 1200;
  double static_power = 50;
};

// The network between the SMs of a GPC, through which the CTAs of a cluster reach the shared memory
// of each other.
struct ClusterNetworkSpec {
  std::uint32_t gpcs = 8;        // 0: no clusters
  std::uint32_t latency = 175;   // core cycles of an access, there and back
  std::uint32_t bandwidth = 16;  // bytes per core cycle of an SM, in each direction
  std::uint32_t cycles_per_sector() const { return bandwidth >= 32 ? 1 : 32 / bandwidth; }
};

struct GpuSpec {
  std::string name;  // of the preset
  std::uint32_t clusters = 15, sms_per_cluster = 1;
  std::uint32_t kernel_launch_latency = 0;     // core cycles between launch and first CTA
  std::uint32_t device_launch_latency = 5000;  // core cycles between a kernel's launch of another
                                               // one and its first CTA
  std::uint32_t concurrent_kernels = 16;       // launches that run at once
  std::uint32_t hardware_queues = 1;           // between streams and the hardware
  std::uint32_t copy_engines = 0;              // per direction; 0: copies take no time
  std::uint32_t copy_bandwidth = 8000;         // MB/s of one engine, page-locked host memory
  std::uint32_t copy_pageable_percent = 50;    // of copy_bandwidth, for pageable host memory
  std::uint32_t copy_latency = 1000;           // ns before the first byte
  ClockSpec clocks;
  SmSpec sm;
  NetworkSpec network;
  ClusterNetworkSpec cluster_network;
  MemorySpec memory;
  EnergySpec energy;
  std::string default_scheduler = "gto";
  CtaPlacement cta_placement = CtaPlacement::round_robin;
  std::uint32_t first_cluster = 0;  // that gets the first CTA of a program
  // Device properties that programs query.
  std::uint32_t compute_major = 7, compute_minor = 5;
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;
  std::uint32_t pitch_alignment = 512;  // bytes; rows of cudaMallocPitch start at multiples
  std::uint32_t sms() const { return clusters * sms_per_cluster; }
};

}  // namespace heddle::config
