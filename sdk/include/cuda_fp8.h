// 8-bit floating point: e4m3 (without infinities), e5m2, and e8m0 (powers of two), in groups of
// one, two and four, and conversions to and from wider types. Conversions round once, to nearest
// even, those to e8m0 up or toward zero. A value that is too large becomes the largest number; with
// __NV_NOSAT it becomes a NaN (e4m3, e8m0) or an infinity (e5m2).
#pragma once
#define __CUDA_FP8_H__

#include <assert.h>

#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

#if defined(__cplusplus)
#include "heddle/narrow_floats.h"

#define HEDDLE_FP8 HEDDLE_NARROW

HEDDLE_FP8 __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturate,
                                                     __nv_fp8_interpretation_t kind) {
  unsigned long long bits;
  __builtin_memcpy(&bits, &x, 8);
  const unsigned int sign = static_cast<unsigned int>(bits >> 63) << 7;
  const int mantissa = kind == __NV_E4M3 ? 3 : 2, bias = kind == __NV_E4M3 ? 7 : 15;
  const unsigned int largest = kind == __NV_E4M3 ? 0x7e : 0x7b;
  const unsigned long long size = bits & ~(1ull << 63);
  if (size > 0x7ffull << 52)
    return static_cast<__nv_fp8_storage_t>(kind == __NV_E4M3 ? 0x7f | sign
                                                             : 0x7e | sign | (size >> 50 & 1));
  unsigned int code = __heddle_narrow_code(size, mantissa, bias, largest);
  if (code > largest) code = saturate == __NV_SATFINITE ? largest : kind == __NV_E4M3 ? 0x7f : 0x7c;
  return static_cast<__nv_fp8_storage_t>(sign | code);
}
HEDDLE_FP8 __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturate,
                                                    __nv_fp8_interpretation_t kind) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
  if (saturate == __NV_SATFINITE) {
    unsigned short pair;
    if (kind == __NV_E4M3)
      asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(pair) : "f"(0.0f), "f"(x));
    else
      asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(pair) : "f"(0.0f), "f"(x));
    return static_cast<__nv_fp8_storage_t>(pair);
  }
#endif
  return __nv_cvt_double_to_fp8(x, saturate, kind);
}
HEDDLE_FP8 __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t saturate,
                                                      __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(static_cast<float>(__half(x)), saturate, kind);
}
HEDDLE_FP8 __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x,
                                                          __nv_saturation_t saturate,
                                                          __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(static_cast<float>(__nv_bfloat16(x)), saturate, kind);
}
#define HEDDLE_FP8_PAIR(name, type, one, first, second)                                      \
  HEDDLE_FP8 __nv_fp8x2_storage_t name(type x, __nv_saturation_t saturate,                   \
                                       __nv_fp8_interpretation_t kind) {                     \
    const unsigned int low = one(first, saturate, kind), high = one(second, saturate, kind); \
    return static_cast<__nv_fp8x2_storage_t>(high << 8 | low);                               \
  }
HEDDLE_FP8_PAIR(__nv_cvt_float2_to_fp8x2, float2, __nv_cvt_float_to_fp8, x.x, x.y)
HEDDLE_FP8_PAIR(__nv_cvt_double2_to_fp8x2, double2, __nv_cvt_double_to_fp8, x.x, x.y)
HEDDLE_FP8_PAIR(__nv_cvt_halfraw2_to_fp8x2, __half2_raw, __nv_cvt_halfraw_to_fp8, __half_raw{x.x},
                __half_raw{x.y})
HEDDLE_FP8_PAIR(__nv_cvt_bfloat16raw2_to_fp8x2, __nv_bfloat162_raw, __nv_cvt_bfloat16raw_to_fp8,
                __nv_bfloat16_raw{x.x}, __nv_bfloat16_raw{x.y})
#undef HEDDLE_FP8_PAIR

// Half precision represents every 8-bit number exactly.
HEDDLE_FP8 __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x,
                                              __nv_fp8_interpretation_t kind) {
  if (kind == __NV_E5M2)
    return __half_raw{static_cast<unsigned short>((x & 0x7f) > 0x7c ? 0x7fff : x << 8)};
  const unsigned int size = x & 0x7f, sign = (x & 0x80u) << 8;
  if (size == 0x7f) return __half_raw{0x7fff};
  const float value = static_cast<float>(size < 8 ? size : (8 | (size & 7))) *
                      (size < 8 ? 1.0f / 512 : static_cast<float>(1 << ((size >> 3) - 1)) / 512);
  return __half_raw{static_cast<unsigned short>(static_cast<__half_raw>(__half(value)).x | sign)};
}
HEDDLE_FP8 __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x,
                                                  __nv_fp8_interpretation_t kind) {
  const auto low = static_cast<__nv_fp8_storage_t>(x),
             high = static_cast<__nv_fp8_storage_t>(x >> 8);
  return {__nv_cvt_fp8_to_halfraw(low, kind).x, __nv_cvt_fp8_to_halfraw(high, kind).x};
}

