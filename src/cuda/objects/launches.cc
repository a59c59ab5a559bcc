#include "cuda/objects/launches.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "cuda/objects/streams.h"
#include "cuda/process/kernel_names.h"
#include "sm/sm.h"

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

Refusal judge_shape(const Configuration& how, const BlockLimits& limits) {
  if (!fits(how.block, limits.x, limits.y, limits.z) ||
      extent(how.block).count() > limits.threads) {
    return {cudaErrorInvalidConfiguration,
            fmt::format("block {} on a GPU with at most {} threads in a block of ({}, {}, {})",
                        text(how.block), limits.threads, limits.x, limits.y, limits.z)};
  }
  if (!fits(how.grid, limits.grid_x, limits.grid_y, limits.grid_z)) {
    return {cudaErrorInvalidConfiguration,
            fmt::format("grid {} on a GPU whose largest is ({}, {}, {})", text(how.grid),
                        limits.grid_x, limits.grid_y, limits.grid_z)};
  }
  return {};
}

// The number of liveness is where a compiler starts from: it never keeps a block from an SM, as the
// user's own does.
std::uint32_t registers_of(const config::GpuSpec& gpu, const exec::Launch& launch) {
  const ptx::Kernel& kernel = *launch.kernel;
  return kernel.registers_given
             ? kernel.registers_per_thread
             : sm::registers_after_spilling(gpu, launch, kernel.registers_per_thread);
}

// A block that fits no SM, or a cooperative grid that does not fit the GPU at once.
Refusal judge_room(const config::GpuSpec& gpu, const Request& request, const exec::Launch& launch) {
  const ptx::Kernel& kernel = *request.kernel;
  const auto occupancy = sm::occupancy(gpu, launch, registers_of(gpu, launch));
  if (occupancy.ctas == 0) {
    return {cudaErrorLaunchOutOfResources,
            fmt::format("one block of {} threads with {} registers each and {} bytes of shared "
                        "memory does not fit an SM (limit: {})",
                        launch.block.count(), kernel.registers_per_thread,
                        kernel.shared_bytes + request.how.shared_bytes, occupancy.limiter)};
  }
  const std::uint64_t room = std::uint64_t{gpu.sms()} * static_cast<std::uint64_t>(occupancy.ctas);
  if (request.how.cooperative && launch.grid.count() > room) {
    return {cudaErrorCooperativeLaunchTooLarge,
            fmt::format("a cooperative grid of {} blocks, of which the GPU holds {} at once",
                        launch.grid.count(), room)};
  }
  return {};
}

// What CUDA answers to this launch before anything runs.
Refusal judge(Session& session, const Request& request, const exec::Launch& launch) {
  const auto& gpu = session.device().spec();
  const BlockLimits limits = block_limits(gpu);
  if (auto refusal = judge_shape(request.how, limits); refusal.error != cudaSuccess) return refusal;
  const ptx::Kernel& kernel = *request.kernel;
  const std::size_t shared = kernel.shared_bytes + request.how.shared_bytes,
                    most = shared_limit(session, request.key, limits);
  if (request.how.shared_bytes > gpu.sm.shared_bytes || shared > most) {
    return {cudaErrorInvalidValue,
            fmt::format("{} bytes of shared memory in a block, with at most {}", shared, most)};
  }
  if (kernel.max_threads && launch.block.count() > kernel.max_threads) {
    return {cudaErrorLaunchOutOfResources,
            fmt::format("block of {} threads, compiled for at most {}", launch.block.count(),
                        kernel.max_threads)};
  }
  return judge_room(gpu, request, launch);
}

// So that cudaGraphKernelNodeGetParams can tell what the launch was given.
void keep_parameters(const Request& request, Operation& operation) {
  const ptx::Kernel& kernel = *request.kernel;
  for (const auto& parameter : kernel.parameters) {
    const auto* const first = request.parameters.data() + parameter.offset;
    operation.arguments.emplace_back(first, first + parameter.bytes);
  }
  for (auto& argument : operation.arguments) operation.argument_pointers.push_back(argument.data());
  operation.kernel = {const_cast<void*>(request.key),
                      request.how.grid,
                      request.how.block,
                      static_cast<unsigned>(request.how.shared_bytes),
                      operation.argument_pointers.data(),
                      nullptr};
  operation.kernel_name = kernel_short_name(request.kernel->name);
}

}  // namespace

cudaError_t describe_launch(Session& session, const Request& request, Operation& operation) {
  exec::Launch launch;
  launch.kernel = request.kernel;
  launch.grid = extent(request.how.grid);
  launch.block = extent(request.how.block);
  launch.dynamic_shared_bytes = static_cast<std::uint32_t>(request.how.shared_bytes);
  if (const Refusal refusal = judge(session, request, launch); refusal.error != cudaSuccess) {
    explain("launch", fmt::format("kernel {} cannot start: {}",
                                  kernel_short_name(request.kernel->name), refusal.why));
    return refusal.error;
  }
  launch.parameters = request.parameters;
  operation.type = cudaGraphNodeTypeKernel;
  operation.run = [launch = std::move(launch), cooperative = request.how.cooperative](Session& at) {
    at.run(launch, cooperative);
    return cudaSuccess;
  };
  return cudaSuccess;
}

cudaError_t issue(Session& session, Request request) {
  Operation operation;
  if (const cudaError_t error = describe_launch(session, request, operation); error != cudaSuccess)
    return error;
  if (capture_of(session, request.how.stream)) keep_parameters(request, operation);
  return submit(session, request.how.stream, std::move(operation));
}

std::size_t shared_limit(const Session& session, const void* key, const BlockLimits& limits) {
  const auto asked = session.shared_opt_in.find(key);
  return asked == session.shared_opt_in.end() ? limits.shared_bytes
                                              : std::max(limits.shared_bytes, asked->second);
}

int blocks_per_sm(Session& session, const ptx::Kernel& kernel, int threads,
                  std::size_t shared_bytes) {
  const auto& gpu = session.device().spec();
  if (static_cast<std::uint32_t>(threads) > block_limits(gpu).threads ||
      shared_bytes > gpu.sm.shared_bytes)
    return 0;
  exec::Launch asked;
  asked.kernel = &kernel;
  asked.grid.x = std::numeric_limits<std::uint32_t>::max();  // more blocks than any SM holds
  asked.block.x = static_cast<std::uint32_t>(threads);
  asked.dynamic_shared_bytes = static_cast<std::uint32_t>(shared_bytes);
  return sm::occupancy(gpu, asked, registers_of(gpu, asked)).ctas;
}

int most_threads(const config::GpuSpec& gpu, const ptx::Kernel& kernel) {
  const std::uint32_t by_registers =
      gpu.sm.registers / std::max<std::uint32_t>(1, kernel.registers_per_thread) / 32 * 32;
  const std::uint32_t most = std::min(block_limits(gpu).threads, by_registers);
  return static_cast<int>(kernel.max_threads ? std::min(most, kernel.max_threads) : most);
}

cudaError_t allow_shared(Session& session, const ptx::Kernel& kernel, const void* key, int bytes) {
  if (bytes < 0) return cudaErrorInvalidValue;
  const std::size_t shared = kernel.shared_bytes + static_cast<std::size_t>(bytes);
  if (shared > block_limits(session.device().spec()).shared_bytes_opt_in)
    return cudaErrorInvalidValue;
  session.shared_opt_in[key] = shared;
  return cudaSuccess;
}

}  // namespace heddle::cuda
