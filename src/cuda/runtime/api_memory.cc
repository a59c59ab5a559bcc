// Allocation of device and host memory, and questions about pointers.
#include <cstdlib>
#include <limits>

#include <fmt/format.h>

#include "cuda/runtime/transfers.h"

using namespace heddle::cuda;

namespace {

constexpr std::size_t kPitchAlign = 512;  // bytes; rows of cudaMallocPitch start at multiples
constexpr std::size_t kPageBytes = 4096;

cudaError_t allocate(Session& session, void** pointer, std::size_t bytes, const char* call) {
  if (!pointer) return cudaErrorInvalidValue;
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  auto& memory = session.device().memory();
  if (bytes > memory.capacity_bytes()) return cudaErrorMemoryAllocation;
  const heddle::Address address = memory.allocate(bytes, fmt::format("{} #{}", call, ++session.allocations));
  if (address == heddle::Address{0}) return cudaErrorMemoryAllocation;
  *pointer = device_pointer(address);
  return cudaSuccess;
}

cudaError_t allocate_rows(Session& session, void** pointer, std::size_t* pitch, std::size_t width, std::size_t rows, const char* call) {
  if (!pitch || width > std::numeric_limits<std::size_t>::max() - kPitchAlign) return cudaErrorInvalidValue;
  *pitch = (width + kPitchAlign - 1) / kPitchAlign * kPitchAlign;
  if (rows && *pitch > std::numeric_limits<std::size_t>::max() / rows) return cudaErrorMemoryAllocation;
  return allocate(session, pointer, *pitch * rows, call);
}

cudaError_t release(const char* call, void* pointer) {
  return api([&](Session& session) {
    if (!pointer) {
      session.device();
      return cudaSuccess;
    }
    auto& memory = session.device().memory();
    const heddle::Address address = device_address(pointer);
    if (memory.free(address)) return cudaSuccess;
    explain(call, fmt::format("{:#x} is not the start of an allocation: {}", address.value, memory.describe(address)));
    return cudaErrorInvalidValue;
  });
}

cudaError_t allocate_host(void** pointer, std::size_t bytes) {
  return api([&](Session& session) {
    session.device();
    if (!pointer) return cudaErrorInvalidValue;
    *pointer = nullptr;
    if (bytes == 0) return cudaSuccess;
    if (bytes > std::numeric_limits<std::size_t>::max() - kPageBytes) return cudaErrorMemoryAllocation;
    void* const block = std::aligned_alloc(kPageBytes, (bytes + kPageBytes - 1) / kPageBytes * kPageBytes);
    if (!block) return cudaErrorMemoryAllocation;
    session.host_blocks[block] = bytes;
    *pointer = block;
    return cudaSuccess;
  });
}

[[noreturn]] void refuse(const std::string& what) {
  throw heddle::UserError(what + " is not supported: kernels of a simulated GPU cannot reach the program's own memory; use cudaMalloc and cudaMemcpy");
}

bool in_host_block(const Session& session, const void* pointer) {
  const auto after = session.host_blocks.upper_bound(pointer);
  if (after == session.host_blocks.begin()) return false;
  const auto& [base, bytes] = *std::prev(after);
  return static_cast<const char*>(pointer) < static_cast<const char*>(base) + bytes;
}

}  // namespace

cudaError_t cudaMalloc(void** pointer, size_t size) {
  return api([&](Session& session) { return allocate(session, pointer, size, "cudaMalloc"); });
}
cudaError_t cudaMallocAsync(void** pointer, size_t size, cudaStream_t) {
  return api([&](Session& session) { return allocate(session, pointer, size, "cudaMallocAsync"); });
}
cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  return api([&](Session& session) { return allocate_rows(session, pointer, pitch, width, height, "cudaMallocPitch"); });
}
cudaError_t cudaMalloc3D(cudaPitchedPtr* pitched, cudaExtent extent) {
  return api([&](Session& session) {
    if (!pitched) return cudaErrorInvalidValue;
    *pitched = {nullptr, 0, extent.width, extent.height};
    if (extent.depth && extent.height > std::numeric_limits<std::size_t>::max() / extent.depth) return cudaErrorMemoryAllocation;
    return allocate_rows(session, &pitched->ptr, &pitched->pitch, extent.width, extent.height * extent.depth, "cudaMalloc3D");
  });
}
cudaError_t cudaMallocManaged(void**, size_t, unsigned) {
  return api([](Session&) -> cudaError_t { refuse("cudaMallocManaged"); });
}
cudaError_t cudaFree(void* pointer) { return release("cudaFree", pointer); }
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t) { return release("cudaFreeAsync", pointer); }

cudaError_t cudaMallocHost(void** pointer, size_t size) { return allocate_host(pointer, size); }
cudaError_t cudaHostAlloc(void** pointer, size_t size, unsigned) { return allocate_host(pointer, size); }
cudaError_t cudaFreeHost(void* pointer) {
  return api([&](Session& session) {
    if (!pointer) return cudaSuccess;
    if (session.host_blocks.erase(pointer) == 0) return cudaErrorInvalidValue;
    std::free(pointer);
    return cudaSuccess;
  });
}
// Page-locking changes only the speed of copies, which are not timed.
cudaError_t cudaHostRegister(void* pointer, size_t size, unsigned) { return answer(pointer && size ? cudaSuccess : cudaErrorInvalidValue); }
cudaError_t cudaHostUnregister(void* pointer) { return answer(pointer ? cudaSuccess : cudaErrorInvalidValue); }
cudaError_t cudaHostGetDevicePointer(void**, void*, unsigned) {
  return api([](Session&) -> cudaError_t { refuse("cudaHostGetDevicePointer"); });
}
cudaError_t cudaHostGetFlags(unsigned* flags, void* pointer) {
  return api([&](Session& session) {
    if (!flags || !in_host_block(session, pointer)) return cudaErrorInvalidValue;
    *flags = cudaHostAllocDefault;
    return cudaSuccess;
  });
}

cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  return api([&](Session& session) {
    if (!free_bytes || !total_bytes) return cudaErrorInvalidValue;
    const auto& memory = session.device().memory();
    *total_bytes = memory.capacity_bytes();
    *free_bytes = memory.capacity_bytes() - memory.used_bytes();
    return cudaSuccess;
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return api([&](Session& session) {
    if (!attributes) return cudaErrorInvalidValue;
    *attributes = {};
    void* const given = const_cast<void*>(pointer);
    if (session.device().memory().find(device_address(pointer))) {
      attributes->type = cudaMemoryTypeDevice;
      attributes->devicePointer = given;
    } else {
      const bool locked = in_host_block(session, pointer);
      attributes->type = locked ? cudaMemoryTypeHost : cudaMemoryTypeUnregistered;
      attributes->device = locked ? 0 : cudaInvalidDeviceId;
      attributes->hostPointer = given;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaMemPrefetchAsync(const void*, size_t, cudaMemLocation, unsigned, cudaStream_t) {
  return api([](Session&) -> cudaError_t { refuse("cudaMemPrefetchAsync"); });
}
cudaError_t cudaMemAdvise(const void*, size_t, cudaMemoryAdvise, cudaMemLocation) {
  return api([](Session&) -> cudaError_t { refuse("cudaMemAdvise"); });
}
cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void*, size_t, unsigned) {
  return api([](Session&) -> cudaError_t { refuse("cudaStreamAttachMemAsync"); });
}
