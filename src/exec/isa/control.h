// Control flow: branches, calls, returns, barriers, traps.
#pragma once

#include "exec/state/machine.h"

namespace heddle::exec {

// Executes an instruction whose flow is not plain for the lanes in `mask`, a subset of the active
// ones. Fills the branch and barrier fields of `out` unless it is null. True when the warp has
// arrived at a barrier.
bool control(Warp& w, const DecodedInstruction& r, std::uint32_t mask, Step* out);

// Most barriers: all lanes of the warp are here, and wait for the other threads of the CTA. True
// when the warp has arrived in this way; control() knows the others, and has the same result.
inline bool arrive_together(Warp& w, const DecodedInstruction& r, std::uint32_t mask) {
  const SimtStack::Entry& top = w.stack.top();
  if (r.cta_barrier == DecodedInstruction::kNoBarrier || mask == 0 || w.stack.depth() != 1 ||
      top.waits || top.converged || !w.fragments.empty())
    return false;
  w.arrived_at = {.id = r.cta_barrier};
  w.waits_at_barrier = true;
  w.stack.advance(w.pc + 1);
  return true;
}

// The lanes of `taken` branch to `target`, and all reconverge at `reconvergence`.
inline void branch_lanes(Warp& w, std::uint32_t taken, Pc target, Pc reconvergence, Step* out) {
  const std::uint32_t fell = w.stack.active() & ~taken;
  const Pc next = w.pc + 1;
  if (out) out->taken = LaneMask{taken}, out->fell_through = LaneMask{fell};
  if (fell == 0)
    w.stack.advance(target);
  else if (taken == 0 || target == next)
    w.stack.advance(next);
  else if (w.machine->view.taken_lanes_first || taken < fell)
    w.stack.diverge({next, fell}, {target, taken}, reconvergence);
  else
    w.stack.diverge({target, taken}, {next, fell}, reconvergence);
}

// The operands of a barrier instruction.
BarrierRequest barrier_request(const Warp& w, const DecodedInstruction& r, std::uint32_t mask);

// The warp arrives at a barrier; waits: a lane waits there.
void record_arrival(Warp& w, const BarrierRequest& request, bool waits, Step* out);
// Adds to the reduction of the barrier at which the warp has arrived: the predicate `holds` of the
// `lanes` that wait for its result at this instruction.
void reduce(Warp& w, const DecodedInstruction& r, std::uint32_t holds, std::uint32_t lanes);

// Writes the reduction of a completed barrier into the destinations of the CTA's warps that wait
// for it.
void complete_barrier(Cta& cta, std::uint32_t barrier_id);

}  // namespace heddle::exec
