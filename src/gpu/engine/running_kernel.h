// A launch that the engine runs: its code on every SM, the state of its CTA scheduler, its times.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "analysis/launch_analysis.h"
#include "base/types.h"
#include "exec/livelock/hang_watch.h"
#include "exec/state/launch.h"
#include "gpu/cta/cta_scheduler.h"
#include "gpu/kernel_result.h"
#include "mem/memory_stats.h"
#include "sm/policy/policy_report.h"
#include "sm/sm.h"
#include "sm/warp/instruction_timing.h"

namespace heddle::gpu {

// How the CTAs of a launch are placed, and what a CTA occupies.
struct Placing {
  int ctas_per_sm = 1;  // most resident CTAs of an SM
  std::uint32_t registers_per_thread = 0;
  analysis::Direction hint = analysis::Direction::none;  // see KernelStart::hint_direction
};

// A launch that waits for the hardware, or runs.
struct QueuedKernel {
  std::uint64_t launch_number = 0;  // the device's
  int priority = 0;                 // the smaller one starts first, as in CUDA
  bool nested = false;              // launched by a kernel
  Cycle earliest;                   // nested: its CTAs start then at the earliest
  exec::Launch launch;
  exec::GlobalMemory* memory = nullptr;  // of its program
  Placing placing;
  KernelResult result;
};

inline std::uint32_t program_of(const QueuedKernel& kernel) {
  return kernel.launch.address_space.program();
}

// Its CTAs wait for each other, so all must be resident at once.
inline bool cooperates(const QueuedKernel& kernel) { return kernel.launch.grid_workspace != 0; }

// What the ledger of kernels has attributed to a launch so far.
struct Attributed {
  mem::MemoryStats memory_before;  // what of_kernel() said when the interval began
  sm::PolicyReport policy_before;
  sm::PolicyReport policy_part;     // of the counters that are not counted per kernel
  std::uint64_t policy_weight = 0;  // warp instructions at the last attribute_policies()
};

struct RunningKernel : QueuedKernel {
  int number = 0;  // among the kernels that run: the smallest that is free
  std::vector<sm::InstructionTiming> timing;
  std::vector<std::unique_ptr<exec::InstructionSource>> sources;  // one per SM
  std::shared_ptr<analysis::LaunchAnalysis> analysis;

  CtaScheduler* cta_scheduler = nullptr;
  bool cooperative = false;  // its CTA scheduler is not the policy
  // The last dispatch() placed nothing: the next one waits for an event that may change that.
  bool declined = false;
  std::vector<bool> placed;  // by CTA
  std::uint64_t ctas_placed = 0, ctas_finished = 0;
  std::uint64_t most_placed = ~std::uint64_t{0};  // the other CTAs run functionally at the end
  std::uint64_t last_placed_cta = 0;
  bool announced_last_cta = false;
  struct Cluster {
    Cycle start, end;
    std::uint64_t issued = 0;  // warp instructions of its finished CTAs
    std::uint32_t ctas_finished = 0;
  };
  std::vector<Cluster> clusters;  // of a launch with clusters of several CTAs

  Cycle launch_cycle;  // when the hardware took it
  Cycle ready;         // its first CTA starts then at the earliest
  Cycle last_cta_end;
  bool first_warp_ended = false;  // of runs that count until then
  std::unique_ptr<exec::TimedHangWatch> hang_watch;
  Attributed attributed;

  bool all_placed() const { return ctas_placed >= most_placed || cta_scheduler->exhausted(); }
  void time_all_ctas() {
    most_placed = ~std::uint64_t{0};
    announced_last_cta = declined = false;
    result.steady.clear();
  }
  std::uint64_t ctas_to_time() const { return std::min(most_placed, std::uint64_t{placed.size()}); }
  bool omits_ctas() const { return most_placed < placed.size(); }
  bool all_finished() const { return all_placed() && ctas_finished == ctas_placed; }
};

}  // namespace heddle::gpu
