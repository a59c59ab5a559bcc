// part / whole; 0 when whole is 0.
#pragma once

#include <cstdint>

namespace heddle::stats {

constexpr double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }
constexpr double ratio(std::uint64_t part, std::uint64_t whole) {
  return ratio(static_cast<double>(part), static_cast<double>(whole));
}

}  // namespace heddle::stats
