#include "sm/warp/warp_table.h"

#include <bit>

namespace heddle::sm {

// The warp is live and has a head; it is in none of the sets of heads.
void WarpTable::refresh_head(WarpSlot w) {
  const auto slot = static_cast<std::size_t>(w.index);
  const WarpMask one = WarpMask::only(w);
  const Warp& warp = warps[slot];
  const Pc pc = warp.buffer[warp.head];
  const bool beyond = pc >= warp.kernel->code_size;  // an instruction of the next kernel
  head[slot] = beyond ? nullptr : warp.kernel->timing[pc].registers.instruction;
  if ((waiting & one).any()) return refresh_reads_loaded(w);
  if (pc != warp.next_pc) {
    mismatched |= one;
    return refresh_reads_loaded(w);
  }
  const InstructionTiming& timing = warp.kernel->timing[pc];
  valid |= one;
  timing_[slot] = &timing;
  for (unsigned changed = kinds_[slot] ^ timing.kinds; changed != 0; changed &= changed - 1) {
    WarpMask& set = of_kind_[static_cast<std::size_t>(std::countr_zero(changed))];
    set = set ^ one;
  }
  kinds_[slot] = timing.kinds;
  refresh_ready(w);
}

void WarpTable::find_reads_loaded(WarpSlot w) {
  const Warp& warp = (*this)[w];
  const isa::Instruction* const first = head[static_cast<std::size_t>(w.index)];
  reads_loaded.assign(w, first && scoreboard.reads_loaded(
                                      w, warp.kernel->timing[warp.buffer[warp.head]].registers));
}

}  // namespace heddle::sm
