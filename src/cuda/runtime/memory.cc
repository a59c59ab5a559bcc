// Allocation of device and host memory, and questions about pointers.
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "cuda/objects/streams.h"
#include "cuda/objects/transfers.h"
#include "exec/check/checker.h"

using namespace heddle::cuda;

namespace heddle::cuda {

cudaError_t allocate_device(Session& session, void** pointer, std::size_t bytes, const char* call) {
  if (!pointer) return cudaErrorInvalidValue;
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  auto& memory = session.device().memory();
  if (bytes > memory.capacity_bytes()) return cudaErrorMemoryAllocation;
  const Address address =
      memory.allocate(bytes, fmt::format("{} #{}", call, ++session.allocations));
  if (address == Address{0}) return cudaErrorMemoryAllocation;
  if (auto* const checker = session.device().checker()) checker->allocated(address, bytes);
  *pointer = device_pointer(address);
  return cudaSuccess;
}

}  // namespace heddle::cuda

namespace {

constexpr std::size_t kPitchAlign = 512;  // bytes; rows of cudaMallocPitch start at multiples

cudaError_t allocate_rows(Session& session, void** pointer, std::size_t* pitch, std::size_t width,
                          std::size_t rows, const char* call) {
  if (!pitch || width > std::numeric_limits<std::size_t>::max() - kPitchAlign)
    return cudaErrorInvalidValue;
  *pitch = (width + kPitchAlign - 1) / kPitchAlign * kPitchAlign;
  if (rows && *pitch > std::numeric_limits<std::size_t>::max() / rows)
    return cudaErrorMemoryAllocation;
  return allocate_device(session, pointer, *pitch * rows, call);
}

// Memory at one address on both sides: the host and kernels read and write the same pages.
cudaError_t allocate_shared(Session& session, void** pointer, std::size_t bytes,
                            HostBlock::Kind kind, unsigned flags, const char* call) {
  auto& memory = session.device().memory();
  if (!pointer) return cudaErrorInvalidValue;
  *pointer = nullptr;
  if (bytes == 0) return kind == HostBlock::Kind::managed ? cudaErrorInvalidValue : cudaSuccess;
  const heddle::Address address =
      memory.allocate_shared(bytes, fmt::format("{} #{}", call, ++session.allocations));
  if (address == heddle::Address{0}) return cudaErrorMemoryAllocation;
  session.host_blocks[address.value] = {bytes, kind, flags, address};
  session.hints.forget(address.value, bytes);
  *pointer = device_pointer(address);
  return cudaSuccess;
}

cudaError_t free_device(Session& session, const char* call, void* pointer) {
  auto& memory = session.device().memory();
  if (!pointer) return cudaSuccess;
  if (const auto of_graph = session.graphs.memory.find(pointer)) {
    if (session.graphs.memory.give(of_graph)) return cudaSuccess;
    explain(call, fmt::format(
                      "{:#x} is memory of a graph that no launch has allocated since it was freed",
                      device_address(pointer).value));
    return cudaErrorInvalidValue;
  }
  const heddle::Address address = device_address(pointer);
  const auto block = session.host_blocks.find(address.value);
  const bool managed =
      block != session.host_blocks.end() && block->second.kind == HostBlock::Kind::managed;
  const auto* const allocation = memory.find(address);
  if ((managed || !allocation || !allocation->shared_with_host) && memory.free(address)) {
    if (managed) session.host_blocks.erase(block);
    session.pools.freed(pointer);
    return cudaSuccess;
  }
  explain(call, fmt::format("{:#x} is not the start of an allocation: {}", address.value,
                            memory.describe(address)));
  return cudaErrorInvalidValue;
}

cudaError_t release(const char* call, void* pointer, cudaStream_t stream = nullptr) {
  return api([&](Session& session) {
    return capture_of(session, stream) && pointer ? capture_free(session, stream, pointer)
                                                  : free_device(session, call, pointer);
  });
}

cudaError_t allocate_host(void** pointer, std::size_t bytes, unsigned flags, const char* call) {
  return api([&](Session& session) {
    return allocate_shared(session, pointer, bytes, HostBlock::Kind::page_locked, flags, call);
  });
}

}  // namespace

