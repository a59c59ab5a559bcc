// The device's address space as several rooms see it.
#pragma once

#include <cstdint>

namespace heddle {

// The first address of the heap, as in GPGPU-Sim, so that addresses map to the same channels and
// cache sets. Local memory lies below it in the timing model (sm/address_space.h).
inline constexpr std::uint64_t kHeapBase = 0xC0000000;

}  // namespace heddle
