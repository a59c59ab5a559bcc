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
CUresult cuDeviceGetExecAffinitySupport(int* support, CUexecAffinityType, CUdevice device) {
  const CUresult result = for_device(device);
  return result == CUDA_SUCCESS ? give(support, 0) : result;
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
constexpr ErrorName kNames[] = {
#define HEDDLE_ERROR(code) ErrorName{code, #code},
#include "cuda/driver/errors.inc"
#undef HEDDLE_ERROR
};

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
