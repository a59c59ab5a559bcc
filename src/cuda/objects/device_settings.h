// What the program has set for its device: flags, limits, and shared memory of single kernels.
#pragma once

#include <cstddef>
#include <map>
#include <set>

#include "driver_types.h"
#include "gpu/device.h"

namespace heddle::cuda {

class DeviceSettings {
 public:
  unsigned flags = 0;  // cudaSetDeviceFlags

  // cudaDeviceSetLimit. A limit that was never set has CUDA's default.
  std::size_t limit(cudaLimit which) const;
  void set_limit(cudaLimit which, std::size_t value) { limits_[which] = value; }
  // Shared memory in bytes that a block may have after cudaFuncSetAttribute: at least `otherwise`.
  // kernel: its host function, or its handle in the driver API.
  std::size_t shared_limit(const void* kernel, std::size_t otherwise) const;
  void set_shared_limit(const void* kernel, std::size_t bytes) { shared_limits_[kernel] = bytes; }
  // cudaFuncAttributeNonPortableClusterSizeAllowed.
  bool large_clusters(const void* kernel) const { return large_clusters_.contains(kernel); }
  void allow_large_clusters(const void* kernel, bool allowed) {
    if (allowed)
      large_clusters_.insert(kernel);
    else
      large_clusters_.erase(kernel);
  }
  // What the limits mean for the device.
  gpu::DeviceLimits device_limits() const;
  // cudaDeviceReset: back to CUDA's defaults. Attributes of kernels stay.
  void reset();

 private:
  std::map<int, std::size_t> limits_;
  std::map<const void*, std::size_t> shared_limits_;
  std::set<const void*> large_clusters_;
};

}  // namespace heddle::cuda
