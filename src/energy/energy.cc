#include "energy/energy.h"

#include <numeric>
#include <string>

#include <nlohmann/json.hpp>

namespace heddle::energy {
namespace {

double picojoules(std::uint64_t events, double each) { return static_cast<double>(events) * each; }

double execution(const config::EnergySpec& e, const sm::SmStats& sm) {
  // Tensor units: no coefficient is known.
  const std::array<double, sm::kCountedUnits> per_lane{e.sp_lane,  e.dp_lane,  e.int_lane,
                                                       e.sfu_lane, e.mem_lane, 0};
  double sum = 0;
  for (std::size_t u = 0; u < per_lane.size(); ++u)
    sum += picojoules(sm.unit_lanes[u], per_lane[u]);
  return sum;
}

}  // namespace

std::vector<Share> shares(const config::GpuSpec& gpu, const gpu::KernelResult& result) {
  const config::EnergySpec& e = gpu.energy;
  const sm::SmStats& sm = result.sm;
  const mem::MemoryStats& memory = result.memory;
  const std::uint64_t atom = gpu.memory.dram.atom_bytes();
  const std::uint64_t flits = memory.request_network.flits + memory.reply_network.flits;
  const double seconds = static_cast<double>(result.cycles) / (gpu.clocks.core_mhz * 1e6);
  constexpr double kPicojoulesPerJoule = 1e12;
  std::vector<Share> list{
      {"dram_read", "dram.reads x bytes of a burst",
       picojoules(memory.dram.reads * atom, e.dram_read_byte)},
      {"dram_write", "dram.writes x bytes of a burst",
       picojoules(memory.dram.writes * atom, e.dram_write_byte)},
      {"dram_activate", "dram.activates", picojoules(memory.dram.activates, e.dram_activate)},
      {"dram_precharge", "dram.precharges", picojoules(memory.dram.precharges, e.dram_precharge)},
      {"l2", "l2.accesses", picojoules(memory.l2.accesses, e.l2_access)},
      {"network", "flits of both networks", picojoules(flits, e.network_flit)},
      {"l1d", "l1d.accesses", picojoules(sm.l1d.accesses, e.l1d_access)},
      {"constant", "constant.accesses", picojoules(sm.constant.accesses, e.constant_access)},
      {"texture", "texture.accesses, each as one of the L1 data cache",
       picojoules(sm.texture.accesses, e.l1d_access)},
      {"shared", "sm.shared_cycles", picojoules(sm.shared_cycles, e.shared_cycle)},
      {"register_file", "sm.register_reads and sm.register_writes",
       picojoules(sm.register_reads, e.register_read) +
           picojoules(sm.register_writes, e.register_write)},
      {"execution", "sm.unit_lanes by unit", execution(e, sm)},
      {"front_end", "instruction.accesses and warp_instructions",
       picojoules(sm.instruction.accesses, e.instruction_fetch) +
           picojoules(sm.warp_instructions, e.issue)},
      {"static", "cycles x static power", seconds * e.static_power * kPicojoulesPerJoule}};
  for (Share& share : list) share.nanojoules /= 1e3;
  return list;
}

double total(const std::vector<Share>& shares) {
  return std::accumulate(shares.begin(), shares.end(), 0.0,
                         [](double sum, const Share& s) { return sum + s.nanojoules; });
}

void put_energy(nlohmann::ordered_json& into, const config::GpuSpec& gpu,
                const gpu::KernelResult& result) {
  if (result.functional) return;
  const std::vector<Share> all = shares(gpu, result);
  for (const Share& share : all) into["energy"][std::string(share.name) + "_nj"] = share.nanojoules;
  into["energy"]["total_nj"] = total(all);
}

}  // namespace heddle::energy
