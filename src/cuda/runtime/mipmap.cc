// Mipmapped arrays. Their levels are arrays like others, but that they cannot be freed alone.
#include <algorithm>

#include "cuda/objects/streams.h"
#include "cuda/objects/transfers.h"

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
      session.arrays[mipmapped.levels.emplace_back(session.new_handle())] = level;
    const std::uintptr_t own = session.new_handle();
    session.mipmapped_arrays[own] = std::move(mipmapped);
    *handle = reinterpret_cast<cudaMipmappedArray_t>(own);
    return cudaSuccess;
  });
}
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* array, cudaMipmappedArray_const_t handle,
                                       unsigned level) {
  return api([&](Session& session) {
    const auto found = session.mipmapped_arrays.find(handle_of(handle));
    if (found == session.mipmapped_arrays.end()) return cudaErrorInvalidResourceHandle;
    if (!array || level >= found->second.levels.size()) return cudaErrorInvalidValue;
    *array = reinterpret_cast<cudaArray_t>(found->second.levels[level]);
    return cudaSuccess;
  });
}
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t handle) {
  return api([&](Session& session) {
    if (!handle) return cudaSuccess;
    const auto found = session.mipmapped_arrays.find(handle_of(handle));
    if (found == session.mipmapped_arrays.end()) return cudaErrorInvalidResourceHandle;
    session.device().memory().free(session.arrays.at(found->second.levels.front()).image.base);
    for (const std::uintptr_t level : found->second.levels) session.arrays.erase(level);
    session.mipmapped_arrays.erase(found);
    return cudaSuccess;
  });
}
