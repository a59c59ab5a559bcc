// Matching warp-synchronous instructions that lanes of a warp execute together at several places.
#pragma once

#include <span>

#include "exec/state/decoded_instruction.h"
#include "exec/state/warp.h"

namespace heddle::exec {

// Lanes at one place.
struct SyncPlace {
  const DecodedInstruction* decoded = nullptr;
  std::uint32_t lanes = 0;
};

// Each lane gets the result from the lanes of all places. The instructions match and name their
// members.
void execute_together(Warp& w, const SyncPlace& here, std::span<const SyncPlace> others);

}  // namespace heddle::exec
