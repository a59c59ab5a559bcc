// Bank conflicts of shared memory.
#pragma once

#include <array>
#include <cstdint>

#include "base/types.h"

namespace heddle::sm {

// Cycles that the banks need for one access of each lane: the sum over the `parts` portions of the
// warp of the largest number of distinct words in one bank. Lanes that access the same word are
// served together. banks: a power of two up to 64.
std::uint32_t shared_memory_cycles(LaneMask lanes,
                                   const std::array<std::uint64_t, kWarpSize>& addresses,
                                   std::uint32_t banks, std::uint32_t parts);

struct SharedAccess {
  std::uint32_t cycles = 0;     // of the banks
  std::uint32_t conflicts = 0;  // of them, those that a warp without conflicts would not need
};
// The same of a core that serves accesses of 8 bytes by half-warps and of 16 bytes by
// quarter-warps.
SharedAccess shared_access(LaneMask lanes, const std::array<std::uint64_t, kWarpSize>& addresses,
                           std::uint32_t bytes, std::uint32_t banks);

}  // namespace heddle::sm
