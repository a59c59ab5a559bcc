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
  if (kernel.max_threads && request.block.count() > kernel.max_threads) {
    return {cudaErrorLaunchOutOfResources,
            fmt::format("a block has {} threads; the kernel was compiled for at most {}",
                        request.block.count(), kernel.max_threads)};
  }
  return {};
}

// The shape of the clusters. CUDA does not say which error each mistake has.
LaunchRefusal check_cluster(const gpu::Device& device, const gpu::LaunchRequest& request,
                            std::uint32_t most_blocks) {
  const isa::Kernel& kernel = *request.kernel;
  const Dim3 cluster = request.cluster_shape();
  if (cluster == Dim3{}) return {};
  const auto refuse = [&](const std::string& why) {
    return LaunchRefusal{cudaErrorInvalidClusterSize,
                         fmt::format("clusters of {} blocks: {}", text(cluster), why)};
  };
  if (!device_properties(device.spec()).clusterLaunch)
    return {
        cudaErrorNotSupported,
        fmt::format("clusters of {} blocks: the GPU has no thread block clusters", text(cluster)),
        true};
  if (kernel.cluster != Dim3{} && cluster != kernel.cluster)
    return refuse(fmt::format("the kernel was compiled for {}", text(kernel.cluster)));
  if (const std::uint32_t most = kernel.cluster_rules.most_ctas; most && cluster.count() > most)
    return refuse(fmt::format("the kernel was compiled for at most {}", most));
  if (cluster.count() == 0 || cluster.count() > most_blocks)
    return refuse(fmt::format("a cluster has 1 to {} blocks{}", most_blocks,
                              most_blocks < kLargestCluster
                                  ? ", or 16 with cudaFuncAttributeNonPortableClusterSizeAllowed"
                                  : ""));
  const Dim3& grid = request.grid;
  if (grid.x % cluster.x || grid.y % cluster.y || grid.z % cluster.z)
    return refuse(fmt::format("the grid of {} blocks is not a multiple", text(grid)));
  if (device.launch_builder().resident_clusters(request) == 0)
    return {cudaErrorLaunchOutOfResources,
            fmt::format("no GPC holds a cluster of {} blocks", text(cluster)), true};
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
  const std::uint64_t ctas_of_cluster = request.cluster_shape().count();
  const std::uint64_t room =
      ctas_of_cluster > 1
          ? builder.resident_clusters(request) * ctas_of_cluster
          : std::uint64_t{device.spec().sms()} * static_cast<std::uint64_t>(used.occupancy.ctas);
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
                           std::size_t allowed_shared, std::uint32_t most_blocks) {
  const BlockLimits limits = block_limits(device.spec());
  LaunchRefusal refusal = check_shape(request, limits);
  if (refusal.error == cudaSuccess) refusal = check_shared(request, limits, allowed_shared);
  if (refusal.error == cudaSuccess) refusal = check_bounds(request);
  if (refusal.error == cudaSuccess) refusal = check_resources(device, request);
  return refusal.error == cudaSuccess ? check_cluster(device, request, most_blocks) : refusal;
}

}  // namespace heddle::cuda
