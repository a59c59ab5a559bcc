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
// Only rounding to nearest even exists. A NaN becomes the largest number.
HEDDLE_NARROW __nv_fp6_storage_t __nv_cvt_double_to_fp6(double x, __nv_fp6_interpretation_t kind,
                                                        enum cudaRoundMode) {
  constexpr unsigned int largest = 0x1f;
  unsigned long long bits;
  __builtin_memcpy(&bits, &x, 8);
  const unsigned long long size = bits & ~(1ull << 63);
  if (size > 0x7ffull << 52) return largest;
  const unsigned int code = __heddle_narrow_code(size, kind == __NV_E2M3 ? 3 : 2,
                                                 kind == __NV_E2M3 ? 1 : 3, largest),
                     sign = static_cast<unsigned int>(bits >> 63) * (largest + 1);
  return static_cast<__nv_fp6_storage_t>(sign | (code > largest ? largest : code));
}
HEDDLE_NARROW __nv_fp6_storage_t __nv_cvt_float_to_fp6(float x, __nv_fp6_interpretation_t kind,
                                                       enum cudaRoundMode rounding) {
  return __nv_cvt_double_to_fp6(x, kind, rounding);
}
HEDDLE_NARROW __nv_fp6_storage_t __nv_cvt_halfraw_to_fp6(__half_raw x,
                                                         __nv_fp6_interpretation_t kind,
                                                         enum cudaRoundMode rounding) {
  return __nv_cvt_double_to_fp6(static_cast<float>(__half(x)), kind, rounding);
}
HEDDLE_NARROW __nv_fp6_storage_t __nv_cvt_bfloat16raw_to_fp6(__nv_bfloat16_raw x,
                                                             __nv_fp6_interpretation_t kind,
                                                             enum cudaRoundMode rounding) {
  return __nv_cvt_double_to_fp6(static_cast<float>(__nv_bfloat16(x)), kind, rounding);
}
#define HEDDLE_PAIR(name, type, one, first, second)                                          \
  HEDDLE_NARROW __nv_fp6x2_storage_t name(type x, __nv_fp6_interpretation_t kind,            \
                                          enum cudaRoundMode rounding) {                     \
    const unsigned int low = one(first, kind, rounding), high = one(second, kind, rounding); \
    return static_cast<__nv_fp6x2_storage_t>(high << 8 | low);                               \
  }
HEDDLE_PAIR(__nv_cvt_double2_to_fp6x2, double2, __nv_cvt_double_to_fp6, x.x, x.y)
HEDDLE_PAIR(__nv_cvt_float2_to_fp6x2, float2, __nv_cvt_float_to_fp6, x.x, x.y)
HEDDLE_PAIR(__nv_cvt_halfraw2_to_fp6x2, __half2_raw, __nv_cvt_halfraw_to_fp6, __half_raw{x.x},
            __half_raw{x.y})
HEDDLE_PAIR(__nv_cvt_bfloat16raw2_to_fp6x2, __nv_bfloat162_raw, __nv_cvt_bfloat16raw_to_fp6,
            __nv_bfloat16_raw{x.x}, __nv_bfloat16_raw{x.y})
#undef HEDDLE_PAIR

// Half precision represents every such number exactly.
HEDDLE_NARROW __half_raw __nv_cvt_fp6_to_halfraw(__nv_fp6_storage_t x,
                                                 __nv_fp6_interpretation_t kind) {
  constexpr unsigned int largest = 0x1f;
  const float size =
      __heddle_narrow_value(x & largest, kind == __NV_E2M3 ? 3 : 2, kind == __NV_E2M3 ? 1 : 3);
  return static_cast<__half_raw>(__half(x & (largest + 1) ? -size : size));
}
HEDDLE_NARROW __half2_raw __nv_cvt_fp6x2_to_halfraw2(__nv_fp6x2_storage_t x,
                                                     __nv_fp6_interpretation_t kind) {
  return {__nv_cvt_fp6_to_halfraw(static_cast<__nv_fp6_storage_t>(x), kind).x,
          __nv_cvt_fp6_to_halfraw(static_cast<__nv_fp6_storage_t>(x >> 8), kind).x};
}
template <__nv_fp6_interpretation_t kind>
struct __heddle_fp6 {
  typedef __nv_fp6_storage_t Storage;
  typedef __nv_fp6x2_storage_t Storage2;
  typedef __nv_fp6x4_storage_t Storage4;
  static constexpr int kStride = 8;
  static constexpr unsigned int kSize = 0x1f, kZero = 0;
  static HEDDLE_MEMBER Storage round(double x) {
    return __nv_cvt_double_to_fp6(x, kind, cudaRoundNearest);
  }
  static HEDDLE_MEMBER __half to_half(Storage x) {
    return __half(__nv_cvt_fp6_to_halfraw(x, kind));
  }
  static HEDDLE_MEMBER float to_float(Storage x) { return static_cast<float>(to_half(x)); }
};
HEDDLE_NARROW_TYPES(__nv_fp6_e2m3, __nv_fp6x2_e2m3, __nv_fp6x4_e2m3, __heddle_fp6<__NV_E2M3>)
HEDDLE_NARROW_TYPES(__nv_fp6_e3m2, __nv_fp6x2_e3m2, __nv_fp6x4_e3m2, __heddle_fp6<__NV_E3M2>)
#endif
