// Attributes of pointers.
#include <cstring>
#include <optional>

#include "cuda/driver/driver.h"
#include "cuda/objects/handles.h"

using namespace heddle::cuda;
using heddle::exec::Allocation;

namespace {

constexpr std::uint64_t kReadAndWrite = 3;  // CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE

// Numbers and flags are int, the others are as wide as addresses.
std::size_t bytes_of_attribute(CUpointer_attribute attribute) {
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
    case CU_POINTER_ATTRIBUTE_MAPPED:
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS: return sizeof(int);
    default: return sizeof(void*);
  }
}

std::uint64_t word_of(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

// Nothing when the attribute does not exist, or the memory does not have it.
std::optional<std::uint64_t> value_of(Session& session, const cudaPointerAttributes& found,
                                      const Allocation& whole, CUpointer_attribute attribute) {
  const ContextHandle current = calling_thread().contexts.current();
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:  // all contexts share one memory
      return current ? current : Contexts::kPrimary;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      return found.type == cudaMemoryTypeHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: return word_of(found.devicePointer);
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      return found.hostPointer ? std::optional(word_of(found.hostPointer)) : std::nullopt;
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
    case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID: return whole.id;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED: return found.type == cudaMemoryTypeManaged;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR: return whole.base.value;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
    case CU_POINTER_ATTRIBUTE_MAPPING_SIZE: return whole.bytes;
    case CU_POINTER_ATTRIBUTE_MAPPED: return 1;
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS: return kReadAndWrite;
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
      return word_of(session.memory.pools.pool_of(found.devicePointer));
    // There is one device, nothing is shared with other processes, and copies are complete when
    // their call returns.
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES: return 0;
    default: return std::nullopt;
  }
}

}  // namespace

CUresult cuPointerGetAttribute(void* data, CUpointer_attribute attribute, CUdeviceptr address) {
  if (!data) return CUDA_ERROR_INVALID_VALUE;
  cudaPointerAttributes found;
  const CUresult result =
      driver([&] { return cudaPointerGetAttributes(&found, pointer(address)); });
  if (result != CUDA_SUCCESS) return result;
  return driver([&] {
    return api([&](Session& session) {
      const auto& memory = session.device().memory();
      const Allocation* const whole =
          memory.find(memory.allocations().on_device(device_address(found.devicePointer)));
      if (found.type == cudaMemoryTypeUnregistered || !whole) return cudaErrorInvalidValue;
      const auto value = value_of(session, found, *whole, attribute);
      if (!value) return cudaErrorInvalidValue;
      std::memcpy(data, &*value, bytes_of_attribute(attribute));
      return cudaSuccess;
    });
  });
}

// Attributes that the memory does not have are 0, as in CUDA.
CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute* attributes, void** data,
                                CUdeviceptr address) {
  if (count == 0 || !attributes || !data) return CUDA_ERROR_INVALID_VALUE;
  for (unsigned i = 0; i < count; ++i) {
    if (!data[i]) return CUDA_ERROR_INVALID_VALUE;
    std::memset(data[i], 0, bytes_of_attribute(attributes[i]));
    if (const CUresult result = cuPointerGetAttribute(data[i], attributes[i], address);
        result != CUDA_SUCCESS && result != CUDA_ERROR_INVALID_VALUE)
      return result;
  }
  return CUDA_SUCCESS;
}

CUresult cuPointerSetAttribute(const void* value, CUpointer_attribute attribute, CUdeviceptr) {
  return driver([&] {
    return answer(!value                                          ? cudaErrorInvalidValue
                  : attribute == CU_POINTER_ATTRIBUTE_SYNC_MEMOPS ? cudaSuccess
                                                                  : cudaErrorNotSupported);
  });
}
