// Devices. There is one device; it is always ready.
#include <cstddef>
#include <cstring>

#include <dlfcn.h>

#include "cuda/objects/device_properties.h"
#include "cuda/process/api_call.h"

using namespace heddle::cuda;

namespace {

constexpr int kVersion = CUDART_VERSION;
constexpr const char* kBusId = "0000:01:00.0";

cudaError_t give(int* where, int value) {
  return api_without_context([&](Session&) {
    if (!where) return cudaErrorInvalidValue;
    *where = value;
    return cudaSuccess;
  });
}

bool known_limit(cudaLimit limit) {
  return limit >= cudaLimitStackSize && limit <= cudaLimitPersistingL2CacheSize;
}

// Copies the first `bytes` of the older layout.
cudaError_t give_older(void* properties, int device, std::size_t bytes) {
  return api_without_context([&](Session& session) {
    if (!properties) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    const DevicePropertiesOf12 old = older_properties(device_properties(session.device().spec()));
    std::memcpy(properties, &old, bytes);
    return cudaSuccess;
  });
}

}  // namespace

cudaError_t cudaGetDeviceCount(int* count) {
  return api_without_context([&](Session& session) {
    session.device();
    if (!count) return cudaErrorInvalidValue;
    *count = 1;
    return cudaSuccess;
  });
}
cudaError_t cudaGetDevice(int* device) { return give(device, 0); }
cudaError_t cudaSetDevice(int device) {
  return api([&](Session& session) {
    session.device();
    return device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
  });
}
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) { return give(device, 0); }
cudaError_t cudaInitDevice(int device, unsigned, unsigned) { return cudaSetDevice(device); }

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return api_without_context([&](Session& session) {
    if (!properties) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    *properties = device_properties(session.device().spec());
    return cudaSuccess;
  });
}
cudaError_t cudaGetDeviceProperties_v2(cudaDeviceProp* properties, int device) {
  return cudaGetDeviceProperties(properties, device);
}

// The layouts of CUDA 11 and 12.
#pragma GCC visibility push(default)
extern "C" {
cudaError_t heddle_cudaGetDeviceProperties_11(void* properties, int device) {
  return give_older(properties, device, offsetof(DevicePropertiesOf12, hostRegisterSupported));
}
cudaError_t heddle_cudaGetDeviceProperties_12(void* properties, int device) {
  return give_older(properties, device, sizeof(DevicePropertiesOf12));
}
}
#pragma GCC visibility pop

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return api_without_context([&](Session& session) {
    if (!value) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    const auto found = device_attribute(session.device().spec(), attribute);
    if (!found) return cudaErrorInvalidValue;
    *value = *found;
    return cudaSuccess;
  });
}

// Device memory and statistics are kept: many programs reset the device at their end.
cudaError_t cudaDeviceReset() {
  return guarded([](Session& session) {
    if (calling_thread().in_host_function) return cudaErrorNotPermitted;
    if (!session.faults().any()) session.streams.wait_for_all();
    session.synchronize();
    last_error() = cudaSuccess;
    session.streams.all.clear();
    session.streams.events.clear();
    session.launches.settings.reset();
    session.contexts.reset_primary();
    calling_thread().contexts.remove(Contexts::kPrimary);
    return cudaSuccess;
  });
}
cudaError_t cudaThreadExit() { return cudaDeviceReset(); }
cudaError_t cudaDeviceSynchronize() {
  return api([](Session& session) {
    session.device();
    const cudaError_t error = session.streams.wait_for_all();
    session.synchronize();
    return error;
  });
}
cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  return api_without_context([&](Session& session) {
    if (flags & ~unsigned{cudaDeviceMask}) return cudaErrorInvalidValue;
    session.launches.settings.flags = flags;
    return cudaSuccess;
  });
}
cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  return api_without_context([&](Session& session) {
    if (!flags) return cudaErrorInvalidValue;
    *flags = session.launches.settings.flags;
    return cudaSuccess;
  });
}

