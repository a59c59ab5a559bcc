// Virtual memory management: reserved addresses, physical memory, and mappings between them.
#include <algorithm>

#include <fmt/format.h>

#include "cuda/driver/driver.h"

using namespace heddle::cuda;
using heddle::exec::GlobalMemory;
using heddle::exec::kMappedPageBytes;

namespace {

template <class Work>
CUresult with_memory(Work&& work) {
  return driver([&] {
    return api([&](Session& session) { return work(session, session.device().memory()); });
  });
}

cudaError_t refuse(const char* call, CUdeviceptr address, std::size_t bytes, const char* why) {
  explain(call, fmt::format("{} bytes at {:#x}: {}", bytes, address, why));
  return cudaErrorInvalidValue;
}

// Only device memory that is not shared with other processes is supported.
CUresult judge(const char* call, const CUmemAllocationProp* p) {
  if (!p || p->type != CU_MEM_ALLOCATION_TYPE_PINNED) return CUDA_ERROR_INVALID_VALUE;
  if (p->location.type == CU_MEM_LOCATION_TYPE_DEVICE) {
    if (p->location.id != 0) return CUDA_ERROR_INVALID_DEVICE;
    if (p->requestedHandleTypes == 0) return CUDA_SUCCESS;
  }
  explain(call, p->requestedHandleTypes ? "not supported: memory of other processes"
                                        : "not supported: physical memory of the host");
  return CUDA_ERROR_NOT_SUPPORTED;
}

PhysicalBlock* find(CUmemGenericAllocationHandle handle) {
  const auto found = driver_state().physical_blocks.find(handle);
  return found == driver_state().physical_blocks.end() || found->second.references == 0
             ? nullptr
             : &found->second;
}

}  // namespace

CUresult cuMemGetAllocationGranularity(size_t* bytes, const CUmemAllocationProp* p,
                                       CUmemAllocationGranularity_flags) {
  if (!bytes) return CUDA_ERROR_INVALID_VALUE;
  *bytes = kMappedPageBytes;
  return judge("cuMemGetAllocationGranularity", p);
}

// The address that the program suggests is ignored, which CUDA allows.
CUresult cuMemAddressReserve(CUdeviceptr* address, size_t bytes, size_t align, CUdeviceptr,
                             unsigned long long flags) {
  if (!address || flags != 0) return CUDA_ERROR_INVALID_VALUE;
  return with_memory([&](Session&, GlobalMemory& memory) {
    if (bytes == 0 || bytes % kMappedPageBytes != 0 || (align & (align - 1)) != 0)
      return cudaErrorInvalidValue;
    *address = memory.mappings().reserve(bytes, align).value;
    return *address ? cudaSuccess : cudaErrorMemoryAllocation;
  });
}
CUresult cuMemAddressFree(CUdeviceptr address, size_t bytes) {
  return with_memory([&](Session&, GlobalMemory& memory) {
    if (memory.mappings().release(heddle::Address{address}, bytes)) return cudaSuccess;
    return refuse("cuMemAddressFree", address, bytes,
                  "not a reserved range, or memory is still mapped there");
  });
}

CUresult cuMemCreate(CUmemGenericAllocationHandle* handle, size_t bytes,
                     const CUmemAllocationProp* p, unsigned long long flags) {
  if (!handle || flags != 0 || bytes == 0 || bytes % kMappedPageBytes != 0)
    return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult wrong = judge("cuMemCreate", p); wrong != CUDA_SUCCESS) return wrong;
  return with_memory([&](Session& session, GlobalMemory& memory) {
    const auto block = memory.mappings().create(bytes);
    if (!block) return cudaErrorMemoryAllocation;
    *handle = session.new_handle();
    driver_state().physical_blocks[*handle] = {block, block, *p, 1};
    return cudaSuccess;
  });
}
CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  return with_memory([&](Session&, GlobalMemory&) {
    PhysicalBlock* const block = find(handle);
    if (!block) return cudaErrorInvalidValue;
    if (--block->references == 0) block->held.reset();  // mappings keep the memory
    std::erase_if(driver_state().physical_blocks,
                  [](const auto& entry) { return entry.second.memory.expired(); });
    return cudaSuccess;
  });
}
CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* p,
                                                CUmemGenericAllocationHandle handle) {
  return with_memory([&](Session&, GlobalMemory&) {
    const PhysicalBlock* const block = find(handle);
    return p && block ? (*p = block->properties, cudaSuccess) : cudaErrorInvalidValue;
  });
}
CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* handle, void* address) {
  return with_memory([&](Session&, GlobalMemory& memory) {
    const auto there =
        memory.mappings().find(heddle::Address{reinterpret_cast<std::uintptr_t>(address)}).memory;
    if (!handle || !there) return cudaErrorInvalidValue;
    auto& all = driver_state().physical_blocks;
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& entry) {
      return entry.second.memory.lock() == there;
    });
    ++found->second.references;
    found->second.held = there;
    *handle = found->first;
    return cudaSuccess;
  });
}

CUresult cuMemMap(CUdeviceptr address, size_t bytes, size_t offset,
                  CUmemGenericAllocationHandle handle, unsigned long long flags) {
  return with_memory([&](Session&, GlobalMemory& memory) {
    const PhysicalBlock* const block = find(handle);
    if (!block || flags != 0) return cudaErrorInvalidValue;
    if (memory.mappings().map(heddle::Address{address}, bytes, block->held, offset))
      return cudaSuccess;
    return refuse(
        "cuMemMap", address, bytes,
        "not a free reserved range in multiples of 2 MiB, or larger than the physical memory");
  });
}
CUresult cuMemUnmap(CUdeviceptr address, size_t bytes) {
  return with_memory([&](Session&, GlobalMemory& memory) {
    return memory.mappings().unmap(heddle::Address{address}, bytes)
               ? cudaSuccess
               : refuse("cuMemUnmap", address, bytes,
                        "the range does not consist of whole mappings");
  });
}
CUresult cuMemSetAccess(CUdeviceptr address, size_t bytes, const CUmemAccessDesc* access,
                        size_t count) {
  if (!access || count == 0) return CUDA_ERROR_INVALID_VALUE;
  for (size_t i = 0; i < count; ++i) {
    if (access[i].location.type != CU_MEM_LOCATION_TYPE_DEVICE || access[i].location.id != 0)
      return CUDA_ERROR_INVALID_DEVICE;
  }
  return with_memory([&](Session&, GlobalMemory& memory) {
    const bool allowed = access[count - 1].flags != CU_MEM_ACCESS_FLAGS_PROT_NONE;
    return memory.mappings().allow(heddle::Address{address}, bytes, allowed)
               ? cudaSuccess
               : refuse("cuMemSetAccess", address, bytes,
                        "the range does not consist of whole mappings");
  });
}
CUresult cuMemGetAccess(unsigned long long* flags, const CUmemLocation* location,
                        CUdeviceptr address) {
  if (!flags || !location) return CUDA_ERROR_INVALID_VALUE;
  if (location->type != CU_MEM_LOCATION_TYPE_DEVICE || location->id != 0)
    return CUDA_ERROR_INVALID_DEVICE;
  return with_memory([&](Session&, GlobalMemory& memory) {
    const auto there = memory.mappings().find(heddle::Address{address});
    if (!there.memory) return cudaErrorInvalidValue;
    *flags = there.access ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE : CU_MEM_ACCESS_FLAGS_PROT_NONE;
    return cudaSuccess;
  });
}