cudaError_t cudaMalloc(void** pointer, size_t size) {
  return api(
      [&](Session& session) { return allocate_device(session, pointer, size, "cudaMalloc"); });
}
cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  return api([&](Session& session) {
    return allocate_rows(session, pointer, pitch, width, height, "cudaMallocPitch");
  });
}
cudaError_t cudaMalloc3D(cudaPitchedPtr* pitched, cudaExtent extent) {
  return api([&](Session& session) {
    if (!pitched) return cudaErrorInvalidValue;
    *pitched = {nullptr, 0, extent.width, extent.height};
    if (extent.depth && extent.height > std::numeric_limits<std::size_t>::max() / extent.depth)
      return cudaErrorMemoryAllocation;
    return allocate_rows(session, &pitched->ptr, &pitched->pitch, extent.width,
                         extent.height * extent.depth, "cudaMalloc3D");
  });
}
cudaError_t cudaMallocManaged(void** pointer, size_t size, unsigned flags) {
  if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)
    return answer(cudaErrorInvalidValue);
  return api([&](Session& session) {
    return allocate_shared(session, pointer, size, HostBlock::Kind::managed, flags,
                           "cudaMallocManaged");
  });
}
cudaError_t cudaFree(void* pointer) { return release("cudaFree", pointer); }
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return release("cudaFreeAsync", pointer, stream);
}

cudaError_t cudaMallocHost(void** pointer, size_t size) {
  return allocate_host(pointer, size, cudaHostAllocDefault, "cudaMallocHost");
}
cudaError_t cudaHostAlloc(void** pointer, size_t size, unsigned flags) {
  return allocate_host(pointer, size, flags, "cudaHostAlloc");
}
cudaError_t cudaFreeHost(void* pointer) {
  return api([&](Session& session) {
    if (!pointer) return cudaSuccess;
    const auto block = session.host_blocks.find(device_address(pointer).value);
    if (block == session.host_blocks.end() || block->second.kind != HostBlock::Kind::page_locked)
      return cudaErrorInvalidValue;
    session.device().memory().free(device_address(pointer));
    session.host_blocks.erase(block);
    return cudaSuccess;
  });
}
cudaError_t cudaHostRegister(void* pointer, size_t size, unsigned flags) {
  return api([&](Session& session) {
    if (!pointer || size == 0) return cudaErrorInvalidValue;
    if (session.host_block(pointer)) return cudaErrorHostMemoryAlreadyRegistered;
    const heddle::Address device = session.device().memory().adopt(
        pointer, size, fmt::format("cudaHostRegister #{}", ++session.allocations));
    if (device == heddle::Address{0}) return cudaErrorInvalidValue;
    session.host_blocks[device_address(pointer).value] = {size, HostBlock::Kind::registered, flags,
                                                          device};
    return cudaSuccess;
  });
}
cudaError_t cudaHostUnregister(void* pointer) {
  return api([&](Session& session) {
    const auto block = session.host_blocks.find(device_address(pointer).value);
    if (block == session.host_blocks.end() || block->second.kind != HostBlock::Kind::registered)
      return cudaErrorHostMemoryNotRegistered;
    auto& memory = session.device().memory();
    if (const auto* allocation = memory.find(block->second.device)) memory.free(allocation->base);
    session.host_blocks.erase(block);
    return cudaSuccess;
  });
}
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned) {
  return api([&](Session& session) {
    std::uintptr_t base = 0;
    const HostBlock* const block = session.host_block(host, &base);
    if (!device || !block) return cudaErrorInvalidValue;
    *device = device_pointer(block->device + (device_address(host).value - base));
    return cudaSuccess;
  });
}
cudaError_t cudaHostGetFlags(unsigned* flags, void* pointer) {
  return api([&](Session& session) {
    const HostBlock* const block = session.host_block(pointer);
    if (!flags || !block) return cudaErrorInvalidValue;
    *flags = block->flags;
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
    std::uintptr_t base = 0;
    if (const HostBlock* const block = session.host_block(pointer, &base)) {
      attributes->type =
          block->kind == HostBlock::Kind::managed ? cudaMemoryTypeManaged : cudaMemoryTypeHost;
      attributes->devicePointer =
          device_pointer(block->device + (device_address(pointer).value - base));
      attributes->hostPointer = given;
    } else if (session.device().memory().find(device_address(pointer))) {
      attributes->type = cudaMemoryTypeDevice;
      attributes->devicePointer = given;
    } else {
      attributes->type = cudaMemoryTypeUnregistered;
      attributes->device = cudaInvalidDeviceId;
      attributes->hostPointer = given;
    }
    return cudaSuccess;
  });
}
