// Rounding to a multiple.
#pragma once

#include <cstdint>

namespace heddle {

// The smallest multiple of `step` that is not below `value`. `step` is positive.
constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t step) {
  return (value + step - 1) / step * step;
}

}  // namespace heddle
