// Calls that Heddle does not support. They exist so that programs that contain them link and start.
// A call prints what is missing and returns an error.
#include "cuda/process/api_call.h"

namespace {

cudaError_t refuse(const char* call, const char* needs) {
  heddle::cuda::explain(call, std::string("not supported: the simulated GPU has no ") + needs);
  return heddle::cuda::answer(cudaErrorNotSupported);
}

}  // namespace

// The headers declare the calls with their parameters, which are not read here.
#define HEDDLE_REFUSED(name, needs)                                                              \
  extern "C" __attribute__((visibility("default"))) cudaError_t refused_##name() __asm__(#name); \
  extern "C" cudaError_t refused_##name() { return refuse(#name, needs); }
#include "cuda/runtime/refused_calls.inc"
#undef HEDDLE_REFUSED
