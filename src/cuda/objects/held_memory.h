// Bytes that a user of device memory has: those in use, and those it holds although they were given
// back, until it is trimmed.
#pragma once

#include <algorithm>
#include <cstddef>

#include "exec/state/global_memory.h"

namespace heddle::cuda {

struct HeldMemory {
  static constexpr std::size_t kPageBytes =
      exec::kMappedPageBytes;  // CUDA maps, and so holds, whole pages
  static constexpr std::size_t pages(std::size_t bytes) {
    return (bytes + kPageBytes - 1) / kPageBytes * kPageBytes;
  }

  std::size_t used = 0, held = 0;
  std::size_t most_used = 0, most_held = 0;  // since the start, or since the figure was reset

  void take(std::size_t bytes) {
    used += bytes;
    hold(used);
  }
  void give(std::size_t bytes) { used -= bytes; }
  // As much as will be in use at once.
  void hold(std::size_t bytes) {
    held = std::max(held, pages(bytes));
    most_used = std::max(most_used, used);
    most_held = std::max(most_held, held);
  }
  void trim(std::size_t keep = 0) { held = std::max(pages(used), std::min(held, keep)); }
};

}  // namespace heddle::cuda
