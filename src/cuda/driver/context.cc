// Initialization, the device, contexts and errors. There is one device; all contexts refer to it.
#include <algorithm>
#include <cstring>
#include <string_view>

#include <dlfcn.h>

#include "cuda/driver/driver.h"
#include "cuda/objects/device_properties.h"

namespace heddle::cuda {

DriverState& driver_state() {
  auto& state = Session::get().driver;
  if (!state) state = std::make_shared<DriverState>();
  return *state;
}

CUresult result_of(cudaError_t error) {
  switch (error) {
    case cudaErrorInvalidConfiguration:
    case cudaErrorInvalidPitchValue:
    case cudaErrorInvalidMemcpyDirection:
    case cudaErrorInvalidChannelDescriptor:
    case cudaErrorInvalidFilterSetting:
    case cudaErrorInvalidNormSetting: return CUDA_ERROR_INVALID_VALUE;
    case cudaErrorInvalidSymbol:
    case cudaErrorInvalidTexture: return CUDA_ERROR_NOT_FOUND;
    case cudaErrorInvalidDeviceFunction: return CUDA_ERROR_INVALID_HANDLE;
    default: return static_cast<CUresult>(error);
  }
}

}  // namespace heddle::cuda

using namespace heddle::cuda;

namespace {

constexpr std::uintptr_t kPrimary = 0x100;  // the primary context's handle

std::vector<CUcontext>& stack() {
  thread_local std::vector<CUcontext> contexts;
  return contexts;
}

CUcontext primary() { return reinterpret_cast<CUcontext>(kPrimary); }

template <class T>
CUresult give(T* where, T value) {
  if (!where) return CUDA_ERROR_INVALID_VALUE;
  *where = value;
  return CUDA_SUCCESS;
}

CUresult for_device(CUdevice device) {
  return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult create_context(CUcontext* context, CUdevice device) {
  if (!context || device != 0)
    return context ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_VALUE;
  return driver([&] {
    return api([&](Session& session) {
      session.device();
      *context = reinterpret_cast<CUcontext>(session.new_handle());
      stack().push_back(*context);
      return cudaSuccess;
    });
  });
}

}  // namespace

CUresult cuInit(unsigned) {
  return driver([] { return cudaSetDevice(0); });
}
CUresult cuDriverGetVersion(int* version) { return give(version, CUDA_VERSION); }
CUresult cuDeviceGetCount(int* count) { return give(count, 1); }
CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  return ordinal == 0 ? give(device, 0) : CUDA_ERROR_INVALID_DEVICE;
}
CUresult cuDeviceGetName(char* name, int bytes, CUdevice device) {
  cudaDeviceProp properties;
  if (!name || bytes <= 0) return CUDA_ERROR_INVALID_VALUE;
  const CUresult result = driver([&] { return cudaGetDeviceProperties(&properties, device); });
  if (result != CUDA_SUCCESS) return result;
  const std::size_t length =
      std::min(static_cast<std::size_t>(bytes) - 1, std::strlen(properties.name));
  std::memcpy(name, properties.name, length);
  name[length] = 0;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
  cudaDeviceProp properties;
  const CUresult result = driver([&] { return cudaGetDeviceProperties(&properties, device); });
  return result == CUDA_SUCCESS ? give(uuid, properties.uuid) : result;
}
CUresult cuDeviceTotalMem(size_t* bytes, CUdevice device) {
  cudaDeviceProp properties;
  const CUresult result = driver([&] { return cudaGetDeviceProperties(&properties, device); });
  return result == CUDA_SUCCESS ? give(bytes, properties.totalGlobalMem) : result;
}
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  return driver([&] {
    return cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device);
  });
}
CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  const CUresult result =
      cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
  return result == CUDA_SUCCESS
             ? cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device)
             : result;
}
CUresult cuDeviceGetProperties(CUdevprop* old, CUdevice device) {
  cudaDeviceProp p;
  if (!old) return CUDA_ERROR_INVALID_VALUE;
  const CUresult result = driver([&] { return cudaGetDeviceProperties(&p, device); });
  if (result != CUDA_SUCCESS) return result;
  *old = {p.maxThreadsPerBlock,
          {p.maxThreadsDim[0], p.maxThreadsDim[1], p.maxThreadsDim[2]},
          {p.maxGridSize[0], p.maxGridSize[1], p.maxGridSize[2]},
          static_cast<int>(p.sharedMemPerBlock),
          static_cast<int>(p.totalConstMem),
          p.warpSize,
          static_cast<int>(p.memPitch),
          p.regsPerBlock,
          p.clockRate,
          static_cast<int>(p.textureAlignment)};
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetPCIBusId(char* id, int bytes, CUdevice device) {
  return driver([&] { return cudaDeviceGetPCIBusId(id, bytes, device); });
}
CUresult cuDeviceGetByPCIBusId(CUdevice* device, const char* id) {
  return driver([&] { return cudaDeviceGetByPCIBusId(device, id); });
}
CUresult cuDeviceGetExecAffinitySupport(int* support, CUexecAffinityType, CUdevice device) {
  const CUresult result = for_device(device);
  return result == CUDA_SUCCESS ? give(support, 0) : result;
}
CUresult cuDeviceGetP2PAttribute(int* value, CUdevice_P2PAttribute attribute, CUdevice from,
                                 CUdevice to) {
  return driver([&] {
    return cudaDeviceGetP2PAttribute(value, static_cast<cudaDeviceP2PAttr>(attribute), from, to);
  });
}
CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer) {
  return driver([&] { return cudaDeviceCanAccessPeer(can, device, peer); });
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  const CUresult result = device == 0 ? cuInit(0) : CUDA_ERROR_INVALID_DEVICE;
  return result == CUDA_SUCCESS ? give(context, primary()) : result;
}
CUresult cuDevicePrimaryCtxRelease(CUdevice device) { return for_device(device); }
CUresult cuDevicePrimaryCtxReset(CUdevice device) { return for_device(device); }
CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned) { return for_device(device); }
CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active) {
  if (flags) *flags = 0;
  if (active) *active = 1;
  return for_device(device);
}
CUresult cuCtxCreate(CUcontext* context, unsigned, CUdevice device) {
  return create_context(context, device);
}
CUresult cuCtxCreate_v3(CUcontext* context, void*, int, unsigned, CUdevice device) {
  return create_context(context, device);
}
CUresult cuCtxCreate_v4(CUcontext* context, void*, unsigned, CUdevice device) {
  return create_context(context, device);
}
CUresult cuCtxDestroy(CUcontext context) {
  std::erase(stack(), context);
  return context ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}
