// A machine file's GPU as CUDA programs see it.
#pragma once

#include <cstddef>
#include <optional>

#include "config/gpu_spec.h"
#include "driver_types.h"

namespace heddle::cuda {

// Limits of one block. The general ones follow from the compute capability, as the CUDA programming guide lists them.
struct BlockLimits {
  std::uint32_t threads = 1024, x = 1024, y = 1024, z = 64;
  std::uint64_t grid_x = 2147483647, grid_y = 65535, grid_z = 65535;
  std::size_t shared_bytes = 49152;        // without asking
  std::size_t shared_bytes_opt_in = 49152;  // after cudaFuncSetAttribute
};
BlockLimits block_limits(const config::GpuSpec& gpu);

cudaDeviceProp device_properties(const config::GpuSpec& gpu);

// None for an attribute that the runtime does not know.
std::optional<int> device_attribute(const config::GpuSpec& gpu, cudaDeviceAttr attribute);

}  // namespace heddle::cuda
