// What the microbenchmarks share. Each prints one figure per line, "name value unit". Cycles are
// those of clock64(), the SM clock.
#pragma once

#include "../common.h"

#include <algorithm>

namespace micro {

using namespace workload;
using Clock = long long;

inline void figure(const char* name, double value, const char* unit) {
  std::printf("%-24s %10.2f %s\n", name, value, unit);
}

// Cycles from the first start to the last end.
inline double span(const std::vector<Clock>& starts, const std::vector<Clock>& ends) {
  return static_cast<double>(*std::max_element(ends.begin(), ends.end()) -
                             *std::min_element(starts.begin(), starts.end()));
}

}  // namespace micro
