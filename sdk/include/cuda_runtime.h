// Included before the first line of every CUDA C++ file: the runtime API, the vector types and,
// when clang compiles CUDA, device functions and the C++ forms of the API.
#pragma once
#define __CUDA_RUNTIME_H__

// Standard headers that nvcc's headers include.
#if defined(__CUDACC__) && defined(__cplusplus)
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <utility>
#endif

#include "cuda.h"
#include "host_defines.h"
#include "vector_types.h"
#include "vector_functions.h"
#include "cuda_runtime_api.h"

// The compile driver writes this before a block of Thrust's code that only the host executes.
#if defined(__CUDA_ARCH__)
#define __HEDDLE_HOST_PART__ (void)[&] __host__()
#else
#define __HEDDLE_HOST_PART__
#endif

#if defined(__cplusplus)
// If a program declares these names itself, the compile driver removes texture references, as CUDA
// 12 does.
#if defined(__HEDDLE_FREES_NAMES__)
#define texture __heddle_texture_reference
#define surface __heddle_surface_reference
#endif
#include "heddle/channels.h"
#if defined(__CUDA__) && defined(__clang__)
#include "heddle/device.h"
#include "heddle/nv_atomics.h"
#include "heddle/simd.h"
#include "heddle/dpx.h"
#include "heddle/textures.h"
#include "heddle/surfaces.h"
#endif
#include "heddle/runtime_templates.h"
#include "heddle/older_signatures.h"
#include "cuda_device_runtime_api.h"
#if defined(__HEDDLE_FREES_NAMES__)
#undef texture
#undef surface
#endif
#endif

// Host compilers read kernels in headers, which no program of theirs launches.
#if defined(__cplusplus) && !defined(__CUDACC__)
extern const uint3 threadIdx, blockIdx;
extern const dim3 blockDim, gridDim;
extern const int warpSize;
#endif

#if defined(__HEDDLE_REGISTER_FUNCTIONS__) && !defined(__CUDA_ARCH__)
__device__ __attribute__((weak, used)) char heddle_device_functions;
#endif
