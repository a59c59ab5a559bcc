// Initialization, the device and errors. There is one device.
#include <algorithm>
#include <cstring>

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

template <class T>
CUresult give(T* where, T value) {
  if (!where) return CUDA_ERROR_INVALID_VALUE;
  *where = value;
  return CUDA_SUCCESS;
}

CUresult for_device(CUdevice device) {
  return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

}  // namespace

CUresult cuInit(unsigned) {
  return driver([] {
    return api_without_context([](Session& session) {
      session.device();
      return cudaSuccess;
    });
  });
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

CUresult cuProfilerStart() {
  return driver([] { return cudaProfilerStart(); });
}
CUresult cuProfilerStop() {
  return driver([] { return cudaProfilerStop(); });
}

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
  const char* name = nullptr;
  if (!text) return CUDA_ERROR_INVALID_VALUE;
  const CUresult known = cuGetErrorName(error, &name);
  *text = known == CUDA_SUCCESS ? cudaGetErrorString(static_cast<cudaError_t>(error)) : nullptr;
  return known;
}
