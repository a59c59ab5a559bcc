// Numbers as reports print them.
#pragma once

#include <cstdint>
#include <string>

namespace heddle::stats {

std::string grouped(std::uint64_t value);           // "1,234,567"
std::string percent(double share, int digits = 1);  // 0.5: "50.0 %"

}  // namespace heddle::stats
