#include "cuda/operations/launches.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "config/fitting_preset.h"
#include "cuda/objects/device_properties.h"
#include "cuda/objects/launch_check.h"
#include "cuda/operations/parameters.h"
#include "cuda/operations/submit.h"
#include "gpu/kernel_names.h"

namespace heddle::cuda {
namespace {

Dim3 extent(const dim3& d) { return {d.x, d.y, d.z}; }

gpu::LaunchRequest request_of(const KernelLaunch& launch) {
  const Configuration& c = launch.configuration;
  gpu::LaunchRequest request{launch.kernel,     extent(c.grid),
                             extent(c.block),   static_cast<std::uint32_t>(c.shared_bytes),
                             launch.parameters, c.cooperative};
  if (c.cluster) request.cluster = extent(*c.cluster);
  if (const isa::Kernel& kernel = *launch.kernel; kernel.cluster_rules.blocks_are_clusters) {
    const auto blocks = [](std::uint32_t clusters, std::uint32_t each) {
      constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
      return static_cast<std::uint32_t>(std::min(std::uint64_t{clusters} * each, kMost));
    };
    request.grid = {blocks(request.grid.x, kernel.cluster.x),
                    blocks(request.grid.y, kernel.cluster.y),
                    blocks(request.grid.z, kernel.cluster.z)};
    request.block = *kernel.required_block;
  }
  return request;
}

std::uint32_t most_cluster_blocks(const Session& session, const void* key) {
  return session.launches.settings.large_clusters(key) ? kLargestCluster : kPortableCluster;
}

std::string other_gpu(const LaunchRefusal& refusal) {
  const auto fits = [&](const config::GpuSpec& gpu) {
    return block_limits(gpu).shared_bytes_opt_in >= refusal.shared_bytes;
  };
  const std::string preset = refusal.shared_bytes > 0 ? config::fitting_preset(fits) : "";
  return preset.empty() ? "--gpu chooses another, heddle list gpus names them"
                        : "--gpu " + preset + " has enough";
}

// Prints once why the program is refused something, and how to choose another GPU when it is a
// limit of the GPU.
void explain_refusal(Session& session, const char* call, const isa::Kernel& kernel,
                     const LaunchRefusal& refusal) {
  std::string why =
      fmt::format("kernel {} cannot start: {}", gpu::kernel_short_name(kernel.name), refusal.why);
  if (!session.launches.explained.insert(why).second) return;
  if (refusal.limit_of_gpu)
    why += fmt::format(" (GPU {}; {})", session.spec().gpu.name, other_gpu(refusal));
  explain(call, why);
}

// The workspace of cooperative launches, or room for it.
bool has_grid_workspace(Session& session) {
  gpu::Device& device = session.device();
  return device.memory().allocations().has_room_for(gpu::kGridWorkspaceBytes) ||
         device.state().grid_workspace != heddle::Address{};
}

// What CUDA returns for this launch before anything runs.
LaunchRefusal check_configuration(Session& session, const KernelLaunch& launch,
                                  const gpu::LaunchRequest& request) {
  const auto& gpu = session.device().spec();
  const std::size_t shared = launch.configuration.shared_bytes;
  if (shared > gpu.sm.shared_bytes)
    return {cudaErrorInvalidValue,
            fmt::format("a block needs {} bytes of shared memory; an SM has {}", shared,
                        gpu.sm.shared_bytes),
            true, shared};
  const LaunchRefusal refusal =
      check_launch(session.device(), request,
                   shared_limit(session.launches.settings, launch.key, block_limits(gpu)),
                   most_cluster_blocks(session, launch.key));
  if (refusal.error == cudaSuccess && request.cooperative && !has_grid_workspace(session))
    return {cudaErrorMemoryAllocation,
            "the device's memory cannot hold the workspace of a cooperative launch"};
  return refusal;
}

cudaError_t launch_operation(Session& session, const KernelLaunch& launch, Operation& operation) {
  gpu::LaunchRequest request = request_of(launch);
  request.cta_direction = session.launches.cta_direction;
  if (const LaunchRefusal refusal = check_configuration(session, launch, request);
      refusal.error != cudaSuccess) {
    explain_refusal(session, "launch", *launch.kernel, refusal);
    return refusal.error;
  }
  operation.type = cudaGraphNodeTypeKernel;
  operation.launch = std::make_shared<const gpu::LaunchRequest>(std::move(request));
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

void read_attributes(const cudaLaunchAttribute* attributes, unsigned count, Configuration& how) {
  for (unsigned i = 0; i < count; ++i) {
    const cudaLaunchAttributeValue& value = attributes[i].val;
    if (attributes[i].id == cudaLaunchAttributeCooperative) how.cooperative = value.cooperative;
    if (attributes[i].id == cudaLaunchAttributeClusterDimension)
      how.cluster = dim3(value.clusterDim.x, value.clusterDim.y, value.clusterDim.z);
  }
}

cudaError_t resident_clusters(Session& session, const KernelLaunch& launch, int* clusters) {
  gpu::LaunchRequest request = request_of(launch);
  if (request.cluster_shape().count() == 0) return cudaErrorInvalidClusterSize;
  if (!device_properties(session.device().spec()).clusterLaunch) return cudaErrorNotSupported;
  const bool fits = request.cluster_shape().count() <= most_cluster_blocks(session, launch.key);
  *clusters =
      fits ? static_cast<int>(session.device().launch_builder().resident_clusters(request)) : 0;
  return fits ? cudaSuccess : cudaErrorInvalidClusterSize;
}

cudaError_t largest_cluster(Session& session, const KernelLaunch& launch, int* blocks) {
  gpu::LaunchRequest request = request_of(launch);
  if (!device_properties(session.device().spec()).clusterLaunch) return cudaErrorNotSupported;
  *blocks = 1;
  for (std::uint32_t n = most_cluster_blocks(session, launch.key); n > 1; --n) {
    request.cluster = Dim3{n, 1, 1};
    if (session.device().launch_builder().resident_clusters(request) == 0) continue;
    *blocks = static_cast<int>(n);
    break;
  }
  return cudaSuccess;
}

cudaError_t set_cluster(Session& session, const void* key, const dim3& cluster,
                        Operation& operation) {
  gpu::LaunchRequest request = *operation.launch;
  request.cluster = extent(cluster);
  const LaunchRefusal refusal = check_launch(
      session.device(), request,
      shared_limit(session.launches.settings, key, block_limits(session.device().spec())),
      most_cluster_blocks(session, key));
  if (refusal.error != cudaSuccess) {
    explain_refusal(session, "cudaGraphKernelNodeSetAttribute", *request.kernel, refusal);
    return refusal.error;
  }
  operation.launch = std::make_shared<const gpu::LaunchRequest>(std::move(request));
  return cudaSuccess;
}

cudaError_t launch_kernel(Session& session, const KernelLaunch& launch) {
  Operation operation;
  if (const cudaError_t error = launch_operation(session, launch, operation); error != cudaSuccess)
    return error;
  const cudaStream_t stream = launch.configuration.stream;
  if (session.streams.all.capture_of(stream)) keep_parameters(launch, operation);
  return submit(session, stream, std::move(operation));
}

cudaError_t kernel_operation(Session& session, const isa::Kernel* kernel,
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

std::size_t shared_limit(const DeviceSettings& settings, const void* key,
                         const BlockLimits& limits) {
  return settings.shared_limit(key, limits.shared_bytes);
}

int blocks_per_sm(Session& session, const isa::Kernel& kernel, int threads,
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

std::size_t available_shared_bytes(Session& session, const isa::Kernel& kernel, int blocks) {
  const auto& gpu = session.device().spec();
  const std::size_t each = std::min<std::size_t>(
      gpu.sm.shared_bytes / static_cast<std::uint32_t>(blocks), block_limits(gpu).shared_bytes);
  return each - std::min<std::size_t>(each, kernel.shared_bytes);
}

int max_threads(Session& session, const isa::Kernel& kernel) {
  const auto& gpu = session.device().spec();
  const std::uint32_t registers = session.device().launch_builder().registers_per_thread(kernel);
  const std::uint32_t by_registers =
      gpu.sm.registers / std::max<std::uint32_t>(1, registers) / 32 * 32;
  const std::uint32_t most = std::min(block_limits(gpu).threads, by_registers);
  return static_cast<int>(kernel.max_threads ? std::min(most, kernel.max_threads) : most);
}

int registers_per_thread(Session& session, const isa::Kernel& kernel) {
  return static_cast<int>(session.device().launch_builder().registers_per_thread(kernel));
}

cudaError_t allow_shared(Session& session, const isa::Kernel& kernel, const void* key, int bytes) {
  if (bytes < 0) return cudaErrorInvalidValue;
  const std::size_t shared = kernel.shared_bytes + static_cast<std::size_t>(bytes);
  const std::size_t most = block_limits(session.device().spec()).shared_bytes_opt_in;
  if (shared > most) {
    const std::string why =
        fmt::format("a block would need {} bytes of shared memory; {} are allowed", shared, most);
    explain_refusal(session, "cudaFuncSetAttribute", kernel,
                    {cudaErrorInvalidValue, why, true, shared});
    return cudaErrorInvalidValue;
  }
  session.launches.settings.set_shared_limit(key, shared);
  return cudaSuccess;
}

}  // namespace heddle::cuda
