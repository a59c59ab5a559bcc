// What CUDA returns for a launch before anything runs, whether the host or a kernel launches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "driver_types.h"
#include "gpu/device.h"

namespace heddle::cuda {

// Blocks of a cluster that every GPU with clusters holds, and with
// cudaFuncAttributeNonPortableClusterSizeAllowed.
inline constexpr std::uint32_t kPortableCluster = 8, kLargestCluster = 16;

struct LaunchRefusal {
  cudaError_t error = cudaSuccess;
  std::string why;
  bool limit_of_gpu = false;       // another GPU may accept the launch:
  std::uint64_t shared_bytes = 0;  // one that has so much shared memory for a block; 0: any
};

// allowed_shared: bytes of shared memory that a block of the kernel may have. most_blocks: of a
// cluster.
LaunchRefusal check_launch(const gpu::Device& device, const gpu::LaunchRequest& request,
                           std::size_t allowed_shared,
                           std::uint32_t most_blocks = kPortableCluster);

}  // namespace heddle::cuda
