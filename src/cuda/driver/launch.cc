// Functions: launches and attributes. The handle of a function is the address of its kernel.
#include <algorithm>
#include <cstring>

#include "cuda/driver/driver.h"
#include "cuda/operations/launches.h"
#include "cuda/operations/parameters.h"

using namespace heddle::cuda;

namespace {

using heddle::isa::Kernel;

const Kernel* kernel_of(CUfunction function) { return reinterpret_cast<const Kernel*>(function); }

CUresult launch(CUfunction function, const Configuration& how, void** parameters, void** extra) {
  if (!function) return CUDA_ERROR_INVALID_HANDLE;
  return driver([&] {
    return api([&](Session& session) {
      const Kernel& kernel = *kernel_of(function);
      std::vector<std::uint8_t> block;
      if (!gather_parameters(kernel, parameters, extra, block)) return cudaErrorInvalidValue;
      return launch_kernel(session, {&kernel, function, how, std::move(block)});
    });
  });
}

Configuration configuration_of(const CUlaunchConfig& c) {
  Configuration how{{c.gridDimX, c.gridDimY, c.gridDimZ},
                    {c.blockDimX, c.blockDimY, c.blockDimZ},
                    c.sharedMemBytes,
                    c.hStream};
  read_attributes(c.attrs, c.numAttrs, how);
  return how;
}

template <class Work>
CUresult with_function(CUfunction function, Work&& work) {
  if (!function) return CUDA_ERROR_INVALID_HANDLE;
  return driver(
      [&] { return api([&](Session& session) { return work(session, *kernel_of(function)); }); });
}

}  // namespace

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                        CUstream stream, void** parameters, void** extra) {
  return launch(function,
                {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes, stream},
                parameters, extra);
}
CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y,
                                   unsigned grid_z, unsigned block_x, unsigned block_y,
                                   unsigned block_z, unsigned shared_bytes, CUstream stream,
                                   void** parameters) {
  return launch(function,
                {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes, stream, true},
                parameters, nullptr);
}
CUresult cuLaunchKernelEx(const CUlaunchConfig* c, CUfunction function, void** parameters,
                          void** extra) {
  if (!c || (c->numAttrs && !c->attrs)) return CUDA_ERROR_INVALID_VALUE;
  return launch(function, configuration_of(*c), parameters, extra);
}

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
  if (!value) return CUDA_ERROR_INVALID_VALUE;
  return with_function(function, [&](Session& session, const Kernel& kernel) {
    const auto& gpu = session.device().spec();
    switch (attribute) {
      case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = max_threads(session, kernel); break;
      case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
        *value = static_cast<int>(kernel.shared_bytes);
        break;
      case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
        *value = static_cast<int>(kernel.constant_bytes);
        break;
      case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *value = static_cast<int>(kernel.local_bytes); break;
      case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = registers_per_thread(session, kernel); break;
      case CU_FUNC_ATTRIBUTE_PTX_VERSION:
      case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
        *value = static_cast<int>(gpu.compute_major * 10 + gpu.compute_minor);
        break;
      case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        *value =
            static_cast<int>(shared_limit(session.launches.settings, function, block_limits(gpu)) -
                             kernel.shared_bytes);
        break;
      case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: *value = -1; break;
      case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
        *value = kernel.cluster != heddle::Dim3{};
        break;
      case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
        *value = kernel.cluster != heddle::Dim3{} ? static_cast<int>(kernel.cluster.x) : 0;
        break;
      case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
        *value = kernel.cluster != heddle::Dim3{} ? static_cast<int>(kernel.cluster.y) : 0;
        break;
      case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
        *value = kernel.cluster != heddle::Dim3{} ? static_cast<int>(kernel.cluster.z) : 0;
        break;
      case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
        *value = session.launches.settings.large_clusters(function);
        break;
      default: *value = 0;
    }
    return cudaSuccess;
  });
}
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  return with_function(function, [&](Session& session, const Kernel& kernel) {
    if (attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
      return allow_shared(session, kernel, function, value);
    if (attribute == CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED)
      return session.launches.settings.allow_large_clusters(function, value != 0), cudaSuccess;
    return attribute == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT ? cudaSuccess
                                                                           : cudaErrorInvalidValue;
  });
}
CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache) {
  return function ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
CUresult cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig) {
  return function ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
CUresult cuFuncGetName(const char** name, CUfunction function) {
  if (!name) return CUDA_ERROR_INVALID_VALUE;
  return with_function(function, [&](Session&, const Kernel& kernel) {
    *name = kernel.name.c_str();
    return cudaSuccess;
  });
}
CUresult cuKernelGetAttribute(int* value, CUfunction_attribute attribute, CUkernel kernel,
                              CUdevice) {
  return cuFuncGetAttribute(value, attribute, reinterpret_cast<CUfunction>(kernel));
}
CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel,
                              CUdevice) {
  return cuFuncSetAttribute(reinterpret_cast<CUfunction>(kernel), attribute, value);
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function, int threads,
                                                     size_t shared_bytes) {
  if (!blocks || threads <= 0) return CUDA_ERROR_INVALID_VALUE;
  return with_function(function, [&](Session& session, const Kernel& kernel) {
    *blocks = blocks_per_sm(session, kernel, threads, shared_bytes);
    return cudaSuccess;
  });
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, CUfunction function,
                                                              int threads, size_t shared_bytes,
                                                              unsigned) {
  return cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, shared_bytes);
}
CUresult cuOccupancyMaxActiveClusters(int* clusters, CUfunction function,
                                      const CUlaunchConfig* config) {
  if (!clusters || !config || (config->numAttrs && !config->attrs)) return CUDA_ERROR_INVALID_VALUE;
  return with_function(function, [&](Session& session, const Kernel& kernel) {
    return resident_clusters(session, {&kernel, function, configuration_of(*config), {}}, clusters);
  });
}
CUresult cuOccupancyMaxPotentialClusterSize(int* blocks, CUfunction function,
                                            const CUlaunchConfig* config) {
  if (!blocks || !config || (config->numAttrs && !config->attrs)) return CUDA_ERROR_INVALID_VALUE;
  return with_function(function, [&](Session& session, const Kernel& kernel) {
    return largest_cluster(session, {&kernel, function, configuration_of(*config), {}}, blocks);
  });
}
CUresult cuOccupancyMaxPotentialBlockSize(int* grid, int* block, CUfunction function,
                                          CUoccupancyB2DSize shared_of, size_t shared_bytes,
                                          int limit) {
  if (!grid || !block) return CUDA_ERROR_INVALID_VALUE;
  return with_function(function, [&](Session& session, const Kernel& kernel) {
    const auto& gpu = session.device().spec();
    const int most = max_threads(session, kernel);
    int resident = 0;
    for (int threads = limit > 0 ? std::min(limit, most) : most; threads > 0;
         threads = (threads - 1) / 32 * 32) {
      const int blocks =
          blocks_per_sm(session, kernel, threads, shared_of ? shared_of(threads) : shared_bytes);
      if (blocks * threads <= resident) continue;
      resident = blocks * threads;
      *block = threads;
      *grid = blocks * static_cast<int>(gpu.sms());
    }
    return resident ? cudaSuccess : cudaErrorInvalidValue;
  });
}
CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, CUfunction function,
                                                   CUoccupancyB2DSize shared_of,
                                                   size_t shared_bytes, int limit, unsigned) {
  return cuOccupancyMaxPotentialBlockSize(grid, block, function, shared_of, shared_bytes, limit);
}
CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t* shared_bytes, CUfunction function,
                                                 int blocks, int threads) {
  if (!shared_bytes || blocks <= 0 || threads <= 0) return CUDA_ERROR_INVALID_VALUE;
  return with_function(function, [&](Session& session, const Kernel& kernel) {
    *shared_bytes = available_shared_bytes(session, kernel, blocks);
    return cudaSuccess;
  });
}

