// Launching kernels and asking about them.
#include <algorithm>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "cuda/runtime/api.h"
#include "cuda/runtime/device_properties.h"
#include "cuda/runtime/kernel_names.h"
#include "cuda/runtime/parameters.h"
#include "sm/sm.h"

using namespace heddle::cuda;

namespace {

using heddle::exec::Launch;

struct Configuration {
  dim3 grid, block;
  std::size_t shared_bytes = 0;
  cudaStream_t stream = nullptr;
};

heddle::Dim3 extent(const dim3& d) { return {d.x, d.y, d.z}; }

std::string text(const dim3& d) { return fmt::format("({}, {}, {})", d.x, d.y, d.z); }

std::size_t shared_limit(const Session& session, const void* function, const BlockLimits& limits) {
  const auto asked = session.shared_opt_in.find(function);
  return asked == session.shared_opt_in.end() ? limits.shared_bytes : std::max(limits.shared_bytes, asked->second);
}

bool fits(const dim3& d, std::uint64_t x, std::uint64_t y, std::uint64_t z) {
  return d.x >= 1 && d.y >= 1 && d.z >= 1 && d.x <= x && d.y <= y && d.z <= z;
}

// What CUDA answers to this launch before anything runs; a refusal is explained.
cudaError_t judge(Session& session, const void* function, const Configuration& how, const heddle::ptx::Kernel& kernel, const Launch& launch) {
  const auto& gpu = session.device().spec();
  const BlockLimits limits = block_limits(gpu);
  const auto refuse = [&](cudaError_t error, const std::string& why) {
    explain("launch", fmt::format("kernel {} cannot start: {}", kernel_short_name(kernel.name), why));
    return error;
  };
  if (!fits(how.block, limits.x, limits.y, limits.z) || launch.block.count() > limits.threads) {
    return refuse(cudaErrorInvalidConfiguration,
                  fmt::format("block {} on a GPU with at most {} threads in a block of ({}, {}, {})", text(how.block), limits.threads,
                              limits.x, limits.y, limits.z));
  }
  if (!fits(how.grid, limits.grid_x, limits.grid_y, limits.grid_z)) {
    return refuse(cudaErrorInvalidConfiguration, fmt::format("grid {} on a GPU whose largest is ({}, {}, {})", text(how.grid), limits.grid_x,
                                                             limits.grid_y, limits.grid_z));
  }
  const std::size_t shared = kernel.shared_bytes + how.shared_bytes, most = shared_limit(session, function, limits);
  if (how.shared_bytes > gpu.sm.shared_bytes || shared > most) {
    return refuse(cudaErrorInvalidValue, fmt::format("{} bytes of shared memory in a block, with at most {}", shared, most));
  }
  if (kernel.max_threads && launch.block.count() > kernel.max_threads) {
    return refuse(cudaErrorLaunchOutOfResources, fmt::format("block of {} threads, compiled for at most {}", launch.block.count(), kernel.max_threads));
  }
  const auto occupancy = heddle::sm::occupancy(gpu, launch, kernel.registers_per_thread);
  if (occupancy.ctas == 0) {
    return refuse(cudaErrorLaunchOutOfResources, fmt::format("one block of {} threads with {} registers each and {} bytes of shared memory "
                                                             "does not fit an SM (limit: {})",
                                                             launch.block.count(), kernel.registers_per_thread, shared, occupancy.limiter));
  }
  return cudaSuccess;
}

cudaError_t launch(const void* function, const Configuration& how, void** arguments) {
  return api([&](Session& session) {
    const heddle::ptx::Kernel* const kernel = session.program().kernel(function);
    if (!kernel) return cudaErrorInvalidDeviceFunction;
    if (!kernel->parameters.empty() && !arguments) return cudaErrorInvalidValue;
    Launch request;
    request.kernel = kernel;
    request.grid = extent(how.grid);
    request.block = extent(how.block);
    request.dynamic_shared_bytes = static_cast<std::uint32_t>(how.shared_bytes);
    if (const cudaError_t error = judge(session, function, how, *kernel, request); error != cudaSuccess) return error;
    request.parameters = pack_parameters(*kernel, arguments);
    session.run(request);
    return cudaSuccess;
  });
}

// Calls work(session, kernel) when the function is a kernel.
template <class Work>
cudaError_t with_kernel(const void* function, Work&& work) {
  return api([&](Session& session) {
    const heddle::ptx::Kernel* const kernel = session.program().kernel(function);
    return kernel ? work(session, *kernel) : cudaErrorInvalidDeviceFunction;
  });
}

// Blocks that one SM holds at once; 0 when one does not fit.
int blocks_per_sm(Session& session, const heddle::ptx::Kernel& kernel, int threads, std::size_t shared_bytes) {
  const auto& gpu = session.device().spec();
  if (static_cast<std::uint32_t>(threads) > block_limits(gpu).threads || shared_bytes > gpu.sm.shared_bytes) return 0;
  Launch asked;
  asked.kernel = &kernel;
  asked.grid.x = std::numeric_limits<std::uint32_t>::max();  // more blocks than any SM holds
  asked.block.x = static_cast<std::uint32_t>(threads);
  asked.dynamic_shared_bytes = static_cast<std::uint32_t>(shared_bytes);
  return heddle::sm::occupancy(gpu, asked, kernel.registers_per_thread).ctas;
}

int most_threads(const heddle::config::GpuSpec& gpu, const heddle::ptx::Kernel& kernel) {
  const std::uint32_t by_registers = gpu.sm.registers / std::max<std::uint32_t>(1, kernel.registers_per_thread) / 32 * 32;
  const std::uint32_t most = std::min(block_limits(gpu).threads, by_registers);
  return static_cast<int>(kernel.max_threads ? std::min(most, kernel.max_threads) : most);
}

std::vector<Configuration>& pending_configurations() {
  thread_local std::vector<Configuration> pending;
  return pending;
}

}  // namespace

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared_bytes, cudaStream_t stream) {
  return launch(function, {grid, block, shared_bytes, stream}, arguments);
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  if (!attributes) return answer(cudaErrorInvalidValue);
  return with_kernel(function, [&](Session& session, const heddle::ptx::Kernel& kernel) {
    const auto& gpu = session.device().spec();
    const BlockLimits limits = block_limits(gpu);
    const int version = static_cast<int>(gpu.compute_major * 10 + gpu.compute_minor);
    const std::size_t shared = shared_limit(session, function, limits);
    *attributes = {};
    attributes->sharedSizeBytes = kernel.shared_bytes;
    attributes->constSizeBytes = kernel.constant_bytes;
    attributes->localSizeBytes = kernel.local_bytes;
    attributes->maxThreadsPerBlock = most_threads(gpu, kernel);
    attributes->numRegs = static_cast<int>(kernel.registers_per_thread);
    attributes->ptxVersion = attributes->binaryVersion = version;
    attributes->maxDynamicSharedSizeBytes = static_cast<int>(shared - std::min<std::size_t>(shared, kernel.shared_bytes));
    attributes->preferredShmemCarveout = cudaSharedmemCarveoutDefault;
    return cudaSuccess;
  });
}

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  return with_kernel(function, [&](Session& session, const heddle::ptx::Kernel& kernel) {
    if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) return value >= -1 && value <= 100 ? cudaSuccess : cudaErrorInvalidValue;
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0) return cudaErrorInvalidValue;
    const std::size_t shared = kernel.shared_bytes + static_cast<std::size_t>(value);
    if (shared > block_limits(session.device().spec()).shared_bytes_opt_in) return cudaErrorInvalidValue;
    session.shared_opt_in[function] = shared;
    return cudaSuccess;
  });
}

