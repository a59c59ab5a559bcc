// What the driver API's functions do around their work. Most of them are the runtime API's under other names.
#pragma once

#include <string>
#include <vector>

#include "cuda/runtime/api.h"

#pragma GCC visibility push(default)
#include "cuda.h"
#pragma GCC visibility pop

namespace heddle::cuda {

// The driver's codes are the runtime's but for a few that only the runtime knows.
CUresult result_of(cudaError_t error);

// Calls work() and translates; the runtime's last error stays as it was. CUDA_ERROR_NOT_INITIALIZED before cuInit.
template <class Work>
CUresult driver(Work&& work) {
  const cudaError_t before = last_error();
  const CUresult result = result_of(work());
  last_error() = before;
  return result;
}

inline void* pointer(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

}  // namespace heddle::cuda
