#include "lab/statistics_list.h"

#include "energy/energy.h"
#include "gpu/copy_engines.h"
#include "gpu/cta/catalogue.h"
#include "gpu/first_warp.h"
#include "gpu/kernel_details.h"
#include "mem/memory_stats.h"
#include "sched/catalogue.h"
#include "sm/count/sm_stats.h"

namespace heddle::lab {
namespace {

// These parts of an SM's statistics are at the top level of run.json, not under "sm".
bool is_top_level(const std::string& key) {
  for (const char* part : {"l1d.", "constant.", "texture.", "instruction."})
    if (key.starts_with(part)) return true;
  return key == "slots";
}

// Statistics that --details and --interval add to each kernel.
void add_details(std::vector<stats::FieldInfo>& list) {
  const std::vector<std::string> uses(sm::kSlotUseNames.begin(), sm::kSlotUseNames.end());
  const auto add = [&](const std::string& prefix, auto fields) {
    for (auto& field : fields) {
      field.key.insert(0, prefix);
      list.push_back(std::move(field));
    }
  };
  list.push_back({"details.schedulers.slots", "slots",
                  "what each issue slot of each scheduler of each SM did", uses});
  list.push_back(
      {"details.unattributed_slots", "slots", "slots that are charged to no instruction", uses});
  add("details.l1d.", stats::list_fields<gpu::CacheDetail>());
  add("details.l2.", stats::list_fields<gpu::CacheDetail>());
  add("details.instructions.", stats::list_fields<gpu::InstructionDetail>());
  list.push_back({"details.instructions.lanes_and_accesses",
                  "warp instructions",
                  "executions of a global or local load: rows of executed lanes, accesses after "
                  "coalescing, and executions with both",
                  {}});
  list.push_back({"details.instructions.l1d_mpki",
                  "misses",
                  "its L1 misses per thousand thread instructions of the kernel",
                  {}});
  add("details.loops.", stats::list_fields<gpu::LoopDetail>());
  add("details.load_divergence.", stats::list_fields<gpu::LoadDivergence>());
  list.push_back({"details.ctas", "cycles", "SM, start and time of every CTA, by number", {}});
  list.push_back({"details.warp_instructions_by_sm_and_slot",
                  "warp instructions",
                  "instructions that the warps of each slot issued",
                  {}});
  list.push_back(
      {"details.issue_pattern",
       "warp instructions",
       "instructions by interval and warp slot of SM 0; the interval grows with the kernel",
       {}});
  list.push_back({"series", "", "one row of counters per --interval, as differences", {}});
}

}  // namespace

std::vector<stats::FieldInfo> list_statistics() {
  std::vector<stats::FieldInfo> list{
      {"cycles",
       "cycles",
       "core cycles from the launch to the end of the last CTA; of totals: those in which at least "
       "one launch is active",
       {}},
      {"thread_instructions", "instructions", "instructions executed, lane by lane", {}},
      {"warp_instructions", "warp instructions", "instructions issued", {}},
      {"ipc", "instructions per cycle", "thread instructions per core cycle of the whole GPU", {}},
      {"simulated",
       "",
       "timed; functional; truncated: timed up to a limit and finished functionally "
       "(kernels only)",
       {}},
      {"untimed.thread_instructions",
       "instructions",
       "executed after the limit; not in other statistics (truncated kernels only)",
       {}},
      {"launches", "launches", "launches of the run (totals only)", {}},
      {"simulated.timed_share",
       "ratio",
       "timed thread instructions over all (totals only; with the numbers of timed, truncated and "
       "functional launches)",
       {}},
      {"stp",
       "programs",
       "system throughput: the sum of the programs' progress (co-runs only)",
       {}},
      {"antt",
       "ratio",
       "average normalised turnaround time: the mean of 1 / progress (co-runs only)",
       {}},
      {"fairness", "ratio", "least progress over most progress (co-runs only)", {}},
      {"progress", "ratio", "ipc over alone.ipc (programs of co-runs only)", {}},
      {"repetitions", "runs", "complete runs of the program (programs of co-runs only)", {}},
      {"alone.ipc",
       "instructions per cycle",
       "ipc of the program alone (programs of co-runs only)",
       {}},
      {"alone.cycles", "cycles", "cycles of the program alone (programs of co-runs only)", {}},
      {"ctas.count", "CTAs", "CTAs run", {}},
      {"ctas.mean_cycles",
       "cycles",
       "mean time of a CTA from the start of its first warp to the end of its last",
       {}},
      {"ctas.longest_cycles", "cycles", "the longest such time", {}},
      {"ctas.last_cycles", "cycles", "the time of the CTA that ended last", {}},
      {"ctas.last_dispatched_cycles",
       "cycles",
       "the time of the CTA that was placed last, in the last launch; 0 while it runs",
       {}},
      {"ctas.mean_last_dispatched_cycles",
       "cycles",
       "mean over launches of the time of the CTA that was placed last",
       {}},
      {"last_cta_dispatched_at",
       "cycles",
       "from the launch to the start of the last CTA (kernels only)",
       {}},
      {"occupancy.ctas_per_sm", "CTAs", "limit of resident CTAs of an SM (kernels only)", {}},
      {"occupancy.warps_per_sm", "warps", "limit of resident warps of an SM (kernels only)", {}},
      {"occupancy.limiter",
       "",
       "the reason of the limit: threads, CTAs, registers, shared memory, grid (kernels only)",
       {}},
      {"rates.l1d_hits",
       "ratio",
       "L1 data cache: hits over accesses; pending hits are not hits",
       {}},
      {"rates.l1d_pending_hits", "ratio", "L1 data cache: pending hits over accesses", {}},
      {"rates.l2_hits", "ratio", "L2: hits over accesses", {}},
      {"rates.l2_pending_hits", "ratio", "L2: pending hits over accesses", {}},
      {"rates.dram_row_hits", "ratio", "DRAM: row hits over reads and writes", {}},
      {"rates.dram_bank_parallelism",
       "banks",
       "DRAM: banks of a channel that serve a request, while one is in a bank or in the "
       "scheduler's "
       "queue",
       {}},
      {"read_time.mean",
       "cycles",
       "core cycles of a read beyond L1, from the SM's request to the return of the data",
       {}},
      {"read_time.network_down", "cycles", "part of it: to the L2 slice", {}},
      {"read_time.l2",
       "cycles",
       "part of it: in the slice, with fixed latencies and waits for fetches of other requests",
       {}},
      {"read_time.dram_queue", "cycles", "part of it: in the DRAM scheduler's queue", {}},
      {"read_time.dram",
       "cycles",
       "part of it: from the first DRAM command to the end of data",
       {}},
      {"read_time.network_up", "cycles", "part of it: back to the SM", {}},
      {"rates.lanes_per_instruction", "lanes", "active lanes per warp instruction", {}},
      {"rates.resident_warps", "warps", "mean of resident warps of a busy SM", {}}};
  for (auto& field : stats::list_fields<sm::SmStats>()) {
    if (!is_top_level(field.key)) field.key.insert(0, "sm.");
    list.push_back(std::move(field));
  }
  for (auto& field : stats::list_fields<mem::MemoryStats>()) list.push_back(std::move(field));
  for (const auto& share : energy::shares({}, {}))
    list.push_back({"energy." + std::string(share.name) + "_nj",
                    "nJ",
                    "estimate: " + std::string(share.meaning) + ", times the GPU's [energy]",
                    {}});
  list.push_back({"energy.total_nj", "nJ", "their sum", {}});
  for (auto& field : stats::list_fields<sm::CtaSharingStats>())
    list.push_back({"cta_sharing." + field.key, field.unit, field.meaning + " (with --cta-sharing)",
                    field.buckets});
  for (auto& field : stats::list_fields<gpu::FirstWarpStats>())
    list.push_back({"first_warp." + field.key, field.unit, field.meaning + " (with --first-warp)",
                    field.buckets});
  for (const std::string_view direction : gpu::CopyEngines::kDirectionNames) {
    const std::string prefix = "copy_engines." + std::string(direction) + '.';
    for (auto& field : stats::list_fields<gpu::CopyStats>())
      list.push_back({prefix + field.key, field.unit,
                      field.meaning + " (totals only, with gpu.copy_engines)", field.buckets});
    list.push_back({prefix + "busy_cycles_by_engine",
                    "cycles",
                    "busy_cycles of each engine (totals only, with gpu.copy_engines)",
                    {}});
  }
  for (const auto& policies : {sched::list_policies(), gpu::list_cta_policies()})
    for (const auto& policy : policies)
      for (stats::FieldInfo field : policy.statistics) {
        field.key.insert(0, "policy.");
        list.push_back(std::move(field));
      }
  add_details(list);
  return list;
}

}  // namespace heddle::lab
