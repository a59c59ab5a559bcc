// Launches of the libraries' kernels, and memory that lives as long as one call.
#pragma once
#include <cuda_runtime.h>
#include <stdint.h>

#include <algorithm>

namespace heddle {

constexpr int kThreads = 256;

inline int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }
// Blocks of kThreads threads for n elements; kernels stride over what is left.
inline unsigned blocks_for(int64_t n, int64_t limit = 4096) {
  return static_cast<unsigned>(std::clamp<int64_t>(ceil_div(n, kThreads), 1, limit));
}
__device__ __forceinline__ int64_t first_index() {
  return static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ __forceinline__ int64_t index_step() {
  return static_cast<int64_t>(gridDim.x) * blockDim.x;
}

// Device memory of one call, allocated and freed in the order of a stream.
class Workspace {
 public:
  Workspace(size_t bytes, cudaStream_t stream) : stream_(stream) {
    if (bytes && cudaMallocAsync(&data_, bytes, stream) != cudaSuccess) data_ = nullptr;
  }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  ~Workspace() {
    if (data_) cudaFreeAsync(data_, stream_);
  }
  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }

 private:
  cudaStream_t stream_;
  void* data_ = nullptr;
};

}  // namespace heddle
