// How far a check keeps allocations apart.
#pragma once

#include <cstdint>

namespace heddle::exec {

inline constexpr std::uint64_t kGuardBytes = 256;

}  // namespace heddle::exec
