// Bytes in use and bytes reserved, as CUDA counts them for pools and graphs: freed memory stays
// reserved until it is trimmed.
#pragma once

#include <algorithm>
#include <cstddef>

#include "exec/state/global_memory.h"

namespace heddle::cuda {

struct ReservedMemory {
  static constexpr std::size_t kPageBytes = exec::kMappedPageBytes;  // CUDA reserves whole pages
  static constexpr std::size_t pages(std::size_t bytes) {
    return (bytes + kPageBytes - 1) / kPageBytes * kPageBytes;
  }

  std::size_t used = 0, reserved = 0;
  std::size_t max_used = 0, max_reserved = 0;  // since the start or since the last reset

  void allocate(std::size_t bytes) {
    used += bytes;
    reserve(used);
  }
  void free(std::size_t bytes) { used -= bytes; }
  // Reserves what will be in use at the same time.
  void reserve(std::size_t bytes) {
    reserved = std::max(reserved, pages(bytes));
    max_used = std::max(max_used, used);
    max_reserved = std::max(max_reserved, reserved);
  }
  void trim(std::size_t keep = 0) { reserved = std::max(pages(used), std::min(reserved, keep)); }
};

}  // namespace heddle::cuda
