// What the device runtime needs to know about the program whose kernels call it. Numbers are those
// of CUDA: cudaError_t, cudaDeviceAttr, cudaLimit.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpu/launch_builder.h"
#include "gpu/nested/device_graph.h"
#include "isa/kernel.h"

namespace heddle::gpu {

struct DeviceCode {
  // The kernel at an address that code of `caller` took; null when there is none. Throws UserError
  // when its PTX is not supported.
  std::function<const isa::Kernel*(const isa::Kernel& caller, std::uint64_t address)> kernel_at;
  // The graph of a handle as it was uploaded; null when there is none.
  std::function<std::shared_ptr<const DeviceGraph>(std::uint64_t handle)> graph_at;
  // The error of a launch before anything runs; 0: none.
  std::function<int(const LaunchRequest&)> check;
  std::function<std::optional<int>(int attribute)> attribute;
  std::function<std::optional<std::uint64_t>(int limit)> limit;
  std::function<std::string(int error, bool name)> error_text;
  // The bytes of a cudaFuncAttributes.
  std::function<std::vector<std::uint8_t>(const isa::Kernel&)> function_attributes;
  int runtime_version = 0;
};

}  // namespace heddle::gpu
