#include "lab/statistics.h"

#include "mem/memory_stats.h"
#include "sm/sm_stats.h"

namespace heddle::lab {
namespace {

// These parts of an SM's statistics stand beside the memory's, not under "sm".
bool stands_alone(const std::string& key) {
  for (const char* part : {"slots", "l1d.", "constant.", "instruction."})
    if (key.starts_with(part)) return true;
  return false;
}

}  // namespace

std::vector<stats::FieldInfo> list_statistics() {
  std::vector<stats::FieldInfo> list{
      {"cycles", "cycles", "core cycles from the launch to the end of the last CTA", {}},
      {"thread_instructions", "instructions", "instructions executed, lane by lane", {}},
      {"warp_instructions", "warp instructions", "instructions issued", {}},
      {"ipc", "instructions per cycle", "thread instructions per core cycle of the whole GPU", {}},
      {"ctas.count", "CTAs", "CTAs run", {}},
      {"ctas.mean_cycles", "cycles", "mean time of a CTA from the start of its first warp to the end of its last", {}},
      {"ctas.longest_cycles", "cycles", "the longest such time", {}},
      {"occupancy.ctas_per_sm", "CTAs", "CTAs one SM may hold (kernels only)", {}},
      {"occupancy.warps_per_sm", "warps", "warps one SM may hold (kernels only)", {}},
      {"rates.l1d_hits", "ratio", "L1 data cache: hits over accesses; pending hits are not among them, for they waited for memory", {}},
      {"rates.l1d_pending_hits", "ratio", "L1 data cache: accesses merged into an outstanding fetch over accesses", {}},
      {"rates.l2_hits", "ratio", "L2: hits over accesses", {}},
      {"rates.l2_pending_hits", "ratio", "L2: pending hits over accesses", {}},
      {"rates.dram_row_hits", "ratio", "DRAM: row hits over reads and writes", {}},
      {"rates.lanes_per_instruction", "lanes", "executed lanes per warp instruction", {}},
      {"rates.resident_warps", "warps", "mean resident warps of a busy SM", {}}};
  for (auto& field : stats::list_fields<sm::SmStats>()) {
    if (!stands_alone(field.key)) field.key.insert(0, "sm.");
    list.push_back(std::move(field));
  }
  for (auto& field : stats::list_fields<mem::MemoryStats>()) list.push_back(std::move(field));
  return list;
}

}  // namespace heddle::lab