// A machine file fixes the split between L1 and shared memory and the width of its banks.
cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache) {
  return with_kernel(function, [](Session&, const heddle::ptx::Kernel&) { return cudaSuccess; });
}
cudaError_t cudaFuncSetSharedMemConfig(const void* function, cudaSharedMemConfig) {
  return with_kernel(function, [](Session&, const heddle::ptx::Kernel&) { return cudaSuccess; });
}
cudaError_t cudaFuncGetName(const char** name, const void* function) {
  if (!name) return answer(cudaErrorInvalidValue);
  return with_kernel(function, [&](Session&, const heddle::ptx::Kernel& kernel) {
    *name = kernel.name.c_str();
    return cudaSuccess;
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int threads, size_t shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared_bytes, cudaOccupancyDefault);
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function, int threads, size_t shared_bytes, unsigned) {
  if (!blocks || threads <= 0) return answer(cudaErrorInvalidValue);
  return with_kernel(function, [&](Session& session, const heddle::ptx::Kernel& kernel) {
    *blocks = blocks_per_sm(session, kernel, threads, shared_bytes);
    return cudaSuccess;
  });
}
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* shared_bytes, const void* function, int blocks, int threads) {
  if (!shared_bytes || blocks <= 0 || threads <= 0) return answer(cudaErrorInvalidValue);
  return with_kernel(function, [&](Session& session, const heddle::ptx::Kernel& kernel) {
    const auto& gpu = session.device().spec();
    const std::size_t each = std::min<std::size_t>(gpu.sm.shared_bytes / static_cast<std::uint32_t>(blocks), block_limits(gpu).shared_bytes);
    *shared_bytes = each - std::min<std::size_t>(each, kernel.shared_bytes);
    return cudaSuccess;
  });
}

// What compilers call for kernel<<<...>>>(...). A kernel's handle is its host function's address.
cudaError_t cudaGetKernel(cudaKernel_t* handle, const void* function) {
  return api([&](Session& session) {
    if (!handle) return cudaErrorInvalidValue;
    if (!session.registry.kernels.contains(function)) return cudaErrorInvalidDeviceFunction;
    *handle = reinterpret_cast<cudaKernel_t>(const_cast<void*>(function));
    return cudaSuccess;
  });
}

#pragma GCC visibility push(default)
extern "C" {

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, cudaStream_t stream) {
  pending_configurations().push_back({grid, block, shared_bytes, stream});
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes, void* stream) {
  auto& pending = pending_configurations();
  if (pending.empty()) return answer(cudaErrorMissingConfiguration);
  const Configuration last = pending.back();
  pending.pop_back();
  *grid = last.grid;
  *block = last.block;
  *shared_bytes = last.shared_bytes;
  *static_cast<cudaStream_t*>(stream) = last.stream;
  return cudaSuccess;
}
cudaError_t __cudaGetKernel(cudaKernel_t* handle, const void* function) { return cudaGetKernel(handle, function); }
cudaError_t __cudaLaunchKernel(cudaKernel_t handle, dim3 grid, dim3 block, void** arguments, size_t shared_bytes, cudaStream_t stream) {
  return launch(handle, {grid, block, shared_bytes, stream}, arguments);
}
cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t handle, dim3 grid, dim3 block, void** arguments, size_t shared_bytes, cudaStream_t stream) {
  return launch(handle, {grid, block, shared_bytes, stream}, arguments);
}

}  // extern "C"
#pragma GCC visibility pop
