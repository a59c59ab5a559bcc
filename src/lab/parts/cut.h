// Where a run is cut into parts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "config/timed_part.h"

namespace heddle::lab {

// Launches of a run, by number from 1.
struct RunPart {
  std::uint64_t first = 1, last = 1;
  // What runs: also the launches before, which warm the caches. The range of the last part has no
  // end; nothing warms the first part.
  config::LaunchRange timed;

  std::size_t uncounted() const { return static_cast<std::size_t>(first - timed.first); }
};

// Successive launches with about as many instructions in each part, at most `parts` of them. The
// launch before a part is timed, too, unless it has more than half of the part's instructions, and
// so are earlier ones that have a tenth together; those before them, with two million, warm the L2.
// instructions: of each launch, of warps.
std::vector<RunPart> cut_into_parts(const std::vector<std::uint64_t>& instructions,
                                    std::size_t parts);

}  // namespace heddle::lab
