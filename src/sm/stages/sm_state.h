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
#include "sm/count/standstill.h"
#include "sm/issue/observer.h"
#include "sm/issue/op.h"
#include "sm/warp/barrier.h"
#include "sm/warp/cta_counters.h"
#include "sm/warp/kernel_context.h"
#include "sm/warp/loop_tracker.h"
#include "sm/warp/warp_table.h"

namespace heddle::sm {

struct SmState {
  SmState(int sm, const config::GpuSpec& gpu)
      : id(sm), spec(gpu), warps(kMaxWarpsPerSm, gpu.sm.core == config::Core::compiler_guided) {
    no_kernel.index = -1;
  }
  // For the functions of Sm that simulate: messages name the SM and its cycle.
  ComponentScope scope() const { return {"SM", id, clock}; }

  const int id;
  const config::GpuSpec spec;
  // By number; null: that kernel does not run here.
  std::vector<std::unique_ptr<KernelContext>> kernels;
  std::vector<KernelContext*> resident_kernels;  // with resident CTAs
  bool has_quotas = false;                       // a kernel has an issue quota
  SmObserver* observer = nullptr;
  std::unique_ptr<CtaSharing> sharing;  // null unless the run asks for it
  Cycle clock;                          // the cycle that is simulated now, or was simulated last
  Standstill standstill;
  WarpTable warps;
  OpPool ops;
  BarrierUnit barriers;
  // An event counts for the kernel of its warp. What concerns no resident warp counts for this one:
  // the resident kernel with the smallest number; without CTAs, the last one.
  KernelContext* acting = &no_kernel;
  KernelContext no_kernel;  // the sum over the kernels that have ended, and what has no kernel
  CycleStats cycles;        // of the SM
  CycleStats attributed;    // the part of them that the kernels have in their statistics

  bool several_kernels() const { return resident_kernels.size() > 1; }
  // Before resident warps change, and before statistics are read. Every kernel with CTAs counts the
  // cycles since then.
  void attribute_cycles();

  std::unique_ptr<CtaCounters> counters;  // null: no CTA scheduler needs counts
  LoopTracker loops;                      // used when a policy subscribes to loop events
};

inline void SmState::attribute_cycles() {
  CycleStats passed = cycles;
  stats::subtract(passed, std::exchange(attributed, cycles));
  if (passed.cycles == 0) return;
  const std::uint64_t with_issue = passed.cycles - passed.cycles_without_issue;
  for (KernelContext* const k : resident_kernels) {
    SmStats& stats = k->stats;
    stats::add<CycleStats>(stats, passed);
    // Of a kernel: the cycles in which none of its own warps issued.
    stats.cycles_without_issue += with_issue - std::exchange(k->cycles_with_issue, 0);
    stats.resident_cta_cycles += passed.cycles * static_cast<std::uint64_t>(k->resident);
    stats.resident_warp_cycles += passed.cycles * (stats.warps_started - stats.warps_finished);
  }
}

}  // namespace heddle::sm
