// 4-bit floating point, in groups of one, two and four, and conversions to and from wider types.
// e2m1 has a sign, two bits of exponent and one of mantissa: 0 to 6.
#pragma once
#define __CUDA_FP4_H__

#include "cuda_fp8.h"

typedef __nv_fp8_storage_t __nv_fp4_storage_t;
typedef __nv_fp8_storage_t __nv_fp4x2_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp4x4_storage_t;
typedef enum __nv_fp4_interpretation_t { __NV_E2M1 } __nv_fp4_interpretation_t;

#if defined(__cplusplus)
#define HEDDLE_BITS 4
#define HEDDLE_STRIDE 4
#define HEDDLE_MANTISSA(kind) ((void)(kind), 1)
#define HEDDLE_BIAS(kind) 1
#include "heddle/fp4_fp6.h"
HEDDLE_NARROW_TYPES(__nv_fp4_e2m1, __nv_fp4x2_e2m1, __nv_fp4x4_e2m1, __heddle_fp4<__NV_E2M1>)
#endif
