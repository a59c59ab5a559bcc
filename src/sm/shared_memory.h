// Bank conflicts of shared memory.
#pragma once

#include <array>
#include <cstdint>

#include "base/types.h"

namespace heddle::sm {

// Cycles that the banks need for one access of each lane: per portion of the warp, the largest
// number of different words in one bank. Lanes that touch the same word are served together. At
// least 1 per portion with a lane. banks: a power of two up to 64.
std::uint32_t shared_memory_cycles(LaneMask lanes,
                                   const std::array<std::uint64_t, kWarpSize>& addresses,
                                   std::uint32_t banks, std::uint32_t parts);

}  // namespace heddle::sm
