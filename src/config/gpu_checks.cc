// Rules between several parameters.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/index_set.h"
#include "config/address_bits.h"
#include "config/parameter.h"

namespace heddle::config {
namespace {

class Checks {
 public:
  std::vector<Contradiction> found;

  void require(bool holds, std::vector<std::string> keys, std::string problem) {
    if (!holds) found.push_back({std::move(keys), std::move(problem)});
  }
};

void check_cache(Checks& check, const std::string& prefix, const CacheSpec& cache) {
  const std::uint64_t set_bytes = std::uint64_t{cache.line_bytes} * cache.ways;
  const bool whole_sets = cache.size_bytes >= set_bytes && cache.size_bytes % set_bytes == 0 &&
                          std::has_single_bit(cache.size_bytes / set_bytes);
  const std::uint64_t below =
      std::bit_floor(std::max<std::uint64_t>(cache.size_bytes / set_bytes, 1)) * set_bytes;
  check.require(whole_sets, {prefix + "size", prefix + "ways", prefix + "line"},
                fmt::format("{0}size = {1}: must be ways x line ({2} x {3} = {4} bytes) times a "
                            "power of two, as {5} and {6}; other sizes need other {0}ways, too",
                            prefix, cache.size_bytes, cache.ways, cache.line_bytes, set_bytes,
                            below, 2 * below));
  check.require(cache.filling == Filling::lines || cache.line_bytes == 128,
                {prefix + "filling", prefix + "line"},
                fmt::format("{}filling = sectors needs lines of 128 bytes, not {}", prefix,
                            cache.line_bytes));
  if (!whole_sets) return;
  check.require(cache.set_index != SetIndex::fermi_hash || cache.sets() == 32 || cache.sets() == 64,
                {prefix + "set_index", prefix + "size", prefix + "ways", prefix + "line"},
                fmt::format("{}set_index = fermi_hash is defined for 32 or 64 sets, not {}", prefix,
                            cache.sets()));
  constexpr std::uint64_t kMaxHashedSets = 1024;
  check.require(cache.set_index != SetIndex::ipoly || cache.sets() <= kMaxHashedSets,
                {prefix + "set_index", prefix + "size", prefix + "ways", prefix + "line"},
                fmt::format("{}set_index = ipoly is defined for at most {} sets, not {}", prefix,
                            kMaxHashedSets, cache.sets()));
}

void check_units(Checks& check, const SmSpec& sm) {
  struct Row {
    const char* name;
    std::uint32_t PerUnit::* unit;
    bool needed;
  };
  for (const Row& row : {Row{"sp", &PerUnit::sp, true}, Row{"dp", &PerUnit::dp, false},
                         Row{"int", &PerUnit::int_, false}, Row{"sfu", &PerUnit::sfu, true},
                         Row{"mem", &PerUnit::mem, true}, Row{"tensor", &PerUnit::tensor, false}}) {
    const std::string name = row.name;
    const std::uint32_t count = sm.units.*row.unit;
    check.require(!row.needed || count > 0, {"sm.units." + name},
                  fmt::format("sm.units.{} = 0: an SM needs at least one", name));
    if (count == 0) continue;
    check.require(sm.issue_latches.*row.unit > 0, {"sm.issue_latches." + name, "sm.units." + name},
                  fmt::format("sm.issue_latches.{} = 0: the units need at least one", name));
    check.require(sm.dispatch_latches.*row.unit > 0,
                  {"sm.dispatch_latches." + name, "sm.units." + name},
                  fmt::format("sm.dispatch_latches.{} = 0: the units need at least one", name));
    // The load/store unit takes from every latch.
    check.require(!sm.sub_cores || name == "mem" || count >= sm.dispatch_latches.*row.unit,
                  {"sm.units." + name, "sm.dispatch_latches." + name, "sm.sub_cores"},
                  fmt::format("sm.units.{0} = {1}: at least sm.dispatch_latches.{0} ({2}), since a "
                              "unit of a sub-core takes from its own latch",
                              name, count, sm.dispatch_latches.*row.unit));
  }
}

void check_collectors(Checks& check, const SmSpec& sm) {
  const auto complete = [](const CollectorSpec& c) {
    return c.units > 0 && c.in_ports > 0 && c.out_ports > 0;
  };
  if (complete(sm.generic_collectors)) return;
  struct Row {
    const char* name;
    const CollectorSpec& spec;
  };
  for (const Row& row :
       {Row{"sp", sm.sp_collectors}, Row{"sfu", sm.sfu_collectors}, Row{"mem", sm.mem_collectors}})
    check.require(
        complete(row.spec),
        {fmt::format("sm.collectors.{}.units", row.name),
         fmt::format("sm.collectors.{}.in_ports", row.name),
         fmt::format("sm.collectors.{}.out_ports", row.name), "sm.collectors.generic.units",
         "sm.collectors.generic.in_ports", "sm.collectors.generic.out_ports"},
        fmt::format("sm.collectors.{}: units, in_ports and out_ports must all be above 0 "
                    "without generic collectors",
                    row.name));
}

// All collectors of an SM are in one set of 64 bits.
void check_collector_count(Checks& check, const SmSpec& sm) {
  constexpr std::uint32_t kMaxCollectors = 64;
  const std::uint32_t all = sm.sp_collectors.units + sm.sfu_collectors.units +
                            sm.mem_collectors.units + sm.generic_collectors.units;
  check.require(
      all <= kMaxCollectors,
      {"sm.collectors.sp.units", "sm.collectors.sfu.units", "sm.collectors.mem.units",
       "sm.collectors.generic.units"},
      fmt::format("sm.collectors: sp.units ({}) + sfu.units ({}) + mem.units ({}) + "
                  "generic.units ({}) = {}: an SM has at most {} collectors",
                  sm.sp_collectors.units, sm.sfu_collectors.units, sm.mem_collectors.units,
                  sm.generic_collectors.units, all, kMaxCollectors));
}

// Ports of a network, SMs and slices are numbered in sets of this size (base/index_set.h).
void check_counts(Checks& check, const GpuSpec& gpu) {
  check.require(gpu.sms() <= IndexSet::kCapacity, {"clusters", "sms_per_cluster"},
                fmt::format("clusters x sms_per_cluster = {} x {} = {}: a GPU has at most {} SMs",
                            gpu.clusters, gpu.sms_per_cluster, gpu.sms(), IndexSet::kCapacity));
  check.require(gpu.memory.slices() <= IndexSet::kCapacity,
                {"memory.channels", "memory.slices_per_channel"},
                fmt::format("memory.channels x memory.slices_per_channel = {} x {} = {}: a GPU has "
                            "at most {} L2 slices",
                            gpu.memory.channels, gpu.memory.slices_per_channel, gpu.memory.slices(),
                            IndexSet::kCapacity));
}

void check_sm(Checks& check, const SmSpec& sm) {
  check.require(sm.max_threads % 32 == 0, {"sm.max_threads"},
                fmt::format("sm.max_threads = {}: must be a multiple of 32", sm.max_threads));
  check.require(sm.schedulers <= sm.max_warps(), {"sm.schedulers", "sm.max_threads"},
                fmt::format("sm.schedulers = {}: at most one per warp slot ({})", sm.schedulers,
                            sm.max_warps()));
  check.require(
      !sm.sub_cores || sm.register_banks % sm.schedulers == 0,
      {"sm.register_banks", "sm.schedulers", "sm.sub_cores"},
      fmt::format("sm.register_banks = {}: must be a multiple of sm.schedulers ({}), since "
                  "every sub-core gets the same number",
                  sm.register_banks, sm.schedulers));
  const std::uint32_t a = sm.coalescing_arch;
  check.require(
      a == 13 || a == 20 || a == 35 || a == 61 || a == 70 || a == 75 || a == 86,
      {"sm.coalescing_arch"},
      fmt::format("sm.coalescing_arch = {}: must be one of 13, 20, 35, 61, 70, 75, 86", a));
  check.require(sm.unified_bytes == 0 ||
                    sm.unified_bytes % std::max<std::uint64_t>(
                                           1, std::uint64_t{sm.l1d.sets()} * sm.l1d.line_bytes) ==
                        0,
                {"sm.unified_size", "sm.l1d.size"},
                fmt::format("sm.unified_size = {}: must be a multiple of a way of the L1 data "
                            "cache ({} sets of {} bytes)",
                            sm.unified_bytes, sm.l1d.sets(), sm.l1d.line_bytes));
  check.require(
      sm.unified_bytes == 0 ||
          (sm.shared_sizes.back() >= sm.shared_bytes && sm.shared_sizes.back() < sm.unified_bytes),
      {"sm.shared_sizes", "sm.shared_size", "sm.unified_size"},
      "sm.shared_sizes: the largest must be at least sm.shared_size and less than sm.unified_size");
  const bool guided = sm.core == Core::compiler_guided;
  check.require(!guided || (sm.sub_cores && sm.max_issue == 1 && sm.shared.warp_parts == 1 &&
                            !sm.collectors_step_in_lsu),
                {"sm.core", "sm.sub_cores", "sm.max_issue", "sm.shared.warp_parts",
                 "sm.collectors_step_in_lsu"},
                "sm.core = compiler_guided needs sm.sub_cores = true, sm.max_issue = 1, "
                "sm.shared.warp_parts = 1 and sm.collectors_step_in_lsu = false");
  check_units(check, sm);
  check_collectors(check, sm);
  check_collector_count(check, sm);
  check_cache(check, "sm.l1d.", sm.l1d);
  check.require(sm.l1d.write != WritePolicy::read_only, {"sm.l1d.write"},
                "sm.l1d.write = read_only: the L1 data cache takes the stores of the SM");
  check_cache(check, "sm.l1i.", sm.l1i);
  check_cache(check, "sm.constant.", sm.constant);
  check_cache(check, "sm.texture.", sm.texture);
}

std::uint32_t flits_of_a_line(const NetworkSpec& network) {
  constexpr std::uint32_t kLargestPacket = 8 + 128;  // a header and a line
  return (kLargestPacket + network.flit_bytes - 1) / network.flit_bytes;
}

void check_network(Checks& check, const NetworkSpec& network) {
  check.require(
      !network.multiple_grants || network.topology == Topology::local_crossbar,
      {"network.multiple_grants", "network.topology"},
      "network.multiple_grants = true needs network.topology = local_crossbar: flits of a packet "
      "follow each other in different cycles");
  const std::uint32_t flits = flits_of_a_line(network);
  check.require(network.injection_flits == 0 || network.injection_flits >= flits,
                {"network.injection_flits", "network.flit"},
                fmt::format("network.injection_flits = {}: a store of a whole line has {} flits of "
                            "{} bytes, so an SM could never send it",
                            network.injection_flits, flits, network.flit_bytes));
}

// A router moves flits in core cycles, each SM has a port, and a packet must fit every buffer.
void check_router(Checks& check, const GpuSpec& gpu) {
  const NetworkSpec& network = gpu.network;
  if (network.topology != Topology::router) return;
  const ClockSpec& clocks = gpu.clocks;
  check.require(
      clocks.icnt_mhz == clocks.core_mhz && clocks.l2_mhz == clocks.core_mhz,
      {"network.topology", "clocks.icnt", "clocks.l2"},
      "network.topology = router needs clocks.icnt and clocks.l2 equal to clocks.core: flits move "
      "in core cycles");
  check.require(gpu.sms_per_cluster == 1, {"network.topology", "sms_per_cluster"},
                "network.topology = router needs sms_per_cluster = 1: each SM has a port");
  check.require(network.request_latency == 8 && network.reply_latency == 8,
                {"network.topology", "network.request_latency", "network.reply_latency"},
                "network.topology = router needs network.request_latency = network.reply_latency = "
                "8, which its stages take");
  const std::uint32_t flits = flits_of_a_line(network);
  check.require(
      network.injection_flits >= flits && network.slice_flits >= network.buffer_flits + flits,
      {"network.topology", "network.injection_flits", "network.slice_flits"},
      fmt::format("network.topology = router needs network.injection_flits of {} or more, "
                  "and network.slice_flits of network.buffer + {} or more: a packet with a "
                  "line has {} flits",
                  flits, flits, flits));
}

void check_memory(Checks& check, const MemorySpec& memory) {
  constexpr std::uint64_t kHeapAlignment = 4096;
  check.require(
      memory.heap_base % kHeapAlignment == 0, {"memory.heap_base"},
      fmt::format("memory.heap_base = {}: must be a multiple of 4 KiB", memory.heap_base));
  const DramSpec& dram = memory.dram;
  check_cache(check, "memory.l2.", memory.l2);
  check.require(memory.l2.write != WritePolicy::read_only, {"memory.l2.write"},
                "memory.l2.write = read_only: the L2 takes the stores of the SMs");
  check.require(
      dram.atom_bytes() >= 32 && dram.atom_bytes() <= 128,
      {"memory.dram.burst", "memory.dram.chips", "memory.dram.bus"},
      fmt::format(
          "memory.dram: bus x chips x burst = {} bytes: an atom must be 32, 64 or 128 bytes",
          dram.atom_bytes()));
  check.require(
      dram.burst >= dram.ratio, {"memory.dram.ratio", "memory.dram.burst"},
      fmt::format("memory.dram.ratio = {}: at most one burst ({} beats) per command cycle",
                  dram.ratio, dram.burst));
  check.require(dram.banks % dram.bank_groups == 0,
                {"memory.dram.bank_groups", "memory.dram.banks"},
                fmt::format("memory.dram.bank_groups = {}: must divide memory.dram.banks ({})",
                            dram.bank_groups, dram.banks));
  check.require(
      !dram.separate_writes ||
          (dram.write_low < dram.write_high && dram.write_high <= dram.write_queue),
      {"memory.dram.write_high", "memory.dram.write_low", "memory.dram.write_queue"},
      fmt::format("memory.dram: write_low ({}) < write_high ({}) <= write_queue ({}) must hold",
                  dram.write_low, dram.write_high, dram.write_queue));
  check.require(
      memory.partition_hash != 3 && memory.partition_hash != 5, {"memory.partition_hash"},
      fmt::format("memory.partition_hash = {}: must be 0, 1, 2, 4 or 6", memory.partition_hash));
  check.require(memory.far_latency == 0 || (memory.partition_hash == 4 && memory.channels % 2 == 0),
                {"memory.far_latency", "memory.partition_hash", "memory.channels"},
                "memory.far_latency needs memory.partition_hash = 4, which scatters blocks over a "
                "half of the L2, and an even number of memory.channels");
  std::string problem;
  const auto fields = parse_address_bits(memory.address_bits, &problem);
  if (problem.empty()) problem = address_bits_problem(fields, memory);
  check.require(problem.empty(),
                {"memory.address_bits", "memory.dram.banks", "memory.dram.burst",
                 "memory.dram.chips", "memory.dram.bus", "memory.slices_per_channel"},
                fmt::format("memory.address_bits = \"{}\": {}", memory.address_bits, problem));
}

}  // namespace

std::vector<Contradiction> contradictions(const GpuSpec& gpu) {
  Checks check;
  check_counts(check, gpu);
  check_sm(check, gpu.sm);
  check_network(check, gpu.network);
  check_router(check, gpu);
  check_memory(check, gpu.memory);
  return std::move(check.found);
}

}  // namespace heddle::config
