// Allocation of device and host memory, and attributes of pointers.
#include <limits>

#include <fmt/format.h>

#include "cuda/graph/allocations.h"
#include "cuda/operations/transfers.h"
#include "exec/check/checker.h"

using namespace heddle::cuda;

namespace {

cudaError_t allocate_rows(Session& session, void** pointer, std::size_t* pitch, std::size_t width,
                          std::size_t rows, const char* call) {
  const std::size_t alignment = session.device().spec().pitch_alignment;
  if (!pitch || width > std::numeric_limits<std::size_t>::max() - alignment)
    return cudaErrorInvalidValue;
  *pitch = (width + alignment - 1) / alignment * alignment;
  if (rows && *pitch > std::numeric_limits<std::size_t>::max() / rows)
    return cudaErrorMemoryAllocation;
  return allocate_device(session, pointer, *pitch * rows, call);
}

// Memory with one address for host and device: both access the same pages.
cudaError_t allocate_shared(Session& session, void** pointer, std::size_t bytes,
                            HostBlock::Kind kind, unsigned flags, const char* call) {
  auto& memory = session.device().memory();
  if (!pointer) return cudaErrorInvalidValue;
  *pointer = nullptr;
  if (bytes == 0) return kind == HostBlock::Kind::managed ? cudaErrorInvalidValue : cudaSuccess;
  const heddle::Address address =
      memory.allocate_shared(bytes, session.memory.name_allocation(call));
  if (address == heddle::Address{0}) return cudaErrorMemoryAllocation;
  *pointer = device_pointer(address);
  session.memory.host.add(*pointer, {bytes, kind, flags, address});
  session.memory.host.hints.clear(address.value, bytes);
  return cudaSuccess;
}

cudaError_t free_device(Session& session, const char* call, void* pointer) {
  auto& memory = session.device().memory();
  if (!pointer) return cudaSuccess;
  if (const auto of_graph = session.graphs.memory.find(pointer)) {
    if (session.graphs.memory.free(of_graph)) return cudaSuccess;
    explain(call,
            fmt::format(
                "{:#x} is memory of a graph; it was freed, and no launch has allocated it since",
                device_address(pointer).value));
    return cudaErrorInvalidValue;
  }
  const heddle::Address address = device_address(pointer);
  const bool managed = session.memory.host.starting_at(pointer, HostBlock::Kind::managed);
  const auto* const allocation = memory.find(address);
  if ((managed || !allocation || !allocation->shared_with_host) && memory.free(address)) {
    if (managed) session.memory.host.erase(pointer);
    session.memory.pools.count_free(pointer);
    return cudaSuccess;
  }
  explain(call, fmt::format("{:#x} is not the start of an allocation: {}", address.value,
                            memory.describe(address)));
  return cudaErrorInvalidValue;
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
cudaError_t cudaFree(void* pointer) {
  return api_when_idle([&](Session& session) { return free_device(session, "cudaFree", pointer); });
}
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return api([&](Session& session) {
    if (!pointer) return cudaSuccess;
    if (session.streams.all.capture_of(stream)) return capture_free(session, stream, pointer);
    return submit(session, stream, cudaGraphNodeTypeMemFree, [pointer](Session& later) {
      return free_device(later, "cudaFreeAsync", pointer);
    });
  });
}

cudaError_t cudaMallocHost(void** pointer, size_t size) {
  return allocate_host(pointer, size, cudaHostAllocDefault, "cudaMallocHost");
}
cudaError_t cudaHostAlloc(void** pointer, size_t size, unsigned flags) {
  return allocate_host(pointer, size, flags, "cudaHostAlloc");
}
cudaError_t cudaFreeHost(void* pointer) {
  return api_when_idle([&](Session& session) {
    if (!pointer) return cudaSuccess;
    if (!session.memory.host.starting_at(pointer, HostBlock::Kind::page_locked))
      return cudaErrorInvalidValue;
    session.device().memory().free(device_address(pointer));
    session.memory.host.erase(pointer);
    return cudaSuccess;
  });
}
cudaError_t cudaHostRegister(void* pointer, size_t size, unsigned flags) {
  return api([&](Session& session) {
    if (!pointer || size == 0) return cudaErrorInvalidValue;
    if (session.memory.host.find(pointer).block) return cudaErrorHostMemoryAlreadyRegistered;
    const heddle::Address device = session.device().memory().adopt(
        pointer, size, session.memory.name_allocation("cudaHostRegister"));
    if (device == heddle::Address{0}) return cudaErrorInvalidValue;
    const bool by_host_address = can_use_host_addresses(session.device().spec()) &&
                                 session.device().memory().allocations().accept_host_address(
                                     device, size, handle_of(pointer));
    session.memory.host.add(pointer,
                            {size, HostBlock::Kind::registered, flags, device, by_host_address});
    return cudaSuccess;
  });
}
cudaError_t cudaHostUnregister(void* pointer) {
  return api_when_idle([&](Session& session) {
    const HostBlock* const block =
        session.memory.host.starting_at(pointer, HostBlock::Kind::registered);
    if (!block) return cudaErrorHostMemoryNotRegistered;
    auto& memory = session.device().memory();
    if (const auto* allocation = memory.find(block->device)) memory.free(allocation->base);
    session.memory.host.erase(pointer);
    return cudaSuccess;
  });
}
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned) {
  return api([&](Session& session) {
    const HostMemory::Found found = session.memory.host.find(host);
    if (!device || !found.block) return cudaErrorInvalidValue;
    *device = found.pointer_for_kernels(host);
    return cudaSuccess;
  });
}
cudaError_t cudaHostGetFlags(unsigned* flags, void* pointer) {
  return api([&](Session& session) {
    const HostBlock* const block = session.memory.host.find(pointer).block;
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
    if (const HostMemory::Found found = session.memory.host.find(pointer); found.block) {
      attributes->type = found.block->kind == HostBlock::Kind::managed ? cudaMemoryTypeManaged
                                                                       : cudaMemoryTypeHost;
      attributes->devicePointer = found.pointer_for_kernels(pointer);
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
