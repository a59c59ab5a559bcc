// What the parts of one SM share: its configuration, the kernels that run, their warps and the
// instructions in flight, the clock and the statistics.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "config/gpu_spec.h"
#include "exec/instruction_source.h"
#include "sm/count/cta_sharing.h"
#include "sm/count/sm_stats.h"
#include "sm/issue/observer.h"
#include "sm/issue/op.h"
#include "sm/warp/barrier.h"
#include "sm/warp/cta_counters.h"
#include "sm/warp/kernel_context.h"
#include "sm/warp/loop_tracker.h"
#include "sm/warp/warp_table.h"

namespace heddle::sm {

struct SmState {
  SmState(int sm, const config::GpuSpec& gpu) : id(sm), spec(gpu) {}
  // For the functions of Sm that simulate: messages name the SM and its cycle.
  ComponentScope scope() const { return {"SM", id, clock}; }

  const int id;
  const config::GpuSpec spec;
  // By number; null: that kernel does not run here.
  std::vector<std::unique_ptr<KernelContext>> kernels;
  // Several kernels have CTAs here. Every event then counts for the kernel of its warp; otherwise
  // all events count for the only kernel.
  bool mixed = false;
  bool has_quotas = false;  // a kernel has an issue quota
  SmObserver* observer = nullptr;
  std::unique_ptr<CtaSharing> sharing;  // null unless the run asks for it
  Cycle clock;                          // the cycle that is simulated now, or was simulated last
  WarpTable warps{kMaxWarpsPerSm};
  OpPool ops;
  BarrierUnit barriers{kMaxWarpsPerSm};
  // The counters of the kernel that acts now: of the only kernel with CTAs, or, while several have
  // some, of the kernel whose instruction issues.
  SmStats* stats = &ended;
  SmStats ended;  // the sum over the kernels that have ended, and what happens without a kernel
  // Cycles that several kernels count, less one count each.
  std::uint64_t repeated_cycles = 0, repeated_cycles_without_issue = 0;

  // Calls f(kernel) for every kernel with resident CTAs.
  template <class F>
  void for_each_resident(F&& f) const {
    for (const auto& k : kernels)
      if (k && k->resident > 0) f(*k);
  }
  // Cycles with several kernels that are not yet in their statistics, and the part in which no
  // kernel issued. The kernels and their warps are the same in all of them.
  std::uint64_t mixed_cycles = 0, mixed_cycles_without_issue = 0;
  // Adds them to the statistics of the kernels. Warps and CTAs count for their kernels. Every
  // kernel with CTAs counts the cycles; without issue are those in which none of its warps issued.
  void end_mixed_cycles();

  std::unique_ptr<CtaCounters> counters;  // null: no CTA scheduler needs counts
  LoopTracker loops;                      // used when a policy subscribes to loop events
};

inline void SmState::end_mixed_cycles() {
  if (mixed_cycles == 0) return;
  std::uint64_t kernels_counted = 0, without_issue = 0;
  for_each_resident([&](KernelContext& k) {
    k.stats.cycles += mixed_cycles;
    k.stats.resident_cta_cycles += mixed_cycles * static_cast<std::uint64_t>(k.resident);
    k.stats.resident_warp_cycles += mixed_cycles * (k.stats.warps_started - k.stats.warps_finished);
    const std::uint64_t without = mixed_cycles - std::exchange(k.cycles_with_issue, 0);
    k.stats.cycles_without_issue += without;
    without_issue += without;
    ++kernels_counted;
  });
  repeated_cycles += mixed_cycles * (kernels_counted - 1);
  repeated_cycles_without_issue += without_issue - mixed_cycles_without_issue;
  mixed_cycles = mixed_cycles_without_issue = 0;
}

}  // namespace heddle::sm
