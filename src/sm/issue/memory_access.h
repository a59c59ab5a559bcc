// What a memory instruction of a warp asks of the memory system after coalescing.
#pragma once

#include <bit>
#include <cstdint>

#include "base/types.h"
#include "mem/packet.h"

namespace heddle::sm {

// One access to memory: aligned to its own size, within one 128-byte line.
struct MemoryAccess {
  Address address;
  std::uint32_t bytes = 0;
  LaneMask lanes;
  mem::ByteMask mask;  // bytes touched within the 128-byte line

  std::uint8_t sector_bits() const { return mem::sectors_touched(address, bytes); }
  std::uint32_t sectors() const { return static_cast<std::uint32_t>(std::popcount(sector_bits())); }
};

}  // namespace heddle::sm
