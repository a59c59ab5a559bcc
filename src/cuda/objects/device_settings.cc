#include "cuda/objects/device_settings.h"

#include <algorithm>

namespace heddle::cuda {
namespace {

constexpr std::size_t kMaxStackBytes = std::size_t{8}
                                       << 20;  // local memory has 16 MiB of addresses

std::size_t default_limit(cudaLimit which) {
  switch (which) {
    case cudaLimitStackSize: return 1024;
    case cudaLimitPrintfFifoSize: return 1 << 20;
    case cudaLimitMallocHeapSize: return 8 << 20;
    case cudaLimitDevRuntimeSyncDepth: return 2;
    case cudaLimitDevRuntimePendingLaunchCount: return 2048;
    case cudaLimitMaxL2FetchGranularity: return 128;
    default: return 0;
  }
}

}  // namespace

std::size_t DeviceSettings::limit(cudaLimit which) const {
  const auto set = limits_.find(which);
  return set == limits_.end() ? default_limit(which) : set->second;
}

gpu::DeviceLimits DeviceSettings::device_limits() const {
  return {static_cast<std::uint32_t>(std::min(limit(cudaLimitStackSize), kMaxStackBytes)),
          limit(cudaLimitMallocHeapSize), limit(cudaLimitPrintfFifoSize),
          limit(cudaLimitDevRuntimePendingLaunchCount),
          static_cast<std::uint32_t>(limit(cudaLimitDevRuntimeSyncDepth))};
}

std::size_t DeviceSettings::shared_limit(const void* kernel, std::size_t otherwise) const {
  const auto set = shared_limits_.find(kernel);
  return set == shared_limits_.end() ? otherwise : std::max(otherwise, set->second);
}

void DeviceSettings::reset() {
  limits_.clear();
  flags = 0;
}

}  // namespace heddle::cuda
