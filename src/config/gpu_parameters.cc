// The one declaration of every parameter: key, unit, limits, meaning, source of the default.
#include "base/address_layout.h"
#include "base/index_set.h"
#include "config/parameter.h"

namespace heddle::config {
namespace {

using Names = std::span<const std::string_view>;
constexpr std::string_view kFillings[] = {"lines", "sectors"};
constexpr std::string_view kWrites[] = {"read_only", "write_back", "write_through", "write_evict",
                                        "local_back_global_through"};
constexpr std::string_view kAllocations[] = {"on_miss", "on_fill", "streaming"};
constexpr std::string_view kWriteAllocations[] = {
    "none", "none_with_way", "allocate", "allocate_merged", "fetch_on_write", "lazy_fetch_on_read"};
constexpr std::string_view kSetIndexes[] = {"linear", "fermi_hash", "xor_hash", "ipoly",
                                            "prime_displacement"};
constexpr std::string_view kTopologies[] = {"butterfly", "local_crossbar", "router"};
constexpr std::string_view kMshrKeyings[] = {"line", "sector"};
constexpr std::string_view kL1Accesses[] = {"queued", "direct"};
constexpr std::string_view kRegisterNumbers[] = {"dense", "named"};
constexpr std::string_view kCodePlacements[] = {"aligned", "packed"};
constexpr std::string_view kCores[] = {"collector", "compiler_guided"};
constexpr std::string_view kBankGroupBits[] = {"low", "high"};
constexpr std::string_view kCtaPlacements[] = {"round_robin", "skipping_clusters"};

constexpr double kMaxPorts = IndexSet::kCapacity;

constexpr const char* kShipped = "GPGPU-Sim 4.x, SM2_GTX480";
constexpr const char* kOption = "GPGPU-Sim 4.x, option default";
constexpr const char* kOlder = "GPGPU-Sim 4.x; GPGPU-Sim 3.2.2 differs";
constexpr const char* kHeddle = "Heddle";
constexpr const char* kHuerta = "Huerta et al., MICRO 2025";

template <class Enum>
ChoiceSlot choice(Enum& member, Names names) {
  static_assert(sizeof(Enum) == 1);
  return {reinterpret_cast<std::uint8_t*>(&member), names};
}
template <std::size_t N>
ListSlot list(std::array<std::uint32_t, N>& member) {
  return {member.data(), N};
}

using Slot = decltype(GpuParameter::slot);

class Table {
 public:
  std::vector<GpuParameter> rows;

  void section(std::string prefix, std::string source) {
    prefix_ = std::move(prefix);
    source_ = std::move(source);
  }
  void operator()(const char* key, Slot slot, const char* unit, Limits limits, std::string meaning,
                  const char* source = nullptr) {
    rows.push_back(
        {prefix_ + key, unit, limits, std::move(meaning), source ? source : source_, slot, {}});
  }
  // What 3.2.2 or newer cards differ in. Files that do not name it mean `false`.
  void older(const char* key, bool& member, std::string meaning, const char* source = kOlder) {
    (*this)(key, &member, "", {}, std::move(meaning), source);
    rows.back().earlier = "false";
  }

