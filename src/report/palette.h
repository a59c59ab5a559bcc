// Colours and the order of slot uses in pictures. The looks of slot uses are in sm/slot_use.h.
#pragma once

#include <array>
#include <string_view>

#include "sm/slot_use.h"

namespace heddle::report {

// The order of the parts of a stack, and of its legend.
inline constexpr std::array<sm::SlotUse, sm::kSlotUses> kStackOrder{
    sm::SlotUse::issued,    sm::SlotUse::scoreboard, sm::SlotUse::pipeline,
    sm::SlotUse::throttled, sm::SlotUse::barrier,    sm::SlotUse::instruction_buffer_empty,
    sm::SlotUse::idle};

// Of curves and phases, in this order.
inline constexpr std::array<std::string_view, 5> kLineColours{"#2f6db5", "#c8553d", "#3f9b6b",
                                                              "#8f6cc0", "#b58a1b"};

}  // namespace heddle::report
