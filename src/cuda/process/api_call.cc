#include "cuda/process/api_call.h"

#include <cstdio>

namespace heddle::cuda {

cudaError_t& last_error() {
  thread_local cudaError_t error = cudaSuccess;
  return error;
}

void explain(const char* call, const std::string& why) {
  std::fflush(stdout);
  std::fprintf(stderr, "heddle: %s: %s\n", call, why.c_str());
}

}  // namespace heddle::cuda