namespace {

CUresult set_parameter(CUfunction function, int offset, const void* value, std::size_t bytes) {
  constexpr int most = 4096;
  if (!function || offset < 0 || offset > most || bytes > most) return CUDA_ERROR_INVALID_VALUE;
  auto& block = driver_state().old_launches[function].parameters;
  block.resize(std::max(block.size(), static_cast<std::size_t>(offset) + bytes));
  std::memcpy(block.data() + offset, value, bytes);
  return CUDA_SUCCESS;
}

}  // namespace

CUresult cuFuncSetBlockShape(CUfunction function, int x, int y, int z) {
  driver_state().old_launches[function].block =
      dim3(static_cast<unsigned>(x), static_cast<unsigned>(y), static_cast<unsigned>(z));
  return function ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
CUresult cuFuncSetSharedSize(CUfunction function, unsigned bytes) {
  driver_state().old_launches[function].shared_bytes = bytes;
  return function ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
CUresult cuParamSetSize(CUfunction function, unsigned bytes) {
  driver_state().old_launches[function].parameters.resize(bytes);
  return function ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
CUresult cuParamSeti(CUfunction function, int offset, unsigned value) {
  return set_parameter(function, offset, &value, sizeof value);
}
CUresult cuParamSetf(CUfunction function, int offset, float value) {
  return set_parameter(function, offset, &value, sizeof value);
}
CUresult cuParamSetv(CUfunction function, int offset, void* value, unsigned bytes) {
  return set_parameter(function, offset, value, bytes);
}
CUresult cuLaunchGridAsync(CUfunction function, int width, int height, CUstream stream) {
  const OldLaunch& old = driver_state().old_launches[function];
  std::size_t bytes = old.parameters.size();
  void* const block = const_cast<std::uint8_t*>(old.parameters.data());
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, block, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   CU_LAUNCH_PARAM_END};
  return launch(function,
                {{static_cast<unsigned>(width), static_cast<unsigned>(height), 1},
                 old.block,
                 old.shared_bytes,
                 stream},
                nullptr, extra);
}
CUresult cuLaunchGrid(CUfunction function, int width, int height) {
  return cuLaunchGridAsync(function, width, height, nullptr);
}
CUresult cuLaunch(CUfunction function) { return cuLaunchGridAsync(function, 1, 1, nullptr); }
