#include "sm/warp_table.h"

namespace heddle::sm {

void WarpTable::refresh(WarpSlot w) {
  const auto slot = static_cast<std::size_t>(w.index);
  const Warp& warp = warps[slot];
  const Pc pc = head_pc(w);
  const bool here = live.test(w) && pc != kNoPc;
  const ptx::Instruction* i = here ? &warp.kernel->code[pc] : nullptr;
  head[slot] = i;
  const bool matches = here && pc == warp.next_pc;
  const bool awake = !waiting.test(w);
  mismatched.assign(w, here && !matches && awake);
  const bool is_valid = matches && awake;
  valid.assign(w, is_valid);
  head_unit[unit_of_head[slot]].reset(w);
  if (!is_valid) {
    ready.reset(w);
    head_is_load.reset(w);
    head_is_long.reset(w);
    waits_for_long.reset(w);
    return;
  }
  const bool blocked = scoreboard.pending(w) && scoreboard.conflicts(w, *i);
  ready.assign(w, !blocked);
  waits_for_long.assign(w, blocked && scoreboard.conflicts_with_long(w, *i));
  head_is_load.assign(w, i->is_l1_load());
  head_is_long.assign(w, i->is_long());
  unit_of_head[slot] = static_cast<std::uint8_t>(index(warp.kernel->timing[pc].unit));
  head_unit[unit_of_head[slot]].set(w);
}

}  // namespace heddle::sm
