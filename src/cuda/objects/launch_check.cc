#include "cuda/objects/launch_check.h"

#include <fmt/format.h>

#include "cuda/objects/device_properties.h"

namespace heddle::cuda {
namespace {

std::string text(const Dim3& d) { return fmt::format("({}, {}, {})", d.x, d.y, d.z); }

bool fits(const Dim3& d, std::uint64_t x, std::uint64_t y, std::uint64_t z) {
  return d.x >= 1 && d.y >= 1 && d.z >= 1 && d.x <= x && d.y <= y && d.z <= z;
}

LaunchRefusal check_shape(const gpu::LaunchRequest& request, const BlockLimits& limits) {
  if (!fits(request.block, limits.x, limits.y, limits.z) ||
      request.block.count() > limits.threads) {
    return {
        cudaErrorInvalidConfiguration,
        fmt::format("block {} is not within the GPU's limits: 1 to {} threads, 1 to ({}, {}, {})",
                    text(request.block), limits.threads, limits.x, limits.y, limits.z)};
  }
  if (!fits(request.grid, limits.grid_x, limits.grid_y, limits.grid_z)) {
    return {cudaErrorInvalidConfiguration,
            fmt::format("grid {} is not within the GPU's limits: 1 to ({}, {}, {})",
                        text(request.grid), limits.grid_x, limits.grid_y, limits.grid_z)};
  }
  return {};
}

LaunchRefusal check_shared(const gpu::LaunchRequest& request, const BlockLimits& limits,
                           std::size_t allowed) {
  const std::uint64_t needed =
      std::uint64_t{request.kernel->shared_bytes} + request.dynamic_shared_bytes;
  if (needed <= allowed) return {};
  const bool of_gpu = needed > limits.shared_bytes_opt_in;
  return {cudaErrorInvalidValue,
          fmt::format("a block needs {} bytes of shared memory; {} are allowed{}", needed, allowed,
                      of_gpu ? "" : " without cudaFuncSetAttribute"),
          of_gpu, needed};
}

// The bounds that the kernel was compiled for: .maxntid and .reqntid.
LaunchRefusal check_bounds(const gpu::LaunchRequest& request) {
  const isa::Kernel& kernel = *request.kernel;
  if (kernel.required_block && request.block != *kernel.required_block) {
    return {cudaErrorInvalidValue,
            fmt::format("the block is {}; the kernel was compiled for blocks of {}",
                        text(request.block), text(*kernel.required_block))};
  }
  if (kernel.cluster.count() > 1) {
    return {cudaErrorNotSupported,
            fmt::format("the kernel was compiled for clusters of {} blocks: only clusters of one "
                        "block are supported",
                        text(kernel.cluster))};
  }
  if (kernel.max_threads && request.block.count() > kernel.max_threads) {
    return {cudaErrorLaunchOutOfResources,
            fmt::format("a block has {} threads; the kernel was compiled for at most {}",
                        request.block.count(), kernel.max_threads)};
  }
  return {};
}

// At least one block must fit an SM; a cooperative grid must fit the GPU as a whole.
LaunchRefusal check_resources(const gpu::Device& device, const gpu::LaunchRequest& request) {
  const gpu::LaunchBuilder& builder = device.launch_builder();
  const gpu::LaunchResources used = builder.resources(request);
  if (!used.fits()) {
    return {cudaErrorLaunchOutOfResources,
            "no block fits an SM: " + builder.exceeded_limit(request, used), true};
  }
  const std::uint64_t room =
      std::uint64_t{device.spec().sms()} * static_cast<std::uint64_t>(used.occupancy.ctas);
  if (request.cooperative && request.grid.count() > room) {
    return {cudaErrorCooperativeLaunchTooLarge,
            fmt::format("the cooperative grid has {} blocks; the GPU holds {} at the same time",
                        request.grid.count(), room),
            true};
  }
  return {};
}

}  // namespace

LaunchRefusal check_launch(const gpu::Device& device, const gpu::LaunchRequest& request,
                           std::size_t allowed_shared) {
  const BlockLimits limits = block_limits(device.spec());
  LaunchRefusal refusal = check_shape(request, limits);
  if (refusal.error == cudaSuccess) refusal = check_shared(request, limits, allowed_shared);
  if (refusal.error == cudaSuccess) refusal = check_bounds(request);
  return refusal.error == cudaSuccess ? check_resources(device, request) : refusal;
}

}  // namespace heddle::cuda
