// Colours and the order of slot uses in pictures, and the looks of policies in reports.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "sm/policy/slot_use.h"

namespace heddle::report {

// The order of the parts of a stack, and of its legend.
inline constexpr std::array<sm::SlotUse, sm::kSlotUses> kStackOrder{
    sm::SlotUse::issued,
    sm::SlotUse::scoreboard,
    sm::SlotUse::pipeline,
    sm::SlotUse::throttled,
    sm::SlotUse::barrier,
    sm::SlotUse::outstanding,
    sm::SlotUse::instruction_buffer_empty,
    sm::SlotUse::idle};

struct SlotLook {
  std::string_view colour;  // in SVG
  int terminal_colour;      // of the terminal's 256
  std::string_view block;   // in a terminal without colour
};
// In the order of sm::SlotUse.
inline constexpr std::array<SlotLook, sm::kSlotUses> kSlotLooks{{{"#009e73", 71, "█"},
                                                                 {"#cfcfcf", 250, "·"},
                                                                 {"#f0e442", 185, "┼"},
                                                                 {"#cc79a7", 97, "╬"},
                                                                 {"#d55e00", 167, "▓"},
                                                                 {"#e69f00", 215, "▒"},
                                                                 {"#0072b2", 68, "░"},
                                                                 {"#882255", 89, "╳"}}};
constexpr const SlotLook& look_of(sm::SlotUse use) {
  return kSlotLooks[static_cast<std::size_t>(use)];
}

// Of the series of a chart, in this order. Okabe and Ito's colours, which colour-blind readers can
// distinguish, then greys; darker than theirs where a line on white needs it.
inline constexpr std::array<std::string_view, 10> kSeriesColours{
    "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9",
    "#d55e00", "#d6c72c", "#6b6b6b", "#969696", "#c4c4c4"};
constexpr std::string_view series_colour(std::size_t place) {
  return kSeriesColours[place % kSeriesColours.size()];
}

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
