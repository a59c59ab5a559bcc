// What the parts of one SM share: its configuration, the kernel that runs, its warps and the
// instructions in flight, the clock and the statistics.
#pragma once

#include <memory>
#include <span>

#include "base/diagnostics.h"
#include "config/gpu_spec.h"
#include "exec/instruction_source.h"
#include "sm/barrier.h"
#include "sm/cta_counters.h"
#include "sm/cta_sharing.h"
#include "sm/instruction_timing.h"
#include "sm/loop_tracker.h"
#include "sm/observer.h"
#include "sm/op.h"
#include "sm/sm_stats.h"
#include "sm/warp_table.h"

namespace heddle::sm {

struct SmState {
  SmState(int sm, const config::GpuSpec& gpu) : id(sm), spec(gpu) {}
  // For the functions of Sm that simulate: messages name the SM and its cycle.
  ComponentScope scope() const { return {"SM", id, clock}; }

  const int id;
  const config::GpuSpec spec;
  exec::InstructionSource* source = nullptr;  // executes the instructions of the kernel
  const ptx::Kernel* kernel = nullptr;
  std::span<const InstructionTiming> timing;  // by pc of the kernel
  SmObserver* observer = nullptr;
  std::unique_ptr<CtaSharing> sharing;  // null unless the run asks for it
  Cycle clock;                          // the cycle that is simulated now, or was simulated last
  WarpTable warps{kMaxWarpsPerSm};
  OpPool ops;
  BarrierUnit barriers{kMaxWarpsPerSm};
  SmStats stats;
  std::unique_ptr<CtaCounters> counters;  // null: no CTA scheduler needs counts
  LoopTracker loops;                      // used when a policy subscribes to loop events
};

}  // namespace heddle::sm
