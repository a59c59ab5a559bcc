// The function that maps an address to a set of a cache.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "config/gpu_spec.h"

namespace heddle::mem {

// The remainder of a number, read as a polynomial over GF(2), modulo the primitive polynomial of
// degree 1..10. It spreads any power-of-two stride over all sets. Rau, "Pseudo-randomly interleaved
// memory", ISCA 1991.
class PolynomialHash {
 public:
  static constexpr int kMaxBits = 10;
  explicit PolynomialHash(int bits);
  std::uint32_t operator()(std::uint64_t value) const {
    std::uint32_t hash = 0;
    for (int k = 0; k < bits_; ++k)
      hash |=
          static_cast<std::uint32_t>(std::popcount(value & masks_[static_cast<std::size_t>(k)]) & 1)
          << k;
    return hash;
  }

 private:
  int bits_;
  // Bit k of the remainder is the parity of the bits of the number in masks_[k].
  std::array<std::uint64_t, kMaxBits> masks_{};
};

class SetIndexFunction {
 public:
  // Throws a UserError when the kind does not support the number of sets: hashes need powers of
  // two, the Fermi hash 32 or 64 sets.
  SetIndexFunction(config::SetIndex kind, std::uint32_t sets);
  // line_number = address / line bytes.
  std::uint32_t operator()(std::uint64_t line_number, std::uint64_t address) const {
    if (kind_ != config::SetIndex::linear) return hashed(line_number, address);
    return static_cast<std::uint32_t>(power_of_two_ ? line_number & (sets_ - 1)
                                                    : line_number % sets_);
  }

 private:
  std::uint32_t hashed(std::uint64_t line_number, std::uint64_t address) const;

  config::SetIndex kind_;
  std::uint32_t sets_;
  int bits_;
  bool power_of_two_;
  PolynomialHash polynomial_;
};

}  // namespace heddle::mem
