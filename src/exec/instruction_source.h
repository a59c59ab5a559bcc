// Where an SM gets its dynamic instructions from: live execution (live_source.cc), or the scripts
// of tests.
#pragma once

#include <cstdint>
#include <span>

#include "base/types.h"
#include "exec/step.h"

namespace heddle::exec {

class Warps;

class InstructionSource {
 public:
  virtual ~InstructionSource() = default;

  // A CTA of the current launch starts on this SM. warps[i] runs threads 32i..32i+31. Every warp
  // starts at pc 0.
  virtual void start_cta(int cta_slot, std::uint64_t cta_linear,
                         std::span<const WarpSlot> warps) = 0;
  virtual void end_cta(int cta_slot) = 0;
  // The lanes of a warp that have not exited.
  virtual LaneMask live_lanes(WarpSlot warp) const = 0;
  // Executes the warp's next instruction (at the last Step's next_pc, or 0) and fills `out`. now:
  // the SM's clock, for %clock and diagnostics.
  virtual void step(WarpSlot warp, Cycle now, Step& out) = 0;
  // Prefetches the state of a warp that will soon step into the host's caches.
  virtual void prefetch(WarpSlot warp) const { (void)warp; }
  // A bar.red or other barrier with a result has completed: writes the reduction into the warp's
  // destination registers.
  virtual void complete_barrier(int cta_slot, std::uint32_t barrier_id) = 0;
  // Given lanes of the global atomic with this handle (Step::atomic) act on memory now, in lane
  // order: their packet has reached the L2 slice. The old values are written to the destination
  // registers when the last lane has acted.
  virtual void perform_atomic(std::uint32_t atomic, LaneMask lanes) = 0;
  // Makes this SM's global stores since the last call visible to the other SMs.
  virtual void synchronise() = 0;
  // The lanes that execute the warp's next instruction.
  virtual LaneMask active_lanes(WarpSlot warp) const { return live_lanes(warp); }
  // The call of the device runtime at which the warp waits (Step::waits_for_call) has returned.
  virtual bool call_returned(WarpSlot warp) const { return (void)warp, true; }
  // The executed warps; null when they are not executed but replayed.
  virtual Warps* warps() { return nullptr; }
};

}  // namespace heddle::exec
