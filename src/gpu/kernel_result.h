// The result of one kernel launch.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/types.h"
#include "gpu/first_warp.h"
#include "gpu/kernel_details.h"
#include "mem/memory_stats.h"
#include "mem/warming.h"
#include "sm/count/sm_stats.h"
#include "sm/cta/occupancy.h"
#include "sm/policy/policy_report.h"
#include "sm/sm.h"

namespace heddle::gpu {

// Durations of CTAs in core cycles, from the start of the first warp to the end of the last.
struct CtaTimes {
  std::uint64_t count = 0, total_cycles = 0, longest_cycles = 0;
  std::uint64_t last_cycles = 0;             // of the CTA that ended last
  std::uint64_t last_dispatched_cycles = 0;  // of the CTA that was placed last
  std::uint64_t last_dispatched_sum = 0,
                launches = 0;       // of sums of launches: last_dispatched_cycles
  std::uint64_t last_dispatch = 0;  // cycle after the launch at which the last CTA was placed
  double mean_cycles() const {
    return count ? static_cast<double>(total_cycles) / static_cast<double>(count) : 0.0;
  }
  // Of a kernel: of its own CTA.
  double mean_last_dispatched_cycles() const {
    return launches ? static_cast<double>(last_dispatched_sum) / static_cast<double>(launches)
                    : static_cast<double>(last_dispatched_cycles);
  }
};

// The values of "simulated" in run.json.
inline constexpr const char* kTimed = "timed";
inline constexpr const char* kFunctional = "functional";
inline constexpr const char* kTruncated = "truncated";
inline constexpr const char* kSampled = "sampled";

struct SteadyWaves;

struct KernelResult {
  std::uint64_t launch = 0;  // number of the launch on the device, from 1; results are in the order
                             // of the kernels' ends
  std::uint64_t parent = 0;  // number of the launch whose kernel launched this one; 0: the host
  std::uint32_t program = 0;  // among those that share the device
  std::string name;           // as in the module (mangled)
  std::string module;
  Dim3 grid, block;
  std::uint32_t registers_per_thread = 0;
  std::uint32_t shared_bytes = 0;  // static and dynamic, per CTA
  sm::Occupancy occupancy;         // CTAs one SM may hold
  bool functional = false;         // computed without timing
  bool truncated = false;          // truncated at a limit; the statistics are of the timed part
  std::uint64_t untimed_warp_instructions = 0,
                untimed_thread_instructions = 0;  // truncated or sampled: of what was not timed
  Cycle start;                                    // core cycle of the launch
  std::uint64_t cycles = 0;                       // from the launch to the end of the last CTA
  std::uint64_t warp_instructions = 0, thread_instructions = 0;
  // Of the analysis check: addresses of lanes that were compared with their affine forms.
  std::optional<std::uint64_t> compared_addresses;
  CtaTimes ctas;
  sm::SmStats sm;  // summed over SMs
  // Of the launch after which the GPU is idle: of all launches since it was last idle.
  sm::CycleStats repeated;
  mem::MemoryStats memory;
  std::optional<sm::CtaSharingStats> cta_sharing;  // when the run asks for it
  std::optional<FirstWarpStats> first_warp;        // when the run asks for it
  sm::PolicyReport policy;                         // statistics of its policies, summed over SMs
  // Only when the run asks for them.
  std::shared_ptr<const KernelDetails> details;
  std::vector<SeriesRow> series;
  // Only of a launch of which some waves of CTAs were not timed: for each time that some were left
  // out.
  std::vector<SteadyWaves> steady;

  const char* simulated() const {
    return functional ? kFunctional : truncated ? kTruncated : !steady.empty() ? kSampled : kTimed;
  }
  // What was counted since `before`, of the same launch.
  void subtract(const KernelResult& before);
  double ipc() const {
    return cycles ? static_cast<double>(thread_instructions) / static_cast<double>(cycles) : 0.0;
  }
};

// As many CTAs as the GPU holds.
struct Wave {
  std::uint64_t cycles = 0, warp_instructions = 0, dram_reads = 0, dram_writes = 0;
};

// The waves of a launch that stand for those that were not timed.
struct SteadyWaves {
  KernelResult part;               // what was counted in them
  std::vector<Wave> waves;         // in up to four parts, which are added up
  std::uint64_t skipped_ctas = 0;  // that were not timed
  // Of the last CTAs of those, whose accesses went through the L2: what DRAM would have done.
  std::uint64_t warming_instructions = 0;  // of warps; 0: not known
  mem::DramBursts warming_dram;
};

}  // namespace heddle::gpu
