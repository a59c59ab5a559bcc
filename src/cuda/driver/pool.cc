// Memory pools and hints about managed memory, translated to the runtime's calls.
#include "cuda/driver/driver.h"

// The names are macros for the second signatures; both are defined here.
#undef cuMemPrefetchAsync
#undef cuMemAdvise

using namespace heddle::cuda;

namespace {

cudaMemLocation location_of(const CUmemLocation& l) {
  return {static_cast<cudaMemLocationType>(l.type), l.id};
}
// CUDA before 13 names a device by its number, the host by -1.
CUmemLocation place_of(CUdevice device) {
  return {device < 0 ? CU_MEM_LOCATION_TYPE_HOST : CU_MEM_LOCATION_TYPE_DEVICE,
          device < 0 ? 0 : device};
}

}  // namespace

CUresult cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* p) {
  if (!p) return CUDA_ERROR_INVALID_VALUE;
  cudaMemPoolProps own{};
  own.allocType = static_cast<cudaMemAllocationType>(p->allocType);
  own.location = location_of(p->location);
  own.maxSize = p->maxSize;
  return driver([&] { return cudaMemPoolCreate(pool, &own); });
}
CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc* access, size_t count) {
  if (!access && count) return CUDA_ERROR_INVALID_VALUE;
  return driver([&] { return cudaMemPoolSetAccess(pool, nullptr, count); });
}
CUresult cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool pool, CUmemLocation* location) {
  if (!flags || !location) return CUDA_ERROR_INVALID_VALUE;
  return driver([&] {
    cudaMemAccessFlags found{};
    cudaMemLocation at = location_of(*location);
    const cudaError_t error = cudaMemPoolGetAccess(&found, pool, &at);
    *flags = static_cast<CUmemAccess_flags>(found);
    return error;
  });
}

CUresult cuMemPrefetchAsync_v2(CUdeviceptr address, size_t bytes, CUmemLocation location,
                               unsigned flags, CUstream stream) {
  return driver([&] {
    return cudaMemPrefetchAsync(pointer(address), bytes, location_of(location), flags, stream);
  });
}
CUresult cuMemAdvise_v2(CUdeviceptr address, size_t bytes, CUmem_advise advice,
                        CUmemLocation location) {
  return driver([&] {
    return cudaMemAdvise(pointer(address), bytes, static_cast<cudaMemoryAdvise>(advice),
                         location_of(location));
  });
}
CUresult cuMemRangeGetAttributes(void** data, size_t* data_bytes, CUmem_range_attribute* attributes,
                                 size_t count, CUdeviceptr address, size_t bytes) {
  if (!data || !data_bytes || !attributes) return CUDA_ERROR_INVALID_VALUE;
  for (size_t i = 0; i < count; ++i) {
    if (const CUresult result =
            cuMemRangeGetAttribute(data[i], data_bytes[i], attributes[i], address, bytes);
        result != CUDA_SUCCESS)
      return result;
  }
  return CUDA_SUCCESS;
}

#pragma GCC visibility push(default)
extern "C" {
CUresult cuMemPrefetchAsync(CUdeviceptr address, size_t bytes, CUdevice device, CUstream stream) {
  return cuMemPrefetchAsync_v2(address, bytes, place_of(device), 0, stream);
}
CUresult cuMemAdvise(CUdeviceptr address, size_t bytes, CUmem_advise advice, CUdevice device) {
  return cuMemAdvise_v2(address, bytes, advice, place_of(device));
}
}
#pragma GCC visibility pop
