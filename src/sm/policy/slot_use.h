// What an issue slot did: the only table of slot uses. Statistics, sentences and pictures take
// names, labels and phrases from here; colours are in report/palette.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace heddle::sm {

// `idle` means that the scheduler has no unfinished warp. GPGPU-Sim counts
// instruction_buffer_empty, barrier and outstanding as idle, too.
enum class SlotUse : std::uint8_t {
  issued,
  idle,
  instruction_buffer_empty,
  barrier,
  scoreboard,
  pipeline,
  throttled,
  outstanding
};
inline constexpr int kSlotUses = 8;

struct SlotUseInfo {
  std::string_view name;    // key in run.json
  std::string_view label;   // in tables and legends
  std::string_view phrase;  // what happens in such a slot
};

inline constexpr std::array<SlotUseInfo, kSlotUses> kSlotUseTable{{
    {"issued", "issued", "an instruction issues"},
    {"idle", "idle", "no warp is left to run"},
    {"instruction_buffer_empty", "buffer empty", "warps wait for instruction fetch"},
    {"barrier", "barrier", "warps wait at a barrier"},
    {"scoreboard", "scoreboard", "warps wait for operands in flight"},
    {"pipeline", "pipeline", "the unit or the memory pipeline is busy"},
    {"throttled", "throttled", "the policy vetoes issuable warps"},
    {"outstanding", "outstanding", "warps wait for a fence, an atomic, cp.async or their launches"},
}};

constexpr const SlotUseInfo& info(SlotUse use) {
  return kSlotUseTable[static_cast<std::size_t>(use)];
}

inline constexpr std::array<std::string_view, kSlotUses> kSlotUseNames = [] {
  std::array<std::string_view, kSlotUses> names{};
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = kSlotUseTable[i].name;
  return names;
}();

}  // namespace heddle::sm
