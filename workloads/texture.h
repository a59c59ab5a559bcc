// Linear memory that kernels read through the texture cache.
#pragma once

#include "common.h"

namespace workload {

// `data` is device memory. Kernels read element i as tex1Dfetch<T>(texture, i).
template <class T>
cudaTextureObject_t linear_texture(const T* data, std::size_t count) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = const_cast<T*>(data);
  resource.res.linear.desc = cudaCreateChannelDesc<T>();
  resource.res.linear.sizeInBytes = count * sizeof(T);
  cudaTextureDesc reading{};
  reading.readMode = cudaReadModeElementType;
  cudaTextureObject_t texture = 0;
  check(cudaCreateTextureObject(&texture, &resource, &reading, nullptr), "cudaCreateTextureObject");
  return texture;
}

}  // namespace workload
