// What a CUDA C++ file sees before its first line: the runtime API, the vector types and, when clang compiles CUDA, the
// device-side functions and the C++ forms of the API.
#pragma once

#include "cuda.h"
#include "host_defines.h"
#include "vector_types.h"
#include "vector_functions.h"
#include "cuda_runtime_api.h"

#if defined(__cplusplus)
#if defined(__CUDA__) && defined(__clang__)
#include "heddle/device.h"
#endif
#include "heddle/runtime_templates.h"
#endif