// The stack, the heap and the printf buffer are as large as requested. The simulator does not bound
// what the other limits concern.
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return api([&](Session& session) {
    if (!known_limit(limit)) return cudaErrorUnsupportedLimit;
    session.launches.settings.set_limit(limit, value);
    return cudaSuccess;
  });
}
cudaError_t cudaThreadSetLimit(cudaLimit limit, size_t value) {
  return cudaDeviceSetLimit(limit, value);
}
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  return api([&](Session& session) {
    if (!value) return cudaErrorInvalidValue;
    if (!known_limit(limit)) return cudaErrorUnsupportedLimit;
    *value = session.launches.settings.limit(limit);
    return cudaSuccess;
  });
}
cudaError_t cudaThreadGetLimit(size_t* value, cudaLimit limit) {
  return cudaDeviceGetLimit(value, limit);
}
cudaError_t cudaThreadGetCacheConfig(cudaFuncCache* config) {
  return cudaDeviceGetCacheConfig(config);
}
cudaError_t cudaSetValidDevices(int* devices, int count) {
  return answer(devices || count == 0 ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t cudaCtxResetPersistingL2Cache() { return answer(cudaSuccess); }
cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(int, int) { return answer(cudaErrorNotSupported); }
cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* status) {
  return cudaGetDriverEntryPointByVersion(symbol, function, kVersion, flags, status);
}
// The driver API is part of this library.
cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned version,
                                             unsigned long long flags,
                                             cudaDriverEntryPointQueryResult* status) {
  return api_without_context([&](Session&) {
    if (!symbol || !function) return cudaErrorInvalidValue;
    using Find = int(const char*, void**, int, unsigned long long, int*);
    auto* const find = reinterpret_cast<Find*>(::dlsym(RTLD_DEFAULT, "cuGetProcAddress_v2"));
    int found = cudaDriverEntryPointSymbolNotFound;
    *function = nullptr;
    if (find) find(symbol, function, static_cast<int>(version), flags, &found);
    if (status) *status = static_cast<cudaDriverEntryPointQueryResult>(found);
    return *function ? cudaSuccess : cudaErrorSymbolNotFound;
  });
}

// The split between L1 and shared memory and the bank width are fixed by the GPU file.
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return answer(cudaSuccess); }
cudaError_t cudaThreadSetCacheConfig(cudaFuncCache) { return answer(cudaSuccess); }
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  if (config) *config = cudaFuncCachePreferNone;
  return answer(config ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return answer(cudaSuccess); }
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  if (config) *config = cudaSharedMemBankSizeFourByte;
  return answer(config ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaDeviceGetPCIBusId(char* id, int bytes, int device) {
  return api_without_context([&](Session&) {
    if (!id || bytes <= static_cast<int>(std::strlen(kBusId))) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    std::strcpy(id, kBusId);
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* id) {
  if (!id || std::strcmp(id, kBusId) != 0) return answer(cudaErrorInvalidValue);
  return give(device, 0);
}
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  if (device != 0 || peer != 0) return answer(cudaErrorInvalidDevice);
  return give(can, 0);
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) { return answer(cudaErrorInvalidDevice); }
cudaError_t cudaDeviceDisablePeerAccess(int) { return answer(cudaErrorPeerAccessNotEnabled); }
cudaError_t cudaDeviceGetP2PAttribute(int*, cudaDeviceP2PAttr, int, int) {
  return answer(cudaErrorInvalidDevice);
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least) *least = 0;
  if (greatest) *greatest = 0;
  return answer(cudaSuccess);
}

cudaError_t cudaRuntimeGetVersion(int* version) { return give(version, kVersion); }
cudaError_t cudaDriverGetVersion(int* version) { return give(version, kVersion); }
cudaError_t cudaProfilerStart() { return answer(cudaSuccess); }
cudaError_t cudaProfilerStop() { return answer(cudaSuccess); }
