// Operations on the bits of 32-bit words that PTX and machine code share.
#pragma once

#include <cstdint>

#include "ptx/payload.h"

namespace heddle::exec {

// The selectors of the four bytes that prmt takes, for a mode and the low bits of its operand.
inline std::uint32_t byte_selectors(ptx::PrmtMode mode, std::uint32_t c) {
  const std::uint32_t n = c & 3;
  static constexpr std::uint16_t f4e[4] = {0x3210, 0x4321, 0x5432, 0x6543},
                                 b4e[4] = {0x5670, 0x6701, 0x7012, 0x0123},
                                 rc8[4] = {0x0000, 0x1111, 0x2222, 0x3333},
                                 ecl[4] = {0x3210, 0x3211, 0x3222, 0x3333},
                                 ecr[4] = {0x0000, 0x1110, 0x2210, 0x3210},
                                 rc16[4] = {0x1010, 0x3232, 0x1010, 0x3232};
  switch (mode) {
    case ptx::PrmtMode::index: return c;
    case ptx::PrmtMode::f4e: return f4e[n];
    case ptx::PrmtMode::b4e: return b4e[n];
    case ptx::PrmtMode::rc8: return rc8[n];
    case ptx::PrmtMode::ecl: return ecl[n];
    case ptx::PrmtMode::ecr: return ecr[n];
    case ptx::PrmtMode::rc16: return rc16[n];
  }
  return c;
}
// Bytes 0 to 3 are those of a, 4 to 7 of b; selector bit 3 repeats the sign of the byte.
inline std::uint32_t select_bytes(std::uint32_t a, std::uint32_t b, std::uint32_t selectors) {
  const std::uint64_t bytes = std::uint64_t{b} << 32 | a;
  std::uint32_t result = 0;
  for (std::uint32_t i = 0; i < 4; ++i) {
    const std::uint32_t s = selectors >> (4 * i) & 0xf;
    std::uint32_t byte = static_cast<std::uint32_t>(bytes >> (8 * (s & 7))) & 0xff;
    if (s & 8) byte = byte & 0x80 ? 0xff : 0;
    result |= byte << (8 * i);
  }
  return result;
}

// Sign or zero extension from n bits; from more than 31 the word itself.
template <bool kSigned>
std::uint32_t extend_from(std::uint32_t a, std::uint32_t n) {
  if (n > 31) return a;
  if (n == 0) return 0;
  const std::uint32_t keep = (std::uint32_t{1} << n) - 1;
  return kSigned && (a >> (n - 1) & 1) ? a | ~keep : a & keep;
}

}  // namespace heddle::exec
