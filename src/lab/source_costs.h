// What each source line of a kernel costs, from the details in a run.json.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/source_files.h"
#include "sm/policy/slot_use.h"

namespace heddle::lab {

struct SourceCost {
  std::string place;        // "kmeans.cu:28", or "PTX line 40" when the source is unknown
  std::string text;         // the line itself; empty when its file is not shown
  std::string instruction;  // kind of the instruction that costs most: "load global"
  std::array<std::uint64_t, sm::kSlotUses> slots{};
  // Of its memory instructions, stores and atomics included.
  std::uint64_t executions = 0, lanes = 0, accesses = 0, l1d_hits = 0, l1d_accesses = 0,
                l1d_misses = 0,
                l1d_cold_misses = 0;  // misses of the first access to a line

  std::uint64_t all_slots() const;
  std::uint64_t slots_of(sm::SlotUse use) const { return slots[static_cast<std::size_t>(use)]; }
};

// The lines of all launches of a kernel, most expensive first.
std::vector<SourceCost> source_costs(const nlohmann::ordered_json& results,
                                     const std::string& kernel, SourceFiles& files);

}  // namespace heddle::lab