template <__nv_fp8_interpretation_t kind>
struct __heddle_fp8 {
  typedef __nv_fp8_storage_t Storage;
  typedef __nv_fp8x2_storage_t Storage2;
  typedef __nv_fp8x4_storage_t Storage4;
  static constexpr int kStride = 8;
  static constexpr unsigned int kSize = 0x7f, kZero = 0;
  static HEDDLE_MEMBER Storage round(float x) {
    return __nv_cvt_float_to_fp8(x, __NV_SATFINITE, kind);
  }
  static HEDDLE_MEMBER Storage round(double x) {
    return __nv_cvt_double_to_fp8(x, __NV_SATFINITE, kind);
  }
  static HEDDLE_MEMBER __half to_half(Storage x) {
    return __half(__nv_cvt_fp8_to_halfraw(x, kind));
  }
  static HEDDLE_MEMBER float to_float(Storage x) { return static_cast<float>(to_half(x)); }
};
HEDDLE_NARROW_TYPES(__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3, __heddle_fp8<__NV_E4M3>)
HEDDLE_NARROW_TYPES(__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2, __heddle_fp8<__NV_E5M2>)

// e8m0: the power of two of exponent x - 127; 0xff is a NaN. There is no sign.
HEDDLE_FP8 __nv_fp8_storage_t __nv_cvt_double_to_e8m0(double x, __nv_saturation_t saturate,
                                                      enum cudaRoundMode rounding) {
  unsigned long long bits;
  __builtin_memcpy(&bits, &x, 8);
  const unsigned long long size = bits & ~(1ull << 63), fraction = size & ((1ull << 52) - 1);
  const unsigned int largest = saturate == __NV_SATFINITE ? 0xfe : 0xff;
  if (size > 0x7ffull << 52) return 0xff;
  int code = static_cast<int>(size >> 52) - 1023 + 127;
  if (code < 0) return 0;
  if (rounding == cudaRoundPosInf && fraction != 0) ++code;
  return static_cast<__nv_fp8_storage_t>(code > 0xfe ? largest : static_cast<unsigned int>(code));
}
HEDDLE_FP8 __nv_fp8_storage_t __nv_cvt_float_to_e8m0(float x, __nv_saturation_t saturate,
                                                     enum cudaRoundMode rounding) {
  return __nv_cvt_double_to_e8m0(x, saturate, rounding);
}
HEDDLE_FP8 __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw x,
                                                           __nv_saturation_t saturate,
                                                           enum cudaRoundMode rounding) {
  return __nv_cvt_double_to_e8m0(static_cast<float>(__nv_bfloat16(x)), saturate, rounding);
}
#define HEDDLE_E8M0_PAIR(name, type, one, first, second)                   \
  HEDDLE_FP8 __nv_fp8x2_storage_t name(type x, __nv_saturation_t saturate, \
                                       enum cudaRoundMode rounding) {      \
    const unsigned int low = one(first, saturate, rounding),               \
                       high = one(second, saturate, rounding);             \
    return static_cast<__nv_fp8x2_storage_t>(high << 8 | low);             \
  }
HEDDLE_E8M0_PAIR(__nv_cvt_float2_to_e8m0x2, float2, __nv_cvt_float_to_e8m0, x.x, x.y)
HEDDLE_E8M0_PAIR(__nv_cvt_double2_to_e8m0x2, double2, __nv_cvt_double_to_e8m0, x.x, x.y)
HEDDLE_E8M0_PAIR(__nv_cvt_bfloat162raw_to_e8m0x2, __nv_bfloat162_raw, __nv_cvt_bfloat16raw_to_e8m0,
                 __nv_bfloat16_raw{x.x}, __nv_bfloat16_raw{x.y})
#undef HEDDLE_E8M0_PAIR
HEDDLE_FP8 __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t x) {
  const unsigned int bits = x == 0xff ? 0x7fffu
                            : x == 0  ? 0x40u
                                      : static_cast<unsigned int>(x) << 7;
  return __nv_bfloat16_raw{static_cast<unsigned short>(bits)};
}
HEDDLE_FP8 __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(__nv_fp8x2_storage_t x) {
  return {__nv_cvt_e8m0_to_bf16raw(static_cast<__nv_fp8_storage_t>(x)).x,
          __nv_cvt_e8m0_to_bf16raw(static_cast<__nv_fp8_storage_t>(x >> 8)).x};
}
struct __heddle_e8m0 {
  typedef __nv_fp8_storage_t Storage;
  typedef __nv_fp8x2_storage_t Storage2;
  typedef __nv_fp8x4_storage_t Storage4;
  static constexpr int kStride = 8;
  static constexpr unsigned int kSize = 0xff, kZero = 0x100;  // every code is a number or a NaN
  static HEDDLE_MEMBER Storage round(double x) {
    return __nv_cvt_double_to_e8m0(x, __NV_SATFINITE, cudaRoundPosInf);
  }
  static HEDDLE_MEMBER float to_float(Storage x) {
    return static_cast<float>(__nv_bfloat16(__nv_cvt_e8m0_to_bf16raw(x)));
  }
  static HEDDLE_MEMBER __half to_half(Storage x) { return __half(to_float(x)); }
};
HEDDLE_NARROW_TYPES(__nv_fp8_e8m0, __nv_fp8x2_e8m0, __nv_fp8x4_e8m0, __heddle_e8m0)
#undef HEDDLE_FP8
#endif
