// 8-bit floating point: e4m3 (without infinities) and e5m2, in groups of one, two and four, and
// conversions to and from wider types. Conversions round once, to nearest even. A value that is too
// large becomes the largest number; with __NV_NOSAT it becomes a NaN (e4m3) or an infinity (e5m2).
#pragma once
#define __CUDA_FP8_H__

#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

#if defined(__cplusplus)
#define HEDDLE_FP8 static __inline__ __host__ __device__ __attribute__((always_inline))
#define HEDDLE_MEMBER __inline__ __host__ __device__ __attribute__((always_inline))

HEDDLE_FP8 __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturate,
                                                     __nv_fp8_interpretation_t kind) {
  unsigned long long bits;
  __builtin_memcpy(&bits, &x, 8);
  const unsigned int sign = static_cast<unsigned int>(bits >> 63) << 7,
                     mantissa = kind == __NV_E4M3 ? 3 : 2;
  const int bias = kind == __NV_E4M3 ? 7 : 15;
  const unsigned int largest = kind == __NV_E4M3 ? 0x7e : 0x7b;
  const unsigned long long size = bits & ~(1ull << 63);
  if (size > 0x7ffull << 52)
    return static_cast<__nv_fp8_storage_t>(kind == __NV_E4M3 ? 0x7f | sign
                                                             : 0x7e | sign | (size >> 50 & 1));
  unsigned int code = 0;
  const int exponent = static_cast<int>(size >> 52) - 1023;
  if (exponent > 30) {
    code = largest + 1;
  } else if (exponent >= -bias - 3) {  // smaller values round to 0
    // The value in units of the last place, with a fraction. Below the smallest exponent the unit
    // stays the same.
    const int least = 1 - bias, place = exponent < least ? least : exponent;
    const unsigned long long whole = (size & ((1ull << 52) - 1)) | 1ull << 52;
    const int shift = 52 - static_cast<int>(mantissa) + (place - exponent);
    const unsigned long long kept = whole >> shift, rest = whole & ((1ull << shift) - 1),
                             half = 1ull << (shift - 1);
    const auto rounded =
        static_cast<unsigned int>(kept + (rest > half || (rest == half && (kept & 1))));
    // The hidden bit adds one to the exponent.
    code = rounded + (static_cast<unsigned int>(place - least) << mantissa);
  }
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

#define HEDDLE_FP8_TYPES(format, kind)                                                             \
  struct __nv_fp8_##format {                                                                       \
    __nv_fp8_storage_t __x;                                                                        \
    __nv_fp8_##format() = default;                                                                 \
    HEDDLE_MEMBER explicit __nv_fp8_##format(float f)                                              \
        : __x(__nv_cvt_float_to_fp8(f, __NV_SATFINITE, kind)) {}                                   \
    HEDDLE_MEMBER explicit __nv_fp8_##format(double f)                                             \
        : __x(__nv_cvt_double_to_fp8(f, __NV_SATFINITE, kind)) {}                                  \
    HEDDLE_MEMBER explicit __nv_fp8_##format(const __half& f)                                      \
        : __x(__nv_cvt_float_to_fp8(f, __NV_SATFINITE, kind)) {}                                   \
    HEDDLE_MEMBER explicit __nv_fp8_##format(const __nv_bfloat16& f)                               \
        : __x(__nv_cvt_float_to_fp8(f, __NV_SATFINITE, kind)) {}                                   \
    HEDDLE_MEMBER explicit __nv_fp8_##format(int i) : __nv_fp8_##format(static_cast<double>(i)) {} \
    HEDDLE_MEMBER explicit __nv_fp8_##format(unsigned int i)                                       \
        : __nv_fp8_##format(static_cast<double>(i)) {}                                             \
    HEDDLE_MEMBER explicit operator __half() const {                                               \
      return __half(__nv_cvt_fp8_to_halfraw(__x, kind));                                           \
    }                                                                                              \
    HEDDLE_MEMBER explicit operator float() const {                                                \
      return static_cast<float>(__half(__nv_cvt_fp8_to_halfraw(__x, kind)));                       \
    }                                                                                              \
    HEDDLE_MEMBER explicit operator double() const { return static_cast<float>(*this); }           \
    HEDDLE_MEMBER explicit operator __nv_bfloat16() const {                                        \
      return __nv_bfloat16(static_cast<float>(*this));                                             \
    }                                                                                              \
    HEDDLE_MEMBER explicit operator bool() const { return (__x & 0x7f) != 0; }                     \
  };                                                                                               \
  struct __align__(2) __nv_fp8x2_##format {                                                        \
    __nv_fp8x2_storage_t __x;                                                                      \
    __nv_fp8x2_##format() = default;                                                               \
    HEDDLE_MEMBER explicit __nv_fp8x2_##format(float2 f)                                           \
        : __x(__nv_cvt_float2_to_fp8x2(f, __NV_SATFINITE, kind)) {}                                \
    HEDDLE_MEMBER explicit __nv_fp8x2_##format(double2 f)                                          \
        : __x(__nv_cvt_double2_to_fp8x2(f, __NV_SATFINITE, kind)) {}                               \
    HEDDLE_MEMBER explicit __nv_fp8x2_##format(const __half2& f)                                   \
        : __nv_fp8x2_##format(__half22float2(f)) {}                                                \
    HEDDLE_MEMBER explicit __nv_fp8x2_##format(const __nv_bfloat162& f)                            \
        : __nv_fp8x2_##format(__bfloat1622float2(f)) {}                                            \
    HEDDLE_MEMBER explicit operator __half2() const {                                              \
      return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, kind));                                       \
    }                                                                                              \
    HEDDLE_MEMBER explicit operator float2() const {                                               \
      return __half22float2(static_cast<__half2>(*this));                                          \
    }                                                                                              \
  };                                                                                               \
  struct __align__(4) __nv_fp8x4_##format {                                                        \
    __nv_fp8x4_storage_t __x;                                                                      \
    __nv_fp8x4_##format() = default;                                                               \
    HEDDLE_MEMBER explicit __nv_fp8x4_##format(float4 f) {                                         \
      const unsigned int low =                                                                     \
          __nv_cvt_float2_to_fp8x2(make_float2(f.x, f.y), __NV_SATFINITE, kind);                   \
      const unsigned int high =                                                                    \
          __nv_cvt_float2_to_fp8x2(make_float2(f.z, f.w), __NV_SATFINITE, kind);                   \
      __x = high << 16 | low;                                                                      \
    }                                                                                              \
    HEDDLE_MEMBER explicit operator float4() const {                                               \
      const float2 low = __half22float2(                                                           \
          __half2(__nv_cvt_fp8x2_to_halfraw2(static_cast<__nv_fp8x2_storage_t>(__x), kind)));      \
      const float2 high = __half22float2(__half2(                                                  \
          __nv_cvt_fp8x2_to_halfraw2(static_cast<__nv_fp8x2_storage_t>(__x >> 16), kind)));        \
      return make_float4(low.x, low.y, high.x, high.y);                                            \
    }                                                                                              \
  };
HEDDLE_FP8_TYPES(e4m3, __NV_E4M3)
HEDDLE_FP8_TYPES(e5m2, __NV_E5M2)
#undef HEDDLE_FP8_TYPES
#undef HEDDLE_FP8
#undef HEDDLE_MEMBER
#endif
