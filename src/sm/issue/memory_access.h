// What a memory instruction of a warp asks of the memory system after coalescing.
#pragma once

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
};

}  // namespace heddle::sm
