// Mipmapped arrays. Their levels are ordinary arrays, except that a level cannot be freed alone.
#include <algorithm>

#include "cuda/process/api_call.h"

using namespace heddle::cuda;

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* handle,
                                     const cudaChannelFormatDesc* description, cudaExtent extent,
                                     unsigned levels, unsigned flags) {
  return api([&](Session& session) {
    if (!handle || !description) return cudaErrorInvalidValue;
    std::vector<Array> made;
    const cudaError_t error = make_levels(session.device().memory(), *description, extent,
                                          std::max(1u, levels), flags, made);
    if (error != cudaSuccess) return error;
    MipmappedArray mipmapped;
    for (const Array& level : made)
      mipmapped.levels.push_back(session.memory.arrays.add(session.new_handle(), level));
    *handle = session.memory.arrays.add(session.new_handle(), std::move(mipmapped));
    return cudaSuccess;
  });
}
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* array, cudaMipmappedArray_const_t handle,
                                       unsigned level) {
  return api([&](Session& session) {
    const MipmappedArray* const found = session.memory.arrays.find(handle);
    if (!found) return cudaErrorInvalidResourceHandle;
    if (!array || level >= found->levels.size()) return cudaErrorInvalidValue;
    *array = found->levels[level];
    return cudaSuccess;
  });
}
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t handle) {
  return api_when_idle([&](Session& session) {
    if (!handle) return cudaSuccess;
    const MipmappedArray* const found = session.memory.arrays.find(handle);
    if (!found) return cudaErrorInvalidResourceHandle;
    session.device().memory().free(session.memory.arrays.find(found->levels.front())->image.base);
    session.memory.arrays.erase(handle);
    return cudaSuccess;
  });
}
