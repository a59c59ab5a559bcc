#include "cuda/operations/launches.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "cuda/operations/parameters.h"
#include "cuda/operations/submit.h"
#include "gpu/kernel_names.h"

namespace heddle::cuda {
namespace {

Dim3 extent(const dim3& d) { return {d.x, d.y, d.z}; }

std::string text(const dim3& d) { return fmt::format("({}, {}, {})", d.x, d.y, d.z); }

bool fits(const dim3& d, std::uint64_t x, std::uint64_t y, std::uint64_t z) {
  return d.x >= 1 && d.y >= 1 && d.z >= 1 && d.x <= x && d.y <= y && d.z <= z;
}

struct Refusal {
  cudaError_t error = cudaSuccess;
  std::string why;
};

gpu::LaunchRequest request_of(const KernelLaunch& launch) {
  const Configuration& c = launch.configuration;
  return {launch.kernel,     extent(c.grid),
          extent(c.block),   static_cast<std::uint32_t>(c.shared_bytes),
          launch.parameters, c.cooperative};
}

Refusal check_shape(const Configuration& c, const BlockLimits& limits) {
  if (!fits(c.block, limits.x, limits.y, limits.z) || extent(c.block).count() > limits.threads) {
    return {
        cudaErrorInvalidConfiguration,
        fmt::format("block {} is not within the GPU's limits: 1 to {} threads, 1 to ({}, {}, {})",
                    text(c.block), limits.threads, limits.x, limits.y, limits.z)};
  }
  if (!fits(c.grid, limits.grid_x, limits.grid_y, limits.grid_z)) {
    return {cudaErrorInvalidConfiguration,
            fmt::format("grid {} is not within the GPU's limits: 1 to ({}, {}, {})", text(c.grid),
                        limits.grid_x, limits.grid_y, limits.grid_z)};
  }
  return {};
}

// At least one block must fit an SM; a cooperative grid must fit the GPU as a whole.
Refusal check_resources(gpu::Device& device, const gpu::LaunchRequest& request) {
  const gpu::LaunchBuilder& builder = device.launch_builder();
  const gpu::LaunchResources used = builder.resources(request);
  if (!used.fits()) {
    return {cudaErrorLaunchOutOfResources,
            "no block fits an SM: " + builder.exceeded_limit(request, used)};
  }
  const std::uint64_t room =
      std::uint64_t{device.spec().sms()} * static_cast<std::uint64_t>(used.occupancy.ctas);
  if (request.cooperative && request.grid.count() > room) {
    return {cudaErrorCooperativeLaunchTooLarge,
            fmt::format("the cooperative grid has {} blocks; the GPU holds {} at the same time",
                        request.grid.count(), room)};
  }
  return {};
}

// What CUDA returns for this launch before anything runs.
Refusal check_launch(Session& session, const KernelLaunch& launch,
                     const gpu::LaunchRequest& request) {
  const auto& gpu = session.device().spec();
  const BlockLimits limits = block_limits(gpu);
  const Configuration& c = launch.configuration;
  if (auto refusal = check_shape(c, limits); refusal.error != cudaSuccess) return refusal;
  const ptx::Kernel& kernel = *launch.kernel;
  const std::size_t shared = kernel.shared_bytes + c.shared_bytes,
                    allowed = shared_limit(session, launch.key, limits);
  if (c.shared_bytes > gpu.sm.shared_bytes || shared > allowed) {
    return {
        cudaErrorInvalidValue,
        fmt::format("a block needs {} bytes of shared memory; {} are allowed", shared, allowed)};
  }
  if (kernel.max_threads && request.block.count() > kernel.max_threads) {
    return {cudaErrorLaunchOutOfResources,
            fmt::format("a block has {} threads; the kernel was compiled for at most {}",
                        request.block.count(), kernel.max_threads)};
  }
  return check_resources(session.device(), request);
}

cudaError_t launch_operation(Session& session, const KernelLaunch& launch, Operation& operation) {
  gpu::LaunchRequest request = request_of(launch);
  request.cta_direction = session.cta_direction;
  if (const Refusal refusal = check_launch(session, launch, request);
      refusal.error != cudaSuccess) {
    explain("launch", fmt::format("kernel {} cannot start: {}",
                                  gpu::kernel_short_name(launch.kernel->name), refusal.why));
    return refusal.error;
  }
  operation.type = cudaGraphNodeTypeKernel;
  operation.run = [request = std::move(request)](Session& at) {
    at.launch(request);
    return cudaSuccess;
  };
  return cudaSuccess;
}

// For cudaGraphKernelNodeGetParams.
void keep_parameters(const KernelLaunch& launch, Operation& operation) {
  for (const auto& parameter : launch.kernel->parameters) {
    const auto* const first = launch.parameters.data() + parameter.offset;
    operation.arguments.emplace_back(first, first + parameter.bytes);
  }
  for (auto& argument : operation.arguments) operation.argument_pointers.push_back(argument.data());
  const Configuration& c = launch.configuration;
  operation.kernel = {
      const_cast<void*>(launch.key),      c.grid, c.block, static_cast<unsigned>(c.shared_bytes),
      operation.argument_pointers.data(), nullptr};
  operation.kernel_name = gpu::kernel_short_name(launch.kernel->name);
}

}  // namespace

cudaError_t launch_kernel(Session& session, const KernelLaunch& launch) {
  Operation operation;
  if (const cudaError_t error = launch_operation(session, launch, operation); error != cudaSuccess)
    return error;
  const cudaStream_t stream = launch.configuration.stream;
  if (session.streams.capture_of(stream)) keep_parameters(launch, operation);
  return submit(session, stream, std::move(operation));
}

cudaError_t kernel_operation(Session& session, const ptx::Kernel* kernel,
                             const cudaKernelNodeParams& p, Operation& operation) {
  if (!kernel) return cudaErrorInvalidDeviceFunction;
  KernelLaunch launch{kernel, p.func, {p.gridDim, p.blockDim, p.sharedMemBytes}, {}};
  if (!gather_parameters(*kernel, p.kernelParams, p.extra, launch.parameters))
    return cudaErrorInvalidValue;
  if (const cudaError_t error = launch_operation(session, launch, operation); error != cudaSuccess)
    return error;
  keep_parameters(launch, operation);
  return cudaSuccess;
}

std::size_t shared_limit(const Session& session, const void* key, const BlockLimits& limits) {
  return session.settings.shared_limit(key, limits.shared_bytes);
}

int blocks_per_sm(Session& session, const ptx::Kernel& kernel, int threads,
                  std::size_t shared_bytes) {
  const auto& gpu = session.device().spec();
  if (static_cast<std::uint32_t>(threads) > block_limits(gpu).threads ||
      shared_bytes > gpu.sm.shared_bytes)
    return 0;
  gpu::LaunchRequest request;
  request.kernel = &kernel;
  request.grid.x = std::numeric_limits<std::uint32_t>::max();  // more blocks than any GPU holds
  request.block.x = static_cast<std::uint32_t>(threads);
  request.dynamic_shared_bytes = static_cast<std::uint32_t>(shared_bytes);
  return session.device().launch_builder().resources(request).occupancy.ctas;
}

int max_threads(Session& session, const ptx::Kernel& kernel) {
  const auto& gpu = session.device().spec();
  const std::uint32_t registers = session.device().launch_builder().registers_per_thread(kernel);
  const std::uint32_t by_registers =
      gpu.sm.registers / std::max<std::uint32_t>(1, registers) / 32 * 32;
  const std::uint32_t most = std::min(block_limits(gpu).threads, by_registers);
  return static_cast<int>(kernel.max_threads ? std::min(most, kernel.max_threads) : most);
}

int registers_per_thread(Session& session, const ptx::Kernel& kernel) {
  return static_cast<int>(session.device().launch_builder().registers_per_thread(kernel));
}

cudaError_t allow_shared(Session& session, const ptx::Kernel& kernel, const void* key, int bytes) {
  if (bytes < 0) return cudaErrorInvalidValue;
  const std::size_t shared = kernel.shared_bytes + static_cast<std::size_t>(bytes);
  if (shared > block_limits(session.device().spec()).shared_bytes_opt_in)
    return cudaErrorInvalidValue;
  session.settings.set_shared_limit(key, shared);
  return cudaSuccess;
}

}  // namespace heddle::cuda
