#include "report/gpu_summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "config/config.h"
#include "config/partition_hash.h"
#include "report/text_table.h"

namespace heddle::report {
namespace {

using config::GpuSpec;
constexpr double kLanes = 32, kKibi = 1024, kMega = 1e6, kGiga = 1e9;

std::string bytes_text(double bytes) {
  const char* unit = "KiB";
  double value = bytes / kKibi;
  for (const char* larger : {"MiB", "GiB"})
    if (value >= kKibi) {
      value /= kKibi;
      unit = larger;
    }
  return fmt::format("{:.4g} {}", value, unit);
}

// Multiply-adds count as two operations; class 3 is MAD.
std::string giga_operations(const GpuSpec& gpu, std::uint32_t units,
                            const config::LatencySpec& operation) {
  const double per_cycle = kLanes * 2 * units / std::max(1u, operation.interval[3]);
  return fmt::format("{:.0f} GFLOP/s", per_cycle * gpu.sms() * gpu.clocks.core_mhz * kMega / kGiga);
}

double l2_bandwidth(const GpuSpec& gpu) {
  const config::CacheSpec& l2 = gpu.memory.l2;
  const double port = l2.data_port_bytes ? l2.data_port_bytes : l2.line_bytes;
  return port * gpu.memory.slices() * gpu.clocks.l2_mhz * kMega / kGiga;
}

double dram_bandwidth(const GpuSpec& gpu) {
  const config::DramSpec& dram = gpu.memory.dram;
  return double(dram.bus_bytes) * dram.chips * dram.ratio * gpu.memory.channels *
         gpu.clocks.dram_mhz * kMega / kGiga;
}

std::string l1_text(const GpuSpec& gpu) {
  if (gpu.sm.unified_bytes == 0)
    return fmt::format("{}, and {} of shared memory", bytes_text(double(gpu.sm.l1d.size_bytes)),
                       bytes_text(gpu.sm.shared_bytes));
  return fmt::format("{} with shared memory of at most {}",
                     bytes_text(double(gpu.sm.unified_bytes)), bytes_text(gpu.sm.shared_bytes));
}

}  // namespace

std::string dropped_hash(const GpuSpec& gpu) {
  const config::MemorySpec& memory = gpu.memory;
  if (memory.partition_hash == 0 || config::partition_hash_applies(memory)) return {};
  return fmt::format(
      "memory.partition_hash = {} has no effect: it permutes a power of two, and there are {} L2 "
      "slices; 4 and 6 work with any number",
      memory.partition_hash, memory.slices());
}

std::string gpu_summary(const GpuSpec& gpu) {
  const config::SmSpec& sm = gpu.sm;
  TextTable table({{"what"}, {gpu.name}});
  table.add_row({"SMs", fmt::format("{} at {:.6g} MHz", gpu.sms(), gpu.clocks.core_mhz)});
  table.add_row({"compute capability", fmt::format("{}.{}", gpu.compute_major, gpu.compute_minor)});
  table.add_row({"resident on an SM", fmt::format("{} warps, {} CTAs, {} registers", sm.max_warps(),
                                                  sm.max_ctas, sm.registers)});
  table.add_row({"peak IPC", fmt::format("{:.0f} thread instructions per cycle",
                                         kLanes * gpu.sms() * sm.schedulers * sm.max_issue)});
  table.add_row({"single precision", giga_operations(gpu, sm.units.sp, sm.fp_op)});
  table.add_row({"double precision",
                 giga_operations(gpu, sm.units.dp ? sm.units.dp : sm.units.sfu, sm.dp_op)});
  table.add_row({"L1 data cache of an SM",
                 l1_text(gpu) + (sm.global_loads_skip_l1d ? "; global loads bypass it" : "")});
  table.add_row(
      {"L2", fmt::format("{} in {} slices, {:.0f} GB/s",
                         bytes_text(double(gpu.memory.l2.size_bytes) * gpu.memory.slices()),
                         gpu.memory.slices(), l2_bandwidth(gpu))});
  table.add_row(
      {"DRAM", fmt::format("{} in {} channels, {:.1f} GB/s", bytes_text(double(gpu.memory_bytes)),
                           gpu.memory.channels, dram_bandwidth(gpu))});
  table.add_row({"default scheduler", gpu.default_scheduler});
  if (const std::string dropped = dropped_hash(gpu); !dropped.empty())
    table.add_row({"warning", dropped});
  table.add_row({"hash", config::hash(gpu)});
  return table.text();
}

}  // namespace heddle::report
