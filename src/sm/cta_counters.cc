#include "sm/cta_counters.h"

namespace heddle::sm {

void CtaCounters::read(const WarpTable& warps) {
  active_ = warps.live & ~warps.paused;
  waiting_ = warps.valid & ~warps.ready & active_;
  ready_ = warps.ready & active_;
  memory_heads_ = warps.head_unit[static_cast<std::size_t>(index(UnitClass::mem))];
}

void CtaCounters::count(const WarpTable& warps, std::uint64_t cycles) {
  const auto add = [cycles](std::uint64_t& sum, WarpMask members) {
    sum += cycles * static_cast<std::uint64_t>(members.count());
  };
  const WarpMask excess = ready_ & ~issued_now_;
  states_.cycles += cycles;
  add(states_.active_warps, active_);
  add(states_.waiting_warps, waiting_);
  add(states_.excess_memory_warps, excess & memory_heads_);
  add(states_.excess_alu_warps, excess & ~memory_heads_);
  if (issued_now_.any()) return;
  if (memory_blocks_all(warps))
    states_.memory_cycles += cycles;
  else if ((waiting_ | ready_).none())
    states_.idle_cycles += cycles;
}

// Nothing issued. Whether at least one warp waits for memory, and all others wait for it, too, or
// at a barrier of their CTA. A memory instruction that the load/store unit does not accept waits
// for memory.
bool CtaCounters::memory_blocks_all(const WarpTable& warps) const {
  WarpMask blocked = (warps.waits_for_long | (ready_ & memory_heads_)) & active_;
  if (((waiting_ | ready_) & ~blocked).any()) return false;
  WarpMask at_barrier;
  (active_ & warps.waiting).for_each([&](WarpSlot w) {
    const bool waits_for_others = warps[w].at_barrier && warps[w].atomics == 0;
    (waits_for_others ? at_barrier : blocked).set(w);
  });
  return blocked.any() && (active_ & ~blocked & ~at_barrier).none();
}

}  // namespace heddle::sm
