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
// Only rounding to nearest even exists. A NaN becomes the largest number.
HEDDLE_NARROW __nv_fp4_storage_t __nv_cvt_double_to_fp4(double x, __nv_fp4_interpretation_t,
                                                        enum cudaRoundMode) {
  constexpr unsigned int largest = 0x7;
  unsigned long long bits;
  __builtin_memcpy(&bits, &x, 8);
  const unsigned long long size = bits & ~(1ull << 63);
  if (size > 0x7ffull << 52) return largest;
  const unsigned int code = __heddle_narrow_code(size, 1, 1, largest),
                     sign = static_cast<unsigned int>(bits >> 63) * (largest + 1);
  return static_cast<__nv_fp4_storage_t>(sign | (code > largest ? largest : code));
}
HEDDLE_NARROW __nv_fp4_storage_t __nv_cvt_float_to_fp4(float x, __nv_fp4_interpretation_t kind,
                                                       enum cudaRoundMode rounding) {
  return __nv_cvt_double_to_fp4(x, kind, rounding);
}
HEDDLE_NARROW __nv_fp4_storage_t __nv_cvt_halfraw_to_fp4(__half_raw x,
                                                         __nv_fp4_interpretation_t kind,
                                                         enum cudaRoundMode rounding) {
  return __nv_cvt_double_to_fp4(static_cast<float>(__half(x)), kind, rounding);
}
HEDDLE_NARROW __nv_fp4_storage_t __nv_cvt_bfloat16raw_to_fp4(__nv_bfloat16_raw x,
                                                             __nv_fp4_interpretation_t kind,
                                                             enum cudaRoundMode rounding) {
  return __nv_cvt_double_to_fp4(static_cast<float>(__nv_bfloat16(x)), kind, rounding);
}
#define HEDDLE_PAIR(name, type, one, first, second)                                          \
  HEDDLE_NARROW __nv_fp4x2_storage_t name(type x, __nv_fp4_interpretation_t kind,            \
                                          enum cudaRoundMode rounding) {                     \
    const unsigned int low = one(first, kind, rounding), high = one(second, kind, rounding); \
    return static_cast<__nv_fp4x2_storage_t>(high << 4 | low);                               \
  }
HEDDLE_PAIR(__nv_cvt_double2_to_fp4x2, double2, __nv_cvt_double_to_fp4, x.x, x.y)
HEDDLE_PAIR(__nv_cvt_float2_to_fp4x2, float2, __nv_cvt_float_to_fp4, x.x, x.y)
HEDDLE_PAIR(__nv_cvt_halfraw2_to_fp4x2, __half2_raw, __nv_cvt_halfraw_to_fp4, __half_raw{x.x},
            __half_raw{x.y})
HEDDLE_PAIR(__nv_cvt_bfloat16raw2_to_fp4x2, __nv_bfloat162_raw, __nv_cvt_bfloat16raw_to_fp4,
            __nv_bfloat16_raw{x.x}, __nv_bfloat16_raw{x.y})
#undef HEDDLE_PAIR

// Half precision represents every such number exactly.
HEDDLE_NARROW __half_raw __nv_cvt_fp4_to_halfraw(__nv_fp4_storage_t x, __nv_fp4_interpretation_t) {
  constexpr unsigned int largest = 0x7;
  const float size = __heddle_narrow_value(x & largest, 1, 1);
  return static_cast<__half_raw>(__half(x & (largest + 1) ? -size : size));
}
HEDDLE_NARROW __half2_raw __nv_cvt_fp4x2_to_halfraw2(__nv_fp4x2_storage_t x,
                                                     __nv_fp4_interpretation_t kind) {
  return {__nv_cvt_fp4_to_halfraw(static_cast<__nv_fp4_storage_t>(x), kind).x,
          __nv_cvt_fp4_to_halfraw(static_cast<__nv_fp4_storage_t>(x >> 4), kind).x};
}
template <__nv_fp4_interpretation_t kind>
struct __heddle_fp4 {
  typedef __nv_fp4_storage_t Storage;
  typedef __nv_fp4x2_storage_t Storage2;
  typedef __nv_fp4x4_storage_t Storage4;
  static constexpr int kStride = 4;
  static constexpr unsigned int kSize = 0x7, kZero = 0;
  static HEDDLE_MEMBER Storage round(double x) {
    return __nv_cvt_double_to_fp4(x, kind, cudaRoundNearest);
  }
  static HEDDLE_MEMBER __half to_half(Storage x) {
    return __half(__nv_cvt_fp4_to_halfraw(x, kind));
  }
  static HEDDLE_MEMBER float to_float(Storage x) { return static_cast<float>(to_half(x)); }
};
HEDDLE_NARROW_TYPES(__nv_fp4_e2m1, __nv_fp4x2_e2m1, __nv_fp4x4_e2m1, __heddle_fp4<__NV_E2M1>)
#endif