 private:
  std::string prefix_, source_;
};

void declare_cache(Table& add, const std::string& prefix, CacheSpec& c, const std::string& name,
                   double largest_line) {
  add.section(prefix, kShipped);
  add("size", &c.size_bytes, "bytes", {1, 1 << 28},
      "capacity of " + name + "; sets = size / (line x ways), a power of two");
  add("line", &c.line_bytes, "bytes", {32, largest_line, true}, "bytes of a line");
  add("ways", &c.ways, "ways", {1, 1024}, "lines of one set");
  add("filling", choice(c.filling, kFillings), "", {},
      "whole lines, or 32-byte sectors filled separately");
  add("replacement", &c.replacement, "", {},
      "which line of a set is replaced (heddle list replacement-policies)");
  add("write", choice(c.write, kWrites), "", {},
      "what a store does; write_evict invalidates the line it hits");
  add("allocation", choice(c.allocation, kAllocations), "", {},
      "when a missing line gets a way: at the miss (fails while all are pending) or the fill");
  add("write_allocation", choice(c.write_allocation, kWriteAllocations), "", {},
      "what a store that misses allocates and fetches; none_with_way: nothing, but its set has a "
      "way that is not being fetched; allocate_merged: it is a request of the fetch's MSHR");
  add("set_index", choice(c.set_index, kSetIndexes), "", {},
      "how an address selects its set: its low bits; GPGPU-Sim's Fermi hash; low bits xor tag; a "
      "polynomial hash; prime_displacement: (low bits + 7 x tag) modulo the sets");
  add("mshr_keying", choice(c.mshr_keying, kMshrKeyings), "", {}, "what one MSHR entry tracks");
  add("mshr_entries", &c.mshr_entries, "entries", {1, 65536}, "outstanding misses");
  add("mshr_merges", &c.mshr_merges, "requests", {1, 65536}, "requests that one MSHR entry merges");
  add("miss_queue", &c.miss_queue, "requests", {2, 65536},
      "requests that wait to be sent to the next level; an access fails while it is full");
  add("data_port", &c.data_port_bytes, "bytes", {0, 1024},
      "bytes per cycle through the data port; 0 = a whole line");
  add("written_share", &c.written_share, "percent", {0, 100},
      "while a smaller share of the lines is dirty, they are not replaced; 0 = no such rule");
}

// What only caches of data have.
void declare_draining(Table& add, CacheSpec& c) {
  add.older("merges_while_draining", c.merges_while_draining,
            "an MSHR whose fetch is complete merges requests until it has served all; a line that "
            "was replaced meanwhile gets a way, and is fetched when it is requested once more");
}

// What only the L1 data cache has.
void declare_l1d(Table& add, CacheSpec& c) {
  declare_cache(add, "sm.l1d.", c, "the L1 data cache", 128);
  declare_draining(add, c);
  add("hit_latency", &c.hit_latency, "cycles", {0, 10000},
      "from access to data on a hit; cycles of the load/store unit with sm.l1d_access = direct");
  add("banks", &c.banks, "banks", {1, 64, true}, "accesses per cycle to different banks");
}

// What only the L2 has is added here.
void declare_l2(Table& add, CacheSpec& c) {
  declare_cache(add, "memory.l2.", c, "one L2 slice", 128);
  declare_draining(add, c);
  add("fetch_sectors", &c.fetch_sectors, "sectors", {1, 4, true},
      "aligned sectors that a miss fetches from DRAM, except those that can be read already (where "
      "sectors are filled); cards since Ampere fetch 64 bytes (CUDA Runtime API, "
      "cudaLimitMaxL2FetchGranularity)",
      kHeddle);
  add.rows.back().earlier = "1";
  add.older("fills_partial_writes", c.fills_partial_writes,
            "partly written sectors are read before their write-back (DRAM with ECC)", kHeddle);
}

void declare_units(Table& add, const std::string& prefix, PerUnit& units, const std::string& what) {
  add.section(prefix, kShipped);
  add("sp", &units.sp, "", {0, 16}, what + ": single precision and integer");
  add("dp", &units.dp, "", {0, 16}, what + ": double precision; 0: the SFU executes it");
  add("int", &units.int_, "", {0, 16}, what + ": integer; 0: the SP unit executes it");
  add("sfu", &units.sfu, "", {0, 16}, what + ": special functions");
  add("mem", &units.mem, "", {0, 16}, what + ": loads and stores");
  add("tensor", &units.tensor, "", {0, 16},
      what + ": matrix operations; 0: kernels with them are refused");
}

void declare_operations(Table& add, const std::string& prefix, LatencySpec& op,
                        const std::string& what, const std::string& last) {
  add.section(prefix, kShipped);
  add("latency", list(op.latency), "cycles", {0, 4096},
      what + " operations, accept to result: ADD and others, MAX/MIN, MUL, MAD, DIV, " + last);
  add("interval", list(op.interval), "cycles", {0, 4096},
      what + " operations, accept to next accept, in the same order");
}

void declare_collectors(Table& add, const std::string& prefix, CollectorSpec& c,
                        const std::string& what) {
  add.section(prefix, kShipped);
  add("units", &c.units, "", {0, 64},
      what + ": instructions that collect operands at the same time");
  add("in_ports", &c.in_ports, "", {0, 64}, what + ": instructions that enter per cycle");
  add("out_ports", &c.out_ports, "", {0, 64},
      what + ": instructions that are dispatched per cycle");
}

void declare_device(Table& add, GpuSpec& g) {
  add.section("", kShipped);
  add("clusters", &g.clusters, "clusters", {1, kMaxPorts},
      "clusters of SMs; a cluster shares one network port");
  add("sms_per_cluster", &g.sms_per_cluster, "SMs", {1, 16}, "SMs of one cluster");
  add("kernel_launch_latency", &g.kernel_launch_latency, "core cycles", {0, 1e6},
      "between a launch and its first CTA", kOption);
  // GPGPU-Sim's configurations of Pascal and later machines have 5000, for launches from kernels,
  // too. Wang et al. (Dynamic Thread Block Launch, ISCA 2015) report about 14000 on a K20c.
  add("device_launch_latency", &g.device_launch_latency, "core cycles", {0, 1e6},
      "between a kernel's launch of another one and that one's first CTA", kHeddle);
  add("concurrent_kernels", &g.concurrent_kernels, "kernels", {1, 128},
      "launches that run at once; the CUDA C++ Programming Guide's number of resident grids: 16 "
      "for compute capability 2.x, 32 for 3.5 to 6.1, 128 for 6.0 and from 7.0 on",
      kHeddle);
  add("hardware_queues", &g.hardware_queues, "queues", {1, 128},
      "queues between streams and the hardware: 1 on Fermi, where a launch that waits delays the "
      "launches of other streams behind it; 32 from Kepler's GK110 (Hyper-Q) on",
      kHeddle);
  add("copy_engines", &g.copy_engines, "engines", {0, 16},
      "engines that copy between host and device, for each direction; copies of different engines "
      "overlap with each other and with kernels; 0: copies take no time",
      kHeddle);
  add("copy_bandwidth", &g.copy_bandwidth, "MB/s", {1, 1e6},
      "bandwidth of a copy engine with page-locked host memory; the 16 lanes of PCI Express have "
      "8000 (2.0), 15754 (3.0), 31508 (4.0) and 63015 (5.0) in each direction",
      kHeddle);
  add("copy_pageable_percent", &g.copy_pageable_percent, "percent", {1, 100},
      "part of copy_bandwidth with pageable host memory, which the driver copies through a "
      "page-locked buffer; the part is an interpretation",
      kHeddle);
  add("copy_latency", &g.copy_latency, "ns", {0, 1e6},
      "between the start of a copy and its first byte; the value is an interpretation", kHeddle);
  add("default_scheduler", &g.default_scheduler, "", {},
      "warp scheduler when --scheduler is not given");
  add("cta_placement", choice(g.cta_placement, kCtaPlacements), "", {},
      "round_robin: every SM with room in turn; skipping_clusters: each cluster that gets a CTA "
      "moves the start of the search, so that clusters 1, 3, 6, 10, ... (modulo their number) "
      "after the last one are tried, as in the simulator of the CCWS authors");
  add("first_cluster", &g.first_cluster, "", {0, kMaxPorts - 1},
      "the cluster that gets the first CTA of a program", kOlder);
  // GPCs: the H100 white paper, 8 of up to 9 TPCs. Luo et al., "Benchmarking and Dissecting the
  // Nvidia Hopper GPU Architecture via Microbenchmarking" (arXiv 2402.13499), measure 180 cycles, 5
  // of which are the pipeline's, and 3.3 TB/s on an H800 of 114 SMs at 1755 MHz.
  add("gpcs", &g.cluster_network.gpcs, "GPCs", {0, 32},
      "groups of SMs whose CTAs may form a thread block cluster, from compute capability 9.0 on; "
      "the SMs are divided evenly, in pairs (TPCs); 0: no such clusters",
      kHeddle);
  add.rows.back().earlier = "8";
  add("cluster_latency", &g.cluster_network.latency, "core cycles", {1, 1e6},
      "of an access to the shared memory of another CTA of the cluster, there and back, and of the "
      "cluster's barrier",
      kHeddle);
  add.rows.back().earlier = "175";
  add("cluster_bandwidth", &g.cluster_network.bandwidth, "bytes per cycle", {1, 32},
      "of an SM for these accesses, in each direction", kHeddle);
  add.rows.back().earlier = "16";
  add("compute_major", &g.compute_major, "", {1, 12},
      "compute capability that programs see, before the point", kHeddle);
  add("compute_minor", &g.compute_minor, "", {0, 9},
      "compute capability that programs see, after the point", kHeddle);
  add("memory_size", &g.memory_bytes, "bytes", {1 << 20, static_cast<double>(kMaxMemoryBytes)},
      "global memory", kHeddle);
  add("pitch_alignment", &g.pitch_alignment, "bytes", {1, 4096, true},
      "the pitch of cudaMallocPitch is a multiple of this; 1: the pitch is the width, as in "
      "GPGPU-Sim",
      kHeddle);
  add.section("clocks.", kShipped);
  const Limits mhz{1, 10000};
  add("core", &g.clocks.core_mhz, "MHz", mhz, "SM clock");
  add("icnt", &g.clocks.icnt_mhz, "MHz", mhz, "network clock");
  add("l2", &g.clocks.l2_mhz, "MHz", mhz, "L2 clock");
  add("dram", &g.clocks.dram_mhz, "MHz", mhz, "DRAM command clock");
}

// Of a compiler-guided core.
void declare_guided(Table& add, GuidedSpec& g) {
  add.section("sm.guided.", kHuerta);
  add("predicate_latency", &g.predicate_latency, "cycles", {1, 15},
      "from a comparison to an instruction that it guards");
  add.rows.back().earlier = "13";
  add("address_interval", &g.address_interval, "cycles", {1, 64},
      "a sub-core's memory instructions, from one to the next");
  add.rows.back().earlier = "4";
  add("memory_interval", &g.memory_interval, "cycles", {1, 64},
      "an SM's memory instructions, from one to the next: 32 / load/store units of the SM");
  add.rows.back().earlier = "1";
  add("conflict_cycles", &g.conflict_cycles, "cycles", {1, 16},
      "latency of shared memory for each further word of a bank, which is busy for one cycle",
      "measured on an H200, docs/validation.md#h200-beside-an-h200");
  add.rows.back().earlier = "2";
  add("l0i_size", &g.l0i_bytes, "bytes", {128, 1 << 20},
      "L0 instruction cache of a sub-core, of 128-byte lines; an instruction of PTX counts 16 "
      "bytes here",
      "Jia et al., arXiv 1903.07486");
  add.rows.back().earlier = "16KiB";
  add("l0i_miss_latency", &g.l0i_miss_latency, "cycles", {1, 1000},
      "to the L1 instruction cache and back");
  add.rows.back().earlier = "78";
  add("prefetched_lines", &g.prefetched_lines, "lines", {0, 64},
      "lines that the stream buffer of a sub-core prefetches behind one that missed");
  add.rows.back().earlier = "8";
}

void declare_sm(Table& add, SmSpec& sm) {
  add.section("sm.", kShipped);
  add("max_threads", &sm.max_threads, "threads", {32, 2048},
      "threads resident on one SM; a multiple of 32");
  add("max_ctas", &sm.max_ctas, "CTAs", {1, 64}, "CTAs resident on one SM");
  add("registers", &sm.registers, "registers", {256, 1 << 20}, "32-bit registers of one SM");
  add("shared_size", &sm.shared_bytes, "bytes", {0, 1 << 20}, "shared memory of one SM");
  add("schedulers", &sm.schedulers, "schedulers", {1, 8},
      "warp schedulers; warp slot i belongs to scheduler i mod schedulers");
  add("max_issue", &sm.max_issue, "instructions", {1, 2},
      "instructions that a scheduler issues from one warp per cycle");
  add("dual_issue_different_units", &sm.dual_issue_different_units, "", {},
      "a second instruction must use another kind of unit");
  add("sub_cores", &sm.sub_cores, "", {},
      "each scheduler has its own latches, register banks and units; otherwise all share them");
  add("first_scheduler_rotates", &sm.first_scheduler_rotates, "", {},
      "the scheduler that issues first rotates with the cycles in which the SM has CTAs; otherwise "
      "it is always scheduler 0, whose warps then get shared latches first",
      kOlder);
  add("fetch_throughput", &sm.fetch_throughput, "warps", {1, 16},
      "warps fetched and instruction pairs decoded per cycle", kOption);
  add("writeback_latches", &sm.writeback_latches, "results", {1, 64},
      "results written back per cycle (EX_WB)");
  add("writeback_delay", &sm.writeback_delay, "cycles", {0, 16},
      "from the end of an arithmetic instruction's latency to its writeback: GPGPU-Sim has one "
      "cycle into the result latch and one out of it; fewer where results are forwarded",
      kOption);
  add("sfu_latency", &sm.sfu_latency, "cycles", {1, 4096}, "special functions, accept to result",
      kOption);
  add("sfu_interval", &sm.sfu_interval, "cycles", {1, 4096},
      "special functions, accept to next accept", kOption);
  add("tensor_latency", &sm.tensor_latency, "cycles", {1, 4096},
      "tensor operations, accept to result", kOption);
  add("tensor_interval", &sm.tensor_interval, "cycles", {1, 4096},
      "tensor operations, accept to next accept", kOption);
  add("register_banks", &sm.register_banks, "banks", {1, 64, true},
      "register r of warp w is in bank (r + w) mod banks");
  add("single_ported_collectors", &sm.single_ported_collectors, "", {},
      "a collector receives one operand per cycle; otherwise one from every bank");
  add("collectors_step_in_lsu", &sm.collectors_step_in_lsu, "", {},
      "the collectors step inside a cycle of the load/store unit, which accepts a load or store in "
      "the cycle in which its operands are complete; otherwise they step after it",
      kOlder);
  add("duplicate_operands_read_twice", &sm.duplicate_operands_read_twice, "", {},
      "a register that an instruction names twice is read twice", kOlder);
  add("integer_products_on_sfu", &sm.products.integers_on_sfu, "", {},
      "integer MUL and MAD execute on the SFU", kOlder);
  add.older("fp_products_on_either_unit", sm.products.floats_on_either,
            "f32 and f64 MUL use the SFU while the SP's latches are full, other f64 operations but "
            "divisions the SP; otherwise f64 uses the SFU where there is no f64 unit");
  add.older("minor_opcodes_in_a_cycle", sm.products.minor_in_a_cycle,
            "rem, mul24 and mad24 take one cycle on the SP: the table of latencies lacks them");
  add("first_fetch_slot", &sm.flow.first_fetch_slot, "", {0, 63},
      "the warp slot at which a program's first search for a warp to fetch begins", kOlder);
  add.rows.back().earlier = "0";
  add.older("schedulers_run_without_warps", sm.flow.schedulers_run_without_warps,
            "an SM without warps runs while a CTA is left to start: schedulers examine empty "
            "slots, also while CTAs wait for stores, and the collectors' arbiter moves on");
  add("taken_lanes_first", &sm.flow.taken_lanes_first, "", {},
      "lanes that take a branch run first; otherwise those without the highest lane", kOlder);
  add.rows.back().earlier = "true";
  add.older("loose_atomics", sm.flow.loose_atomics,
            "an atomic does not wait for the register of its address, nor read it; its warp goes "
            "on before its result is written, which two-level takes for that of a load");
  add.older("fetch_crosses_kernels", sm.flow.fetch_crosses_kernels,
            "a kernel's last instruction is buffered with the one behind it, of the next kernel");
  add("fetch_again_after_miss", &sm.fetch_again_after_miss, "", {},
      "after a miss a warp fetches again; otherwise the arriving line fills its buffer", kOlder);
  add("register_numbers", choice(sm.register_numbers, kRegisterNumbers), "", {},
      "what selects a register's bank: dense in the kernel; named: its digits in PTX", kOlder);
  add("code_placement", choice(sm.code_placement, kCodePlacements), "", {},
      "aligned: multiples of 256 bytes, by first launch; packed: in the order of the PTX", kOlder);
  add("register_bank_ports", &sm.register_bank_ports, "operands", {1, 8},
      "operands that a bank delivers per cycle");
  add("coalescing_arch", &sm.coalescing_arch, "", {13, 90},
      "13: half-warp segments; 20, 35: 128-byte lines; 61, 70, 75, 86: 32-byte sectors of lines");
  add("l1d_access", choice(sm.l1d_access, kL1Accesses), "", {},
      "queued: accesses wait the hit latency in a queue before the tags; direct: the instruction "
      "that is dispatched accesses the tags, and data of a hit arrive after the hit latency",
      kOlder);
  add("global_loads_skip_l1d", &sm.global_loads_skip_l1d, "", {},
      "global loads bypass the L1 data cache");
  add("flush_l1d_at_kernel_end", &sm.flush_l1d_at_kernel_end, "", {},
      "the L1 data cache is flushed when a kernel ends");
  add("memory_barriers_empty_l1d", &sm.memory_barriers_empty_l1d, "", {},
      "a memory barrier of a warp invalidates its SM's L1 data cache");
  add("volatile_loads_use_l1d", &sm.volatile_loads_use_l1d, "", {},
      "volatile loads and .cv loads use the L1 data cache");
  add.older("combined_atomics", sm.combined_atomics,
            "lanes whose atomics are on the same word share an access, which the L2 makes at once, "
            "and a warp of a compiler-guided core has several atomics on their way; otherwise each "
            "lane has its own access, and a warp waits for each atomic",
            kHeddle);
  add("replies_per_cycle", &sm.replies_per_cycle, "replies", {1, 4},
      "replies of the L2 that an SM takes per cycle; a sectored L2 answers 32 bytes with each",
      kHeddle);
  add.rows.back().earlier = "1";
  add("vector_stores_mark_first_element", &sm.vector_stores_mark_first_element, "", {},
      "a vector store marks only the first element of a lane as written, so a later read of the "
      "sector can miss");
  add("perfect_instruction_cache", &sm.perfect_instruction_cache, "", {},
      "every instruction fetch hits", kOption);
  add("perfect_constant_cache", &sm.perfect_constant_cache, "", {},
      "loads of constants and kernel parameters always hit", kOption);
  add("unified_size", &sm.unified_bytes, "bytes", {0, 1 << 20},
      "one memory for L1 and shared memory, divided for every kernel; 0 = two memories", kOption);
  add("shared_sizes", &sm.shared_sizes, "bytes", {0, 1 << 20},
      "sizes of shared memory in it, ascending; a kernel gets the smallest that fits its CTAs",
      kOption);
  add("core", choice(sm.core, kCores), "", {},
      "collector: a scoreboard and operand collectors; compiler_guided: the control words of the "
      "code, or those that Heddle computes for PTX, and a fixed read window",
      kHeddle);
  add.rows.back().earlier = "collector";
  declare_guided(add, sm.guided);
  add.section("sm.shared.", kShipped);
  add("banks", &sm.shared.banks, "banks", {1, 64, true}, "shared memory banks of 4 bytes");
  add("warp_parts", &sm.shared.warp_parts, "parts", {1, 4, true},
      "parts of a warp that are checked for bank conflicts separately");
  add("latency", &sm.shared.latency, "cycles", {1, 4096}, "access to data without conflict");
  declare_units(add, "sm.units.", sm.units, "units of 32 lanes");
  declare_units(add, "sm.issue_latches.", sm.issue_latches,
                "latches from issue to operand collectors (ID_OC)");
  declare_units(add, "sm.dispatch_latches.", sm.dispatch_latches,
                "latches from operand collectors to units (OC_EX)");
  declare_operations(add, "sm.int_op.", sm.int_op, "integer", "SHFL");
  declare_operations(add, "sm.fp_op.", sm.fp_op, "single precision", "FMA (0: as MAD)");
  declare_operations(add, "sm.dp_op.", sm.dp_op, "double precision", "FMA (0: as MAD)");
  declare_collectors(add, "sm.collectors.sp.", sm.sp_collectors, "operand collectors for SP");
  declare_collectors(add, "sm.collectors.sfu.", sm.sfu_collectors, "operand collectors for SFU");
  declare_collectors(add, "sm.collectors.mem.", sm.mem_collectors,
                     "operand collectors for loads and stores");
  declare_collectors(add, "sm.collectors.generic.", sm.generic_collectors,
                     "operand collectors for every unit");
  declare_l1d(add, sm.l1d);
  declare_cache(add, "sm.l1i.", sm.l1i, "the instruction cache", 256);
  declare_cache(add, "sm.constant.", sm.constant, "the constant cache", 256);
  declare_cache(add, "sm.texture.", sm.texture, "the texture cache", 128);
}

void declare_network(Table& add, NetworkSpec& n) {
  add.section("network.", kShipped);
  add("topology", choice(n.topology, kTopologies), "", {},
      "butterfly: packets move as flits; local_crossbar: whole; router: as flits with credits, in "
      "windows of one cycle");
  add("flit", &n.flit_bytes, "bytes", {8, 1024}, "bytes that the network moves per port and cycle");
  add("buffer", &n.buffer_flits, "flits", {1, 65536}, "input buffer of one virtual channel");
  add("virtual_channels", &n.virtual_channels, "channels", {1, 16}, "virtual channels of one port");
  add("output_speedup", &n.output_speedup, "", {1, NetworkSpec::kMaxSpeedup},
      "crossbar outputs per port");
  add("internal_speedup", &n.internal_speedup, "", {1, NetworkSpec::kMaxSpeedup},
      "router steps per network cycle");
  add("multiple_grants", &n.multiple_grants, "", {},
      "an input of a local crossbar that has sent a packet may send the next one in the same "
      "cycle, "
      "to an output with a higher number; otherwise one packet per cycle",
      "GPGPU-Sim 4.x, local_interconnect.cc");
  add("packet_gap", &n.packet_gap, "router steps", {0, NetworkSpec::kMaxGap},
      "in which an input and an output of the router are idle after a packet: its allocation of a "
      "virtual channel",
      kOlder);
  add("injection", &n.injection_packets, "packets", {1, 4096},
      "packets that an SM's output port buffers");
  add("injection_flits", &n.injection_flits, "flits", {0, 65536},
      "flits that an SM's output port buffers; 0: it buffers `injection` packets", kOlder);
  add.rows.back().earlier = "0";
  add("ejection", &n.ejection_packets, "packets", {1, 4096},
      "packets that an SM's input port buffers");
  add("slice_flits", &n.slice_flits, "flits", {0, 65536},
      "flits that a slice's input port buffers (router: any receiver); 0: `ejection` packets",
      kOlder);
  add("request_latency", &n.request_latency, "core cycles", {1, 64},
      "latency from an SM to an L2 slice without load; the smaller of both latencies is the length "
      "of a window",
      kHeddle);
  add("reply_latency", &n.reply_latency, "core cycles", {1, 64},
      "latency from an L2 slice to an SM without load", kHeddle);
}

void declare_memory(Table& add, MemorySpec& m) {
  add.section("memory.", kShipped);
  add("channels", &m.channels, "channels", {1, 64},
      "memory channels, each with its own controller");
  add("slices_per_channel", &m.slices_per_channel, "slices", {1, 8, true},
      "L2 slices of one channel");
  add("rop_latency", &m.rop_latency, "core cycles", {0, 10000},
      "from arrival at a slice to its L2 lookup; most of the L2 hit latency");
  add("far_latency", &m.far_latency, "core cycles", {0, 10000},
      "further latency to the other half of the L2; a read puts a copy in the near half. An "
      "address is in a half by a hash of its block of 4 KiB; the half with the lower channels is "
      "near the clusters with even numbers; 0: the L2 has no halves",
      kHeddle);
  add.rows.back().earlier = "0";
  add("dram_latency", &m.dram_latency, "core cycles", {0, 10000},
      "from an L2 miss to the DRAM scheduler's queue");
  add("partition_queues", list(m.partition_queues), "packets", {1, 65536},
      "queues network->L2, L2->DRAM, DRAM->L2, L2->network");
  add("slice_room", &m.slice_room, "packets", {1, 16},
      "free places of the queue network->L2 without which no request moves to the slice", kOlder);
  add("flush_l2_at_kernel_end", &m.flush_l2_at_kernel_end, "", {},
      "the L2 is emptied when a kernel ends", kOption);
  add.older("gpgpusim_arbitration", m.gpgpusim_arbitration,
            "DRAM takes requests of its first slice first, and none while DRAM->L2 is full");
  add.older("summed_clocks", m.summed_clocks,
            "sums of rounded periods order coinciding edges of core and DRAM, anew for each "
            "kernel, and dram_latency counts core cycles");
  add("heap_base", &m.heap_base, "bytes", {1 << 28, kHeapBase},
      "the first address of cudaMalloc's memory, as the L2 and DRAM see it; code and local memory "
      "keep theirs",
      kOlder);
  add.rows.back().earlier = "3GiB";
  add("address_bits", &m.address_bits, "", {},
      "address inside a channel from bit 0 upwards: S inside the atom, C column, B bank (the "
      "lowest also selects the slice), R row");
  add("partition_hash", &m.partition_hash, "", {0, 6},
      "hash of upper address bits into the slice number: 0 none, 1 xor, 2 irreducible polynomial, "
      "4 every 128 bytes scattered over all slices, 6 the DRAM row added to the channel");
  add("memcpy_fills_l2", &m.memcpy_fills_l2, "", {},
      "cudaMemcpy to the device fills the L2, except into a module's variables (GPGPU-Sim 4.x does "
      "so by default)",
      kHeddle);
  add("memcpy_from_device_fills_l2", &m.memcpy_from_device_fills_l2, "", {},
      "cudaMemcpy from the device to the host fills the L2, except out of a module's variables "
      "(GPGPU-Sim 4.x does so by default)",
      kHeddle);
  declare_l2(add, m.l2);
}

void declare_dram(Table& add, DramSpec& d) {
  add.section("memory.dram.", kShipped);
  add("bus", &d.bus_bytes, "bytes", {1, 128, true}, "bytes per beat of one chip");
  add("chips", &d.chips, "chips", {1, 16, true}, "chips of one channel");
  add("burst", &d.burst, "beats", {1, 64, true},
      "beats per column access; bus x chips x burst = the atom");
  add("ratio", &d.ratio, "beats", {1, 16, true}, "beats per command cycle");
  add("banks", &d.banks, "banks", {1, 64, true}, "banks of one channel");
  add("bank_groups", &d.bank_groups, "groups", {1, 64, true},
      "bank groups; ccdl and rtpl apply inside one");
  add("bank_group_bits", choice(d.bank_group_bits, kBankGroupBits), "", {},
      "the bits of a bank's number that select its group", kOlder);
  const Limits cycles{0, 1000};
  const char* unit = "DRAM cycles";
  add("ccd", &d.ccd, unit, cycles, "column access to column access");
  add("rrd", &d.rrd, unit, cycles, "activate to activate, different banks");
  add("rcd", &d.rcd, unit, cycles, "activate to column access");
  add("ras", &d.ras, unit, cycles, "activate to precharge");
  add("rp", &d.rp, unit, cycles, "precharge to activate");
  add("rc", &d.rc, unit, cycles, "activate to activate, same bank");
  add("cl", &d.cl, unit, cycles, "read command to data");
  add("wl", &d.wl, unit, cycles, "write command to data");
  add("cdlr", &d.cdlr, unit, cycles, "last write data to read command (tWTR)");
  add("wr", &d.wr, unit, cycles, "last write data to precharge");
  add("ccdl", &d.ccdl, unit, cycles, "column access to column access inside a bank group");
  add("rtpl", &d.rtpl, unit, cycles, "read to precharge inside a bank group");
  add("faw", &d.faw, unit, cycles,
      "window that contains at most four activates of a channel (tFAW); 0: unlimited, as in "
      "GPGPU-Sim",
      kOption);
  add("frfcfs_queue", &d.frfcfs_queue, "requests", {1, 4096},
      "requests in the FR-FCFS queue of a channel");
  add("frfcfs_passes", &d.frfcfs_passes, "requests", {0, 100000},
      "row hits that may be served before a bank's oldest request; 0: unlimited, as in GPGPU-Sim",
      kOption);
  add("return_queue", &d.return_queue, "requests", {1, 4096},
      "data that waits to return to the L2");
  add("separate_writes", &d.separate_writes, "", {},
      "writes wait in a separate queue and are drained in batches", kOption);
  add("write_queue", &d.write_queue, "requests", {1, 4096}, "length of the write queue", kOption);
  add("write_high", &d.write_high, "requests", {1, 4096}, "draining starts at this many writes",
      kOption);
  add("write_low", &d.write_low, "requests", {0, 4096}, "draining ends at this many writes",
      kOption);
  add("dual_command_bus", &d.dual_command_bus, "", {},
      "row and column commands in the same cycle (HBM)", kOption);
  add("scheduler", &d.scheduler, "", {},
      "which request a bank gets next (heddle list dram-schedulers)", kOption);
  add.rows.back().earlier = "fr-fcfs";
}

// Estimates per event, right within a factor; see docs/what-a-run-reports.md.
void declare_energy(Table& add, EnergySpec& e) {
  constexpr const char* kHorowitz = "Horowitz, ISSCC 2014, 45 nm";
  constexpr const char* kKeckler = "Keckler et al., IEEE Micro 31(5), 2011, 40 nm";
  constexpr const char* kOConnor = "after O'Connor et al., MICRO 2017";
  add.section("energy.", kHorowitz);
  const Limits some{0, 1e6};
  add("sp_lane", &e.sp_lane, "pJ", some,
      "one lane of an instruction on an SP unit: a multiplication and an addition");
  add("dp_lane", &e.dp_lane, "pJ", some, "one lane on a DP unit: a fused multiply-add", kKeckler);
  add("int_lane", &e.int_lane, "pJ", some,
      "one lane on an INT unit: a multiplication and an addition");
  add("sfu_lane", &e.sfu_lane, "pJ", some, "one lane on an SFU",
      "assumed: four multiplications and additions");
  add("mem_lane", &e.mem_lane, "pJ", some, "one lane's address",
      "assumed: a few integer additions");
  add("issue", &e.issue, "pJ", some, "fetch, decode and control of one warp instruction");
  add("register_read", &e.register_read, "pJ", some,
      "one operand of 32 lanes from the register file: 16 reads of 64 bits from 8 KiB");
  add("register_write", &e.register_write, "pJ", some,
      "one result of 32 lanes into the register file");
  add("shared_cycle", &e.shared_cycle, "pJ", some,
      "one cycle of all banks of shared memory: 16 reads of 64 bits from 48 KiB");
  add("l1d_access", &e.l1d_access, "pJ", some,
      "one access to the L1 data cache: 128 bytes from 16 KiB");
  add("constant_access", &e.constant_access, "pJ", some,
      "one access to the constant cache: 64 bits from 8 KiB");
  add("instruction_fetch", &e.instruction_fetch, "pJ", some,
      "one access to the instruction cache: 16 bytes");
  add("l2_access", &e.l2_access, "pJ", some, "one access to an L2 slice: 32 bytes from 64 KiB");
  add("network_flit", &e.network_flit, "pJ", some, "one flit over 10 mm: 40 bytes", kKeckler);
  add("dram_read_byte", &e.dram_read_byte, "pJ", some,
      "one byte read, interface included: 12 pJ per bit", kOConnor);
  add("dram_write_byte", &e.dram_write_byte, "pJ", some, "one byte written", kOConnor);
  add("dram_activate", &e.dram_activate, "pJ", some, "opening a row of 4 KiB", kOConnor);
  add("dram_precharge", &e.dram_precharge, "pJ", some, "closing it; a third of the pair",
      "assumed");
  add("static_power", &e.static_power, "W", {0, 10000},
      "leakage of chip and memory while a kernel runs",
      "assumed: a fifth of the card's power limit");
}

}  // namespace

std::vector<GpuParameter> parameters(GpuSpec& gpu) {
  Table table;
  declare_device(table, gpu);
  declare_sm(table, gpu.sm);
  declare_network(table, gpu.network);
  declare_memory(table, gpu.memory);
  declare_dram(table, gpu.memory.dram);
  declare_energy(table, gpu.energy);
  return std::move(table.rows);
}

}  // namespace heddle::config
