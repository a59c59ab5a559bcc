// Launches of kernels and their attributes.
#include <algorithm>
#include <cstring>
#include <vector>

#include "cuda/operations/launches.h"
#include "cuda/operations/parameters.h"

using namespace heddle::cuda;

namespace {

cudaError_t launch(const void* function, const Configuration& how, void** arguments) {
  return api([&](Session& session) {
    const heddle::isa::Kernel* const kernel = session.program().kernel(function);
    if (!kernel) return cudaErrorInvalidDeviceFunction;
    if (!kernel->parameters.empty() && !arguments) return cudaErrorInvalidValue;
    return launch_kernel(session, {kernel, function, how, pack_parameters(*kernel, arguments)});
  });
}

// Calls work(session, kernel) when the function is a kernel.
template <class Work>
cudaError_t with_kernel(const void* function, Work&& work) {
  return api([&](Session& session) {
    const heddle::isa::Kernel* const kernel = session.program().kernel(function);
    return kernel ? work(session, *kernel) : cudaErrorInvalidDeviceFunction;
  });
}

std::vector<Configuration>& pending_configurations() {
  thread_local std::vector<Configuration> pending;
  return pending;
}

Configuration configuration_of(const cudaLaunchConfig_t& config) {
  Configuration how{config.gridDim, config.blockDim, config.dynamicSmemBytes, config.stream};
  read_attributes(config.attrs, config.numAttrs, how);
  return how;
}

constexpr std::size_t kMaxArgumentBytes = 4096;
std::vector<std::uint8_t>& pending_arguments() {
  thread_local std::vector<std::uint8_t> pending;
  return pending;
}

}  // namespace

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             size_t shared_bytes, cudaStream_t stream) {
  return launch(function, {grid, block, shared_bytes, stream}, arguments);
}
cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block,
                                        void** arguments, size_t shared_bytes,
                                        cudaStream_t stream) {
  return launch(function, {grid, block, shared_bytes, stream, true}, arguments);
}
cudaError_t cudaLaunchCooperativeKernelMultiDevice(cudaLaunchParams* list, unsigned devices,
                                                   unsigned) {
  if (list && devices == 1)
    return cudaLaunchCooperativeKernel(list->func, list->gridDim, list->blockDim, list->args,
                                       list->sharedMem, list->stream);
  explain("cudaLaunchCooperativeKernelMultiDevice",
          "not supported for several devices: there is one simulated GPU");
  return answer(cudaErrorNotSupported);
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function,
                                void** arguments) {
  if (!config || (config->numAttrs && !config->attrs)) return answer(cudaErrorInvalidValue);
  return launch(function, configuration_of(*config), arguments);
}

// CUDA before 7: cudaConfigureCall, cudaSetupArgument for every argument, cudaLaunch.
cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared_bytes, cudaStream_t stream) {
  pending_configurations().push_back({grid, block, shared_bytes, stream});
  pending_arguments().clear();
  return cudaSuccess;
}
cudaError_t cudaSetupArgument(const void* argument, size_t size, size_t offset) {
  auto& bytes = pending_arguments();
  if (!argument || offset > kMaxArgumentBytes || size > kMaxArgumentBytes)
    return answer(cudaErrorInvalidValue);
  bytes.resize(std::max(bytes.size(), offset + size));
  std::memcpy(bytes.data() + offset, argument, size);
  return cudaSuccess;
}
cudaError_t cudaLaunch(const void* function) {
  if (pending_configurations().empty()) return answer(cudaErrorMissingConfiguration);
  const Configuration how = pending_configurations().back();
  pending_configurations().pop_back();
  return api([&](Session& session) {
    const heddle::isa::Kernel* const kernel = session.program().kernel(function);
    if (!kernel) return cudaErrorInvalidDeviceFunction;
    auto bytes = pending_arguments();
    bytes.resize(std::max<std::size_t>(bytes.size(), kernel->parameter_bytes));
    return launch_kernel(session, {kernel, function, how, std::move(bytes)});
  });
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  if (!attributes) return answer(cudaErrorInvalidValue);
  return with_kernel(function, [&](Session& session, const heddle::isa::Kernel& kernel) {
    const auto& gpu = session.device().spec();
    const BlockLimits limits = block_limits(gpu);
    const int version = static_cast<int>(gpu.compute_major * 10 + gpu.compute_minor);
    const std::size_t shared = shared_limit(session.launches.settings, function, limits);
    *attributes = {};
    attributes->sharedSizeBytes = kernel.shared_bytes;
    attributes->constSizeBytes = kernel.constant_bytes;
    attributes->localSizeBytes = kernel.local_bytes;
    attributes->maxThreadsPerBlock = max_threads(session, kernel);
    attributes->numRegs = registers_per_thread(session, kernel);
    attributes->binaryVersion = version;
    attributes->ptxVersion =
        session.program().target_of(kernel) > 0 ? session.program().target_of(kernel) : version;
    attributes->maxDynamicSharedSizeBytes =
        static_cast<int>(shared - std::min<std::size_t>(shared, kernel.shared_bytes));
    attributes->preferredShmemCarveout = cudaSharedmemCarveoutDefault;
    attributes->nonPortableClusterSizeAllowed = session.launches.settings.large_clusters(function);
    if (kernel.cluster != heddle::Dim3{}) {
      attributes->clusterDimMustBeSet = 1;
      attributes->requiredClusterWidth = static_cast<int>(kernel.cluster.x);
      attributes->requiredClusterHeight = static_cast<int>(kernel.cluster.y);
      attributes->requiredClusterDepth = static_cast<int>(kernel.cluster.z);
    }
    return cudaSuccess;
  });
}

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  return with_kernel(function, [&](Session& session, const heddle::isa::Kernel& kernel) {
    if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout)
      return value >= -1 && value <= 100 ? cudaSuccess : cudaErrorInvalidValue;
    if (attribute == cudaFuncAttributeNonPortableClusterSizeAllowed)
      return session.launches.settings.allow_large_clusters(function, value != 0), cudaSuccess;
    return attribute == cudaFuncAttributeMaxDynamicSharedMemorySize
               ? allow_shared(session, kernel, function, value)
               : cudaErrorInvalidValue;
  });
}

