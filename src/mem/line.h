// The line of 128 bytes in which every packet and every coalesced access lies, and its sectors.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/types.h"

namespace heddle::mem {

inline constexpr std::uint32_t kLineBytes = 128, kSectorBytes = 32;
inline constexpr std::uint32_t kSectorsPerLine = kLineBytes / kSectorBytes;

constexpr std::uint32_t offset_in_line(Address a) {
  return static_cast<std::uint32_t>(a.value % kLineBytes);
}
constexpr std::uint32_t sector_index(Address a) { return offset_in_line(a) / kSectorBytes; }
constexpr std::uint8_t sector_bit(std::uint32_t sector) {
  return static_cast<std::uint8_t>(1u << sector);
}
// The address of a sector of the address's line.
constexpr Address sector_address(Address a, std::uint32_t sector) {
  return Address{a.value - offset_in_line(a) + sector * kSectorBytes};
}
// The sectors that the bytes from `first` to the end of its line at most touch, as bits. No bytes
// touch the sector of `first`.
constexpr std::uint8_t sectors_touched(Address first, std::uint32_t bytes) {
  const std::uint32_t last = std::min(offset_in_line(first) + std::max(bytes, 1u), kLineBytes) - 1;
  return static_cast<std::uint8_t>((2u << last / kSectorBytes) - (1u << sector_index(first)));
}

}  // namespace heddle::mem
