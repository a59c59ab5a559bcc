// Statistics of issue slots. Every slot is counted here, and only here: simulated and skipped
// slots, slots of shared warps, and, while several kernels are resident, slots of each kernel.
//
// A new statistic is a member of SlotFacts (found by facts_of), a row of SmStats, and a line in
// count_slots().
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/types.h"
#include "sm/count/sm_stats.h"
#include "sm/warp/warp_table.h"

namespace heddle::sm {

// What statistics need of the warps of a scheduler in one slot. In a slot that a shared warp takes,
// everything is false.
struct SlotFacts {
  bool choice = false;   // two or more warps could issue
  bool stalled = false;  // a warp waited for its stall counter only
};

// candidates: the scheduler's warps that could issue, before its policy picks. `warps` has further
// masks of the same cycle, such as heads(kL1Load).
inline SlotFacts facts_of([[maybe_unused]] const WarpTable& warps, WarpMask candidates) {
  return {.choice = candidates.has_several()};
}

// Counts `slots` equal slots of one scheduler in the statistics of an SM or of a kernel on it.
inline void count_slots(SmStats& stats, SlotUse use, const SlotFacts& facts, std::uint64_t slots) {
  stats.scheduler_cycles += slots;
  stats.slots[static_cast<std::size_t>(use)] += slots;
  if (facts.stalled && use == SlotUse::scoreboard) [[unlikely]]
    stats.stall_counter_slots += slots;
  if (facts.choice) stats.slots_with_choice += slots;
}

}  // namespace heddle::sm
