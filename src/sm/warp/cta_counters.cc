#include "sm/warp/cta_counters.h"

namespace heddle::sm {

void CtaCounters::count_lost_cycles(const WarpTable& warps, std::uint64_t cycles) {
  if (memory_blocks_all(warps))
    states_.memory_cycles += cycles;
  else if ((waiting_ | ready_).none())
    states_.idle_cycles += cycles;
}

// Nothing issued. Whether at least one warp waits for memory, and all others wait for it, too, or
// at a barrier of their CTA. A memory instruction that the load/store unit does not accept waits
// for memory.
bool CtaCounters::memory_blocks_all(const WarpTable& warps) const {
  WarpMask blocked = (warps.waits_for_long() | (ready_ & memory_heads_)) & active_;
  if (((waiting_ | ready_) & ~blocked).any()) return false;
  WarpMask at_barrier;
  (active_ & warps.waiting).for_each([&](WarpSlot w) {
    const bool waits_for_others = warps[w].at_barrier && warps[w].atomics == 0;
    (waits_for_others ? at_barrier : blocked).set(w);
  });
  return blocked.any() && (active_ & ~blocked & ~at_barrier).none();
}

}  // namespace heddle::sm
