// The architectures whose machine code is known: sm_75 (Turing) to sm_90 (Hopper).
#pragma once

#include <algorithm>
#include <array>

namespace heddle::sass {

inline constexpr std::array kArchitectures{75, 80, 86, 89, 90};

inline bool is_known_architecture(int architecture) {
  return std::find(kArchitectures.begin(), kArchitectures.end(), architecture) !=
         kArchitectures.end();
}

}  // namespace heddle::sass
