#include "sm/warp/warp_table.h"

namespace heddle::sm {

void WarpTable::refresh(WarpSlot w) {
  const auto slot = static_cast<std::size_t>(w.index);
  const WarpMask one = WarpMask::only(w);
  const Warp& warp = warps[slot];
  const bool here = warp.buffered && (live & one).any();
  const Pc pc = here ? warp.buffer[warp.head] : kNoPc;
  const bool awake = (waiting & one).none();
  const bool matches = pc == warp.next_pc;
  head[slot] = here ? &warp.kernel->code[pc] : nullptr;
  head_unit[unit_of_head[slot]] &= ~one;
  mismatched.assign(w, here && !matches && awake);
  if (!here || !matches || !awake) {
    for (WarpMask* set : {&valid, &ready, &head_is_load, &head_is_long, &waits_for_long})
      *set &= ~one;
    refresh_reads_loaded(w);
    return;
  }
  const InstructionTiming& timing = warp.kernel->timing[pc];
  valid |= one;
  head_is_load.assign(w, timing.is_l1_load);
  head_is_long.assign(w, timing.registers.is_long);
  unit_of_head[slot] = static_cast<std::uint8_t>(index(timing.unit));
  head_unit[unit_of_head[slot]] |= one;
  refresh_ready(w);
}

void WarpTable::refresh_ready(WarpSlot w) {
  const Warp& warp = (*this)[w];
  const InstructionTiming& timing = warp.kernel->timing[warp.next_pc];
  const RegisterUse& use = timing.registers;
  if (guided) {
    const bool waits = control.waits(w, timing.control);
    ready.assign(w, !waits && !control.stalled(w));
    waits_for_long.assign(w, waits && scoreboard.conflicts_with_long(w, use));
    return refresh_reads_loaded(w);
  }
  const bool blocked = scoreboard.conflicts(w, use);
  ready.assign(w, !blocked);
  waits_for_long.assign(w, blocked && scoreboard.conflicts_with_long(w, use));
  refresh_reads_loaded(w);
}

bool WarpTable::only_stalls(WarpMask among) const {
  bool found = false;
  (among & control.stalled()).for_each([&](WarpSlot w) {
    const Warp& warp = (*this)[w];
    found |= !control.waits(w, warp.kernel->timing[warp.next_pc].control);
  });
  return found;
}

}  // namespace heddle::sm