// The split between L1 and shared memory and the bank width are fixed by the GPU file.
cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache) {
  return with_kernel(function, [](Session&, const heddle::isa::Kernel&) { return cudaSuccess; });
}
cudaError_t cudaFuncSetSharedMemConfig(const void* function, cudaSharedMemConfig) {
  return with_kernel(function, [](Session&, const heddle::isa::Kernel&) { return cudaSuccess; });
}
cudaError_t cudaFuncGetName(const char** name, const void* function) {
  if (!name) return answer(cudaErrorInvalidValue);
  return with_kernel(function, [&](Session&, const heddle::isa::Kernel& kernel) {
    *name = kernel.name.c_str();
    return cudaSuccess;
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                          int threads, size_t shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads,
                                                                shared_bytes, cudaOccupancyDefault);
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks,
                                                                   const void* function,
                                                                   int threads, size_t shared_bytes,
                                                                   unsigned) {
  if (!blocks || threads <= 0) return answer(cudaErrorInvalidValue);
  return with_kernel(function, [&](Session& session, const heddle::isa::Kernel& kernel) {
    *blocks = blocks_per_sm(session, kernel, threads, shared_bytes);
    return cudaSuccess;
  });
}
cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* function,
                                           const cudaLaunchConfig_t* config) {
  if (!clusters || !config || (config->numAttrs && !config->attrs))
    return answer(cudaErrorInvalidValue);
  return with_kernel(function, [&](Session& session, const heddle::isa::Kernel& kernel) {
    return resident_clusters(session, {&kernel, function, configuration_of(*config), {}}, clusters);
  });
}
cudaError_t cudaOccupancyMaxPotentialClusterSize(int* blocks, const void* function,
                                                 const cudaLaunchConfig_t* config) {
  if (!blocks || !config || (config->numAttrs && !config->attrs))
    return answer(cudaErrorInvalidValue);
  return with_kernel(function, [&](Session& session, const heddle::isa::Kernel& kernel) {
    return largest_cluster(session, {&kernel, function, configuration_of(*config), {}}, blocks);
  });
}
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* shared_bytes, const void* function,
                                                      int blocks, int threads) {
  if (!shared_bytes || blocks <= 0 || threads <= 0) return answer(cudaErrorInvalidValue);
  return with_kernel(function, [&](Session& session, const heddle::isa::Kernel& kernel) {
    *shared_bytes = available_shared_bytes(session, kernel, blocks);
    return cudaSuccess;
  });
}

// Compilers generate these calls for kernel<<<...>>>(...). A kernel's handle is the address of its
// host function.
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

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
                                     cudaStream_t stream) {
  pending_configurations().push_back({grid, block, shared_bytes, stream});
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes,
                                       void* stream) {
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
cudaError_t __cudaGetKernel(cudaKernel_t* handle, const void* function) {
  return cudaGetKernel(handle, function);
}
cudaError_t __cudaLaunchKernel(cudaKernel_t handle, dim3 grid, dim3 block, void** arguments,
                               size_t shared_bytes, cudaStream_t stream) {
  return launch(handle, {grid, block, shared_bytes, stream}, arguments);
}

}  // extern "C"
#pragma GCC visibility pop
