// What the device runtime of kernels needs to know about a program and its GPU.
#pragma once

#include <cstdint>
#include <functional>

#include "gpu/device.h"
#include "gpu/nested/device_code.h"

namespace heddle::cuda {

// A program that runs, or a captured one.
struct CallingProgram {
  // See gpu::DeviceCode.
  std::function<const isa::Kernel*(const isa::Kernel& caller, std::uint64_t address)> kernel_at;
  // The number of the kernel's .target; 0: unknown.
  std::function<int(const isa::Kernel&)> target_of;
  std::function<gpu::DeviceLimits()> limits;
  std::function<std::shared_ptr<const gpu::DeviceGraph>(std::uint64_t handle)> graph_at;
};

// `device` must outlive the result.
gpu::DeviceCode device_code(const gpu::Device& device, const CallingProgram& program);

}  // namespace heddle::cuda
