// Which set of a cache an address goes to.
#pragma once

#include <cstdint>

#include "config/gpu_spec.h"

namespace heddle::mem {

// The remainder of `value`, read as a polynomial over GF(2), modulo the primitive polynomial of degree `bits` (2..10). Rau,
// "Pseudo-randomly interleaved memory", ISCA 1991.
std::uint32_t polynomial_hash(std::uint64_t value, int bits);

class SetIndexFunction {
 public:
  // Sets need not be a power of two for linear; the hashes need one.
  SetIndexFunction(config::SetIndex kind, std::uint32_t sets, std::uint32_t line_bytes);
  // line_number = address / line bytes.
  std::uint32_t operator()(std::uint64_t line_number, std::uint64_t address) const {
    if (kind_ == config::SetIndex::linear) [[likely]] return power_of_two_ ? static_cast<std::uint32_t>(line_number & (sets_ - 1)) : static_cast<std::uint32_t>(line_number % sets_);
    return hashed(line_number, address);
  }

 private:
  std::uint32_t hashed(std::uint64_t line_number, std::uint64_t address) const;

  config::SetIndex kind_;
  std::uint32_t sets_;
  std::uint32_t line_bytes_;
  int bits_;
  bool power_of_two_;
};

}  // namespace heddle::mem
