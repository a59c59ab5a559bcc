// The calling thread's last error, and the names of errors.
#include <utility>

#include "cuda/objects/error_names.h"
#include "cuda/process/api_call.h"

using namespace heddle::cuda;

const char* cudaGetErrorName(cudaError_t error) { return error_name(error); }
const char* cudaGetErrorString(cudaError_t error) { return error_text(error); }

// Device faults are not cleared.
cudaError_t cudaGetLastError() {
  switch (last_error()) {
    case cudaErrorAssert:
    case cudaErrorIllegalAddress:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidPc:
    case cudaErrorHardwareStackError:
    case cudaErrorLaunchFailure: return last_error();
    default: return std::exchange(last_error(), cudaSuccess);
  }
}
cudaError_t cudaPeekAtLastError() { return last_error(); }
