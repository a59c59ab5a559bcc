// bfloat16: the upper half of a float. Arithmetic is in floats, rounded to nearest even.
#pragma once
#define __CUDA_BF16_H__

#include "cuda_runtime.h"

#if defined(__cplusplus)
#define HEDDLE_BF16 static __inline__ __host__ __device__ __attribute__((always_inline))
#define HEDDLE_MEMBER __inline__ __host__ __device__ __attribute__((always_inline))

struct __nv_bfloat16_raw { unsigned short x; };
struct __align__(2) __nv_bfloat16 {
  unsigned short bits;
  __nv_bfloat16() = default;
  HEDDLE_MEMBER __nv_bfloat16(const __nv_bfloat16_raw& raw) : bits(raw.x) {}
  HEDDLE_MEMBER __nv_bfloat16(float value) {
    unsigned int word;
    __builtin_memcpy(&word, &value, 4);
    const bool nan = (word & 0x7fffffffu) > 0x7f800000u;
    bits = nan ? 0x7fff : static_cast<unsigned short>((word + 0x7fffu + (word >> 16 & 1)) >> 16);
  }
  HEDDLE_MEMBER __nv_bfloat16(double value) : __nv_bfloat16(static_cast<float>(value)) {}
  HEDDLE_MEMBER __nv_bfloat16(int value) : __nv_bfloat16(static_cast<float>(value)) {}
  HEDDLE_MEMBER operator float() const {
    const unsigned int word = static_cast<unsigned int>(bits) << 16;
    float value;
    __builtin_memcpy(&value, &word, 4);
    return value;
  }
};
struct __align__(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;
  __nv_bfloat162() = default;
  HEDDLE_MEMBER __nv_bfloat162(const __nv_bfloat16& a, const __nv_bfloat16& b) : x(a), y(b) {}
};
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

HEDDLE_BF16 __nv_bfloat16 operator+(const __nv_bfloat16& a, const __nv_bfloat16& b) { return static_cast<float>(a) + static_cast<float>(b); }
HEDDLE_BF16 __nv_bfloat16& operator+=(__nv_bfloat16& a, const __nv_bfloat16& b) { return a = a + b; }
HEDDLE_BF16 __nv_bfloat162 operator+(const __nv_bfloat162& a, const __nv_bfloat162& b) { return {a.x + b.x, a.y + b.y}; }
HEDDLE_BF16 __nv_bfloat16 operator-(const __nv_bfloat16& a, const __nv_bfloat16& b) { return static_cast<float>(a) - static_cast<float>(b); }
HEDDLE_BF16 __nv_bfloat16& operator-=(__nv_bfloat16& a, const __nv_bfloat16& b) { return a = a - b; }
HEDDLE_BF16 __nv_bfloat162 operator-(const __nv_bfloat162& a, const __nv_bfloat162& b) { return {a.x - b.x, a.y - b.y}; }
HEDDLE_BF16 __nv_bfloat16 operator*(const __nv_bfloat16& a, const __nv_bfloat16& b) { return static_cast<float>(a) * static_cast<float>(b); }
HEDDLE_BF16 __nv_bfloat16& operator*=(__nv_bfloat16& a, const __nv_bfloat16& b) { return a = a * b; }
HEDDLE_BF16 __nv_bfloat162 operator*(const __nv_bfloat162& a, const __nv_bfloat162& b) { return {a.x * b.x, a.y * b.y}; }
HEDDLE_BF16 __nv_bfloat16 operator/(const __nv_bfloat16& a, const __nv_bfloat16& b) { return static_cast<float>(a) / static_cast<float>(b); }
HEDDLE_BF16 __nv_bfloat16& operator/=(__nv_bfloat16& a, const __nv_bfloat16& b) { return a = a / b; }
HEDDLE_BF16 __nv_bfloat162 operator/(const __nv_bfloat162& a, const __nv_bfloat162& b) { return {a.x / b.x, a.y / b.y}; }
HEDDLE_BF16 __nv_bfloat16 operator-(const __nv_bfloat16& a) { return -static_cast<float>(a); }
HEDDLE_BF16 bool operator==(const __nv_bfloat16& a, const __nv_bfloat16& b) { return static_cast<float>(a) == static_cast<float>(b); }
HEDDLE_BF16 bool operator!=(const __nv_bfloat16& a, const __nv_bfloat16& b) { return static_cast<float>(a) != static_cast<float>(b); }
HEDDLE_BF16 bool operator<(const __nv_bfloat16& a, const __nv_bfloat16& b) { return static_cast<float>(a) < static_cast<float>(b); }
HEDDLE_BF16 bool operator<=(const __nv_bfloat16& a, const __nv_bfloat16& b) { return static_cast<float>(a) <= static_cast<float>(b); }
HEDDLE_BF16 bool operator>(const __nv_bfloat16& a, const __nv_bfloat16& b) { return static_cast<float>(a) > static_cast<float>(b); }
HEDDLE_BF16 bool operator>=(const __nv_bfloat16& a, const __nv_bfloat16& b) { return static_cast<float>(a) >= static_cast<float>(b); }
HEDDLE_BF16 __nv_bfloat16 __float2bfloat16(float a) { return a; }
HEDDLE_BF16 __nv_bfloat16 __float2bfloat16_rn(float a) { return a; }
HEDDLE_BF16 __nv_bfloat16 __double2bfloat16(double a) { return a; }
HEDDLE_BF16 float __bfloat162float(__nv_bfloat16 a) { return a; }
HEDDLE_BF16 __nv_bfloat162 __floats2bfloat162_rn(float a, float b) { return {a, b}; }
HEDDLE_BF16 __nv_bfloat162 __float2bfloat162_rn(float a) { return {a, a}; }
HEDDLE_BF16 float2 __bfloat1622float2(__nv_bfloat162 a) { return make_float2(a.x, a.y); }
HEDDLE_BF16 __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return {a, a}; }
HEDDLE_BF16 __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return {a, b}; }
HEDDLE_BF16 __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a) { return a.x; }
HEDDLE_BF16 __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a) { return a.y; }
HEDDLE_BF16 unsigned short __bfloat16_as_ushort(__nv_bfloat16 a) { return a.bits; }
HEDDLE_BF16 __nv_bfloat16 __ushort_as_bfloat16(unsigned short a) { return __nv_bfloat16_raw{a}; }
HEDDLE_BF16 __nv_bfloat16 __hadd(__nv_bfloat16 a, __nv_bfloat16 b) { return a + b; }
HEDDLE_BF16 __nv_bfloat16 __hsub(__nv_bfloat16 a, __nv_bfloat16 b) { return a - b; }
HEDDLE_BF16 __nv_bfloat16 __hmul(__nv_bfloat16 a, __nv_bfloat16 b) { return a * b; }
HEDDLE_BF16 __nv_bfloat16 __hdiv(__nv_bfloat16 a, __nv_bfloat16 b) { return a / b; }
HEDDLE_BF16 __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) { return __builtin_fmaf(a, b, c); }
HEDDLE_BF16 __nv_bfloat162 __hadd2(__nv_bfloat162 a, __nv_bfloat162 b) { return a + b; }
HEDDLE_BF16 __nv_bfloat162 __hmul2(__nv_bfloat162 a, __nv_bfloat162 b) { return a * b; }
HEDDLE_BF16 __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) { return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }
#undef HEDDLE_BF16
#undef HEDDLE_MEMBER
#endif
