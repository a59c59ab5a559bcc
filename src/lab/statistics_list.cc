#include "lab/statistics_list.h"

#include <initializer_list>

#include "energy/energy.h"
#include "gpu/copy_engines.h"
#include "gpu/cta/catalogue.h"
#include "gpu/derived.h"
#include "gpu/first_warp.h"
#include "gpu/kernel_details.h"
#include "gpu/share/catalogue.h"
#include "mem/memory_stats.h"
#include "sched/catalogue.h"
#include "sm/count/sm_stats.h"

namespace heddle::lab {
namespace {

// These parts of an SM's statistics are at the top level of run.json, not under "sm".
bool is_top_level(const std::string& key) {
  for (const char* part : {"l1d.", "constant.", "texture.", "instruction."})
    if (key.starts_with(part)) return true;
  return key == "slots" || key == "l1d_misses";
}

struct Row {
  const char *key, *unit, *meaning;
};
void add_rows(std::vector<stats::FieldInfo>& list, std::initializer_list<Row> rows) {
  for (const Row& row : rows) list.push_back({row.key, row.unit, row.meaning, {}});
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
  add("details.loops.", stats::list_fields<gpu::LoopDetail>());
  add("details.load_divergence.", stats::list_fields<gpu::LoadDivergence>());
  add_rows(
      list,
      {{"details.instructions.lanes_and_accesses", "warp instructions",
        "executions of a global or local load: rows of executed lanes, accesses after coalescing, "
        "and executions with both"},
       {"details.instructions.l1d_hpki", "hits",
        "L1 hits and pending hits of the instruction per thousand thread instructions"},
       {"details.instructions.l1d_mpki", "misses",
        "its L1 misses per thousand thread instructions of the kernel"},
       {"details.ctas", "cycles", "SM, start and time of every CTA, by number"},
       {"details.warp_instructions_by_sm_and_slot", "warp instructions",
        "instructions that the warps of each slot issued"},
       {"details.issue_pattern", "warp instructions",
        "instructions by interval and warp slot of SM 0; the interval grows with the kernel"},
       {"series", "", "one row of counters per --interval, as differences"}});
}

void add_derived(std::vector<stats::FieldInfo>& list, std::string_view group) {
  for (const gpu::Derived& one : gpu::derived_figures(group))
    list.push_back({std::string(group) + (group.empty() ? "" : ".") + std::string(one.name),
                    std::string(one.unit),
                    std::string(one.meaning),
                    {}});
}

}  // namespace

std::vector<stats::FieldInfo> list_statistics(const std::vector<std::string>& plugins) {
  std::vector<stats::FieldInfo> list;
  add_derived(list, gpu::kHeadline);
  add_rows(
      list,
      {{"simulated", "",
        "timed; truncated: up to a limit; sampled: some waves of CTAs; functional (kernels only)"},
       {"untimed.thread_instructions", "instructions",
        "not timed and not in other statistics (truncated and sampled kernels only)"},
       {"launches", "launches", "launches of the run (totals only)"},
       {"simulated.timed", "launches", "launches that are timed to their end (totals only)"},
       {"simulated.truncated", "launches",
        "launches that are timed up to a limit, then functional (totals only)"},
       {"simulated.functional", "launches", "launches that are not timed (totals only)"},
       {"simulated.timed_share", "ratio", "timed thread instructions over all (totals only)"},
       {"stp", "programs", "system throughput: the sum of the programs' progress (co-runs only)"},
       {"antt", "ratio",
        "average normalised turnaround time: the mean of 1 / progress (co-runs only)"},
       {"fairness", "ratio", "least progress over most progress (co-runs only)"},
       {"progress", "ratio", "ipc over alone.ipc (programs of co-runs only)"},
       {"repetitions", "runs", "complete runs of the program (programs of co-runs only)"},
       {"alone.ipc", "instructions per cycle",
        "ipc of the program alone (programs of co-runs only)"},
       {"alone.cycles", "cycles", "cycles of the program alone (programs of co-runs only)"}});
  add_derived(list, gpu::kCtas);
  add_rows(
      list,
      {{"last_cta_dispatched_at", "cycles",
        "from the launch to the start of the last CTA (kernels only)"},
       {"occupancy.ctas_per_sm", "CTAs", "limit of resident CTAs of an SM (kernels only)"},
       {"occupancy.warps_per_sm", "warps", "limit of resident warps of an SM (kernels only)"},
       {"occupancy.limiter", "",
        "the reason of the limit: threads, CTAs, registers, shared memory, grid (kernels only)"}});
  add_derived(list, gpu::kRates);
  add_derived(list, gpu::kLanes);
  add_derived(list, gpu::kReadTime);
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
  add_rows(list, {{"energy.total_nj", "nJ", "their sum"}});
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
  for (const auto& policies : {sched::list_policies(sched::Plugins(plugins)),
                               gpu::list_cta_policies(gpu::CtaPlugins(plugins)),
                               gpu::list_share_policies(gpu::SharePlugins(plugins))})
    for (const auto& policy : policies)
      for (stats::FieldInfo field : policy.statistics) {
        field.key.insert(0, "policy.");
        list.push_back(std::move(field));
      }
  add_details(list);
  return list;
}

}  // namespace heddle::lab
