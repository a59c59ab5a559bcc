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

// Cycles from the first start to the last end of the slowest CTA. The clocks of two SMs of a GPU
// have different origins, so that only times of the same SM are compared.
inline double span(const std::vector<Clock>& starts, const std::vector<Clock>& ends, int block) {
  Clock longest = 0;
  for (std::size_t i = 0; i < starts.size(); i += block) {
    const auto first = starts.begin() + i, last = ends.begin() + i;
    longest = std::max(
        longest, *std::max_element(last, last + block) - *std::min_element(first, first + block));
  }
  return static_cast<double>(longest);
}

// Replaces the contents of the L2, where the data of copies from the host are.
inline void flush_l2() {
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
  const DeviceArray<char> other(std::vector<char>(std::size_t{2} * properties.l2CacheSize));
  check(cudaDeviceSynchronize(), "copy to the device");
}

}  // namespace micro