CUresult cuCtxDetach(CUcontext context) { return cuCtxDestroy(context); }
CUresult cuCtxAttach(CUcontext* context, unsigned) { return cuCtxGetCurrent(context); }
CUresult cuCtxPushCurrent(CUcontext context) {
  if (!context) return CUDA_ERROR_INVALID_CONTEXT;
  stack().push_back(context);
  return CUDA_SUCCESS;
}
CUresult cuCtxPopCurrent(CUcontext* context) {
  if (stack().empty()) return CUDA_ERROR_INVALID_CONTEXT;
  if (context) *context = stack().back();
  stack().pop_back();
  return CUDA_SUCCESS;
}
CUresult cuCtxSetCurrent(CUcontext context) {
  if (!stack().empty()) stack().pop_back();
  if (context) stack().push_back(context);
  return CUDA_SUCCESS;
}
CUresult cuCtxGetCurrent(CUcontext* context) {
  return give(context, stack().empty() ? nullptr : stack().back());
}
CUresult cuCtxGetDevice(CUdevice* device) { return give(device, 0); }
CUresult cuCtxGetFlags(unsigned* flags) { return give(flags, 0u); }
CUresult cuCtxSetFlags(unsigned flags) {
  return driver([&] { return cudaSetDeviceFlags(flags); });
}
CUresult cuCtxGetId(CUcontext context, unsigned long long* id) {
  return give(id, static_cast<unsigned long long>(reinterpret_cast<std::uintptr_t>(context)));
}
CUresult cuCtxGetApiVersion(CUcontext, unsigned* version) { return give(version, 3020u); }
CUresult cuCtxSynchronize() {
  return driver([] { return cudaDeviceSynchronize(); });
}
CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  return driver([&] { return cudaDeviceSetLimit(static_cast<cudaLimit>(limit), value); });
}
CUresult cuCtxGetLimit(size_t* value, CUlimit limit) {
  return driver([&] { return cudaDeviceGetLimit(value, static_cast<cudaLimit>(limit)); });
}
CUresult cuCtxSetCacheConfig(CUfunc_cache) { return CUDA_SUCCESS; }
CUresult cuCtxGetCacheConfig(CUfunc_cache* config) {
  return give(config, CU_FUNC_CACHE_PREFER_NONE);
}
CUresult cuCtxSetSharedMemConfig(CUsharedconfig) { return CUDA_SUCCESS; }
CUresult cuCtxGetSharedMemConfig(CUsharedconfig* config) {
  return give(config, CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE);
}
CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return driver([&] { return cudaDeviceGetStreamPriorityRange(least, greatest); });
}
CUresult cuCtxEnablePeerAccess(CUcontext, unsigned) { return CUDA_ERROR_PEER_ACCESS_UNSUPPORTED; }
CUresult cuCtxDisablePeerAccess(CUcontext) { return CUDA_ERROR_PEER_ACCESS_NOT_ENABLED; }
CUresult cuProfilerStart() { return CUDA_SUCCESS; }
CUresult cuProfilerStop() { return CUDA_SUCCESS; }

