// How the uses of an issue slot look in every picture.
#pragma once

#include <array>
#include <string_view>

namespace heddle::report {

// block: where there is no colour, too, the parts of a stack differ. ansi: colour of the terminal's
// 256.
struct Look {
  std::string_view use, label, colour, block;
  int ansi;
};

inline constexpr std::array<Look, 7> kSlotLooks{{
    {"issued", "issued", "#3f9b6b", "█", 71},
    {"scoreboard", "scoreboard", "#d0605e", "▓", 167},
    {"pipeline", "pipeline", "#e8a04c", "▒", 215},
    {"throttled", "throttled", "#4f83d1", "░", 68},
    {"barrier", "barrier", "#8f6cc0", "╬", 97},
    {"instruction_buffer_empty", "buffer empty", "#c7b84a", "┼", 185},
    {"idle", "idle", "#cfcfcf", "·", 250},
}};

// For lines and phases, in this order.
inline constexpr std::array<std::string_view, 5> kLineColours{"#2f6db5", "#c8553d", "#3f9b6b",
                                                              "#8f6cc0", "#b58a1b"};

}  // namespace heddle::report
