// 6-bit floating point, in groups of one, two and four, and conversions to and from wider types.
// e2m3 reaches 7.5, e3m2 reaches 28.
#pragma once
#define __CUDA_FP6_H__

#include "cuda_fp8.h"

typedef __nv_fp8_storage_t __nv_fp6_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp6x2_storage_t;
typedef __nv_fp8x4_storage_t __nv_fp6x4_storage_t;
typedef enum __nv_fp6_interpretation_t { __NV_E2M3, __NV_E3M2 } __nv_fp6_interpretation_t;

#if defined(__cplusplus)
#define HEDDLE_BITS 6
#define HEDDLE_STRIDE 8
#define HEDDLE_MANTISSA(kind) ((kind) == __NV_E2M3 ? 3 : 2)
#define HEDDLE_BIAS(kind) ((kind) == __NV_E2M3 ? 1 : 3)
#include "heddle/fp4_fp6.h"
HEDDLE_NARROW_TYPES(__nv_fp6_e2m3, __nv_fp6x2_e2m3, __nv_fp6x4_e2m3, __heddle_fp6<__NV_E2M3>)
HEDDLE_NARROW_TYPES(__nv_fp6_e3m2, __nv_fp6x2_e3m2, __nv_fp6x4_e3m2, __heddle_fp6<__NV_E3M2>)
#endif
