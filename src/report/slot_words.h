// Slot uses in tables and sentences.
#pragma once

#include <string>

#include "lab/figures.h"

namespace heddle::report {

// "scoreboard 45 %, idle 12 %": the most frequent uses other than `issued`, at most `max_uses`;
// "-" when none has 2 % of the issue slots.
std::string lost_slots_text(const lab::KernelFigures& figures, std::size_t max_uses);

// "scoreboard (warps wait for operands in flight)". Names the cause of a busy load/store unit.
std::string slot_use_text(sm::SlotUse use, const lab::KernelFigures& figures);

}  // namespace heddle::report