namespace {

struct ErrorName {
  CUresult code;
  const char* name;
};
#define HEDDLE_ERROR(code) \
  ErrorName { code, #code }
constexpr ErrorName kNames[] = {
    HEDDLE_ERROR(CUDA_SUCCESS),
    HEDDLE_ERROR(CUDA_ERROR_INVALID_VALUE),
    HEDDLE_ERROR(CUDA_ERROR_OUT_OF_MEMORY),
    HEDDLE_ERROR(CUDA_ERROR_NOT_INITIALIZED),
    HEDDLE_ERROR(CUDA_ERROR_DEINITIALIZED),
    HEDDLE_ERROR(CUDA_ERROR_PROFILER_DISABLED),
    HEDDLE_ERROR(CUDA_ERROR_PROFILER_NOT_INITIALIZED),
    HEDDLE_ERROR(CUDA_ERROR_PROFILER_ALREADY_STARTED),
    HEDDLE_ERROR(CUDA_ERROR_PROFILER_ALREADY_STOPPED),
    HEDDLE_ERROR(CUDA_ERROR_STUB_LIBRARY),
    HEDDLE_ERROR(CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER),
    HEDDLE_ERROR(CUDA_ERROR_DEVICE_UNAVAILABLE),
    HEDDLE_ERROR(CUDA_ERROR_NO_DEVICE),
    HEDDLE_ERROR(CUDA_ERROR_INVALID_DEVICE),
    HEDDLE_ERROR(CUDA_ERROR_DEVICE_NOT_LICENSED),
    HEDDLE_ERROR(CUDA_ERROR_INVALID_IMAGE),
    HEDDLE_ERROR(CUDA_ERROR_INVALID_CONTEXT),
    HEDDLE_ERROR(CUDA_ERROR_CONTEXT_ALREADY_CURRENT),
    HEDDLE_ERROR(CUDA_ERROR_MAP_FAILED),
    HEDDLE_ERROR(CUDA_ERROR_UNMAP_FAILED),
    HEDDLE_ERROR(CUDA_ERROR_ARRAY_IS_MAPPED),
    HEDDLE_ERROR(CUDA_ERROR_ALREADY_MAPPED),
    HEDDLE_ERROR(CUDA_ERROR_NO_BINARY_FOR_GPU),
    HEDDLE_ERROR(CUDA_ERROR_ALREADY_ACQUIRED),
    HEDDLE_ERROR(CUDA_ERROR_NOT_MAPPED),
    HEDDLE_ERROR(CUDA_ERROR_NOT_MAPPED_AS_ARRAY),
    HEDDLE_ERROR(CUDA_ERROR_NOT_MAPPED_AS_POINTER),
    HEDDLE_ERROR(CUDA_ERROR_ECC_UNCORRECTABLE),
    HEDDLE_ERROR(CUDA_ERROR_UNSUPPORTED_LIMIT),
    HEDDLE_ERROR(CUDA_ERROR_CONTEXT_ALREADY_IN_USE),
    HEDDLE_ERROR(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED),
    HEDDLE_ERROR(CUDA_ERROR_INVALID_PTX),
    HEDDLE_ERROR(CUDA_ERROR_INVALID_GRAPHICS_CONTEXT),
    HEDDLE_ERROR(CUDA_ERROR_NVLINK_UNCORRECTABLE),
    HEDDLE_ERROR(CUDA_ERROR_JIT_COMPILER_NOT_FOUND),
    HEDDLE_ERROR(CUDA_ERROR_UNSUPPORTED_PTX_VERSION),
    HEDDLE_ERROR(CUDA_ERROR_JIT_COMPILATION_DISABLED),
    HEDDLE_ERROR(CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY),
    HEDDLE_ERROR(CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC),
    HEDDLE_ERROR(CUDA_ERROR_CONTAINED),
    HEDDLE_ERROR(CUDA_ERROR_INVALID_SOURCE),
    HEDDLE_ERROR(CUDA_ERROR_FILE_NOT_FOUND),
    HEDDLE_ERROR(CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND),
    HEDDLE_ERROR(CUDA_ERROR_SHARED_OBJECT_INIT_FAILED),
    HEDDLE_ERROR(CUDA_ERROR_OPERATING_SYSTEM),
    HEDDLE_ERROR(CUDA_ERROR_INVALID_HANDLE),
    HEDDLE_ERROR(CUDA_ERROR_ILLEGAL_STATE),
    HEDDLE_ERROR(CUDA_ERROR_LOSSY_QUERY),
    HEDDLE_ERROR(CUDA_ERROR_NOT_FOUND),
    HEDDLE_ERROR(CUDA_ERROR_NOT_READY),
    HEDDLE_ERROR(CUDA_ERROR_ILLEGAL_ADDRESS),
    HEDDLE_ERROR(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES),
    HEDDLE_ERROR(CUDA_ERROR_LAUNCH_TIMEOUT),
    HEDDLE_ERROR(CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING),
    HEDDLE_ERROR(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED),
    HEDDLE_ERROR(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED),
    HEDDLE_ERROR(CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE),
    HEDDLE_ERROR(CUDA_ERROR_CONTEXT_IS_DESTROYED),
    HEDDLE_ERROR(CUDA_ERROR_ASSERT),
    HEDDLE_ERROR(CUDA_ERROR_TOO_MANY_PEERS),
    HEDDLE_ERROR(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED),
    HEDDLE_ERROR(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED),
    HEDDLE_ERROR(CUDA_ERROR_HARDWARE_STACK_ERROR),
    HEDDLE_ERROR(CUDA_ERROR_ILLEGAL_INSTRUCTION),
    HEDDLE_ERROR(CUDA_ERROR_MISALIGNED_ADDRESS),
    HEDDLE_ERROR(CUDA_ERROR_INVALID_ADDRESS_SPACE),
    HEDDLE_ERROR(CUDA_ERROR_INVALID_PC),
    HEDDLE_ERROR(CUDA_ERROR_LAUNCH_FAILED),
    HEDDLE_ERROR(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE),
    HEDDLE_ERROR(CUDA_ERROR_TENSOR_MEMORY_LEAK),
    HEDDLE_ERROR(CUDA_ERROR_NOT_PERMITTED),
    HEDDLE_ERROR(CUDA_ERROR_NOT_SUPPORTED),
    HEDDLE_ERROR(CUDA_ERROR_SYSTEM_NOT_READY),
    HEDDLE_ERROR(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH),
    HEDDLE_ERROR(CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE),
    HEDDLE_ERROR(CUDA_ERROR_MPS_CONNECTION_FAILED),
    HEDDLE_ERROR(CUDA_ERROR_MPS_RPC_FAILURE),
    HEDDLE_ERROR(CUDA_ERROR_MPS_SERVER_NOT_READY),
    HEDDLE_ERROR(CUDA_ERROR_MPS_MAX_CLIENTS_REACHED),
    HEDDLE_ERROR(CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED),
    HEDDLE_ERROR(CUDA_ERROR_MPS_CLIENT_TERMINATED),
    HEDDLE_ERROR(CUDA_ERROR_CDP_NOT_SUPPORTED),
    HEDDLE_ERROR(CUDA_ERROR_CDP_VERSION_MISMATCH),
    HEDDLE_ERROR(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED),
    HEDDLE_ERROR(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED),
    HEDDLE_ERROR(CUDA_ERROR_STREAM_CAPTURE_MERGE),
    HEDDLE_ERROR(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED),
    HEDDLE_ERROR(CUDA_ERROR_STREAM_CAPTURE_UNJOINED),
    HEDDLE_ERROR(CUDA_ERROR_STREAM_CAPTURE_ISOLATION),
    HEDDLE_ERROR(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT),
    HEDDLE_ERROR(CUDA_ERROR_CAPTURED_EVENT),
    HEDDLE_ERROR(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD),
    HEDDLE_ERROR(CUDA_ERROR_TIMEOUT),
    HEDDLE_ERROR(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE),
    HEDDLE_ERROR(CUDA_ERROR_EXTERNAL_DEVICE),
    HEDDLE_ERROR(CUDA_ERROR_INVALID_CLUSTER_SIZE),
    HEDDLE_ERROR(CUDA_ERROR_FUNCTION_NOT_LOADED),
    HEDDLE_ERROR(CUDA_ERROR_INVALID_RESOURCE_TYPE),
    HEDDLE_ERROR(CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION),
    HEDDLE_ERROR(CUDA_ERROR_KEY_ROTATION),
    HEDDLE_ERROR(CUDA_ERROR_UNKNOWN),
};
#undef HEDDLE_ERROR

}  // namespace

CUresult cuGetErrorName(CUresult error, const char** name) {
  if (!name) return CUDA_ERROR_INVALID_VALUE;
  const auto* const found = std::find_if(std::begin(kNames), std::end(kNames),
                                         [&](const ErrorName& e) { return e.code == error; });
  *name = found == std::end(kNames) ? nullptr : found->name;
  return *name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuGetErrorString(CUresult error, const char** text) {
  if (!text) return CUDA_ERROR_INVALID_VALUE;
  *text = cudaGetErrorString(static_cast<cudaError_t>(error));
  return CUDA_SUCCESS;
}

// Finds the call by name in this library. If its signature has changed, by the requested version.
CUresult cuGetProcAddress_v2(const char* symbol, void** function, int version, cuuint64_t,
                             CUdriverProcAddressQueryResult* status) {
  if (!symbol || !function) return CUDA_ERROR_INVALID_VALUE;
  Dl_info self{};
  ::dladdr(reinterpret_cast<const void*>(&cuInit), &self);
  void* const library = ::dlopen(self.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  const bool newer = version >= 13000 && std::string_view(symbol) == "cuCtxCreate";
  *function = ::dlsym(library ? library : RTLD_DEFAULT, newer ? "cuCtxCreate_v4" : symbol);
  if (library) ::dlclose(library);
  if (status)
    *status = *function ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
#undef cuGetProcAddress  // up to CUDA 11
CUresult cuGetProcAddress(const char* symbol, void** function, int version, cuuint64_t flags) {
  return cuGetProcAddress_v2(symbol, function, version, flags, nullptr);
}
