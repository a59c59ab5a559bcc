// Properties of the addresses of a warp's lanes. Branch-free over all lanes, so that the compiler
// vectorizes it.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "base/types.h"

namespace heddle::sm {

using LaneAddresses = std::array<std::uint64_t, kWarpSize>;

inline std::size_t first_lane(LaneMask lanes) {
  return static_cast<std::size_t>(std::countr_zero(lanes.bits)) % kWarpSize;
}

inline constexpr auto kLaneBits = [] {
  LaneAddresses bits{};
  for (unsigned i = 0; i < kWarpSize; ++i) bits[i] = std::uint64_t{1} << i;
  return bits;
}();
// All ones for a lane of `lanes`, else 0. A comparison takes fewer vector instructions than shifts.
inline std::uint64_t ones_if(LaneMask lanes, unsigned lane) {
  return std::uint64_t{0} - std::uint64_t{(lanes.bits & kLaneBits[lane]) == kLaneBits[lane]};
}

// The bits in which the addresses of `lanes` differ.
inline std::uint64_t differing_bits(LaneMask lanes, const LaneAddresses& addresses) {
  const std::uint64_t base = addresses[first_lane(lanes)];
  std::uint64_t difference = 0;
  if (lanes == LaneMask::all()) {
    for (const std::uint64_t address : addresses) difference |= address ^ base;
    return difference;
  }
  for (unsigned i = 0; i < kWarpSize; ++i) difference |= (addresses[i] ^ base) & ones_if(lanes, i);
  return difference;
}

// Whether all 32 lanes are active and each lane's data begin where those of the lane before end.
inline bool consecutive(LaneMask lanes, const LaneAddresses& addresses, std::uint32_t bytes) {
  if (lanes != LaneMask::all()) return false;
  std::uint64_t difference = 0;
  for (unsigned i = 0; i < kWarpSize; ++i)
    difference |= addresses[i] ^ (addresses[0] + std::uint64_t{i} * bytes);
  return difference == 0;
}

}  // namespace heddle::sm
