// Colours and the order of slot uses in pictures, and the looks of policies in reports. The looks
// of slot uses are in sm/policy/slot_use.h.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "sm/policy/slot_use.h"

namespace heddle::report {

// The order of the parts of a stack, and of its legend.
inline constexpr std::array<sm::SlotUse, sm::kSlotUses> kStackOrder{
    sm::SlotUse::issued,    sm::SlotUse::scoreboard, sm::SlotUse::pipeline,
    sm::SlotUse::throttled, sm::SlotUse::barrier,    sm::SlotUse::instruction_buffer_empty,
    sm::SlotUse::idle};

// Of curves and phases, in this order.
inline constexpr std::array<std::string_view, 5> kLineColours{"#2f6db5", "#c8553d", "#3f9b6b",
                                                              "#8f6cc0", "#b58a1b"};

// A policy looks the same on every page. Policies with one colour differ in the variant, which
// chooses the symbol of points and the dashes of lines.
struct PolicyLook {
  std::string_view colour;
  int variant = 0;
};

// policy: "gto", "ccws:k=8", "gto + mapped", or the name of a row such as "swl, best". The first
// word decides the colour. Parameters, CTA schedulers and further words change the variant.
PolicyLook look_of_policy(const std::string& policy);

// The colour of text on a colour, "#rrggbb": black or white, whichever has more contrast.
std::string_view ink_on(std::string_view colour);

}  // namespace heddle::report
