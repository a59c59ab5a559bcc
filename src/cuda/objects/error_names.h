// The names and texts of CUDA's error codes.
#pragma once

#include "driver_types.h"

namespace heddle::cuda {

// "unrecognized error code" for a number that is no error code.
const char* error_name(cudaError_t error);
const char* error_text(cudaError_t error);

}  // namespace heddle::cuda
