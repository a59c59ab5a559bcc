// Calls that Heddle does not support. They exist so that programs that contain them link and start.
// A call prints what is missing and returns an error.
#include "cuda/driver/driver.h"

namespace {

CUresult refuse(const char* call, const char* needs) {
  heddle::cuda::explain(call, std::string("not supported: the simulated GPU has no ") + needs);
  return CUDA_ERROR_NOT_SUPPORTED;
}

}  // namespace

// The headers declare the calls with their parameters, which are not read here.
#define HEDDLE_REFUSED_DRIVER(name, needs)                                                    \
  extern "C" __attribute__((visibility("default"))) CUresult refused_##name() __asm__(#name); \
  extern "C" CUresult refused_##name() { return refuse(#name, needs); }
#include "cuda/driver/refused_calls.inc"
#undef HEDDLE_REFUSED_DRIVER
