// Half precision: one number and pairs, on the host and on the device. Arithmetic is the compiler's _Float16, which becomes f16
// instructions where the target has them.
#pragma once
#define __CUDA_FP16_H__

#include "cuda_runtime.h"

#if defined(__cplusplus)
#define HEDDLE_HALF static __inline__ __host__ __device__ __attribute__((always_inline))
#define HEDDLE_MEMBER __inline__ __host__ __device__ __attribute__((always_inline))

struct __half_raw { unsigned short x; };
struct __half2_raw { unsigned short x, y; };

struct __align__(2) __half {
  _Float16 v;
  __half() = default;
  HEDDLE_MEMBER __half(_Float16 value) : v(value) {}
  HEDDLE_MEMBER __half(float value) : v(static_cast<_Float16>(value)) {}
  HEDDLE_MEMBER __half(double value) : v(static_cast<_Float16>(value)) {}
  HEDDLE_MEMBER __half(int value) : v(static_cast<_Float16>(value)) {}
  HEDDLE_MEMBER __half(unsigned int value) : v(static_cast<_Float16>(value)) {}
  HEDDLE_MEMBER __half(short value) : v(static_cast<_Float16>(value)) {}
  HEDDLE_MEMBER __half(unsigned short value) : v(static_cast<_Float16>(value)) {}
  HEDDLE_MEMBER __half(long long value) : v(static_cast<_Float16>(value)) {}
  HEDDLE_MEMBER __half(unsigned long long value) : v(static_cast<_Float16>(value)) {}
  HEDDLE_MEMBER __half(const __half_raw& raw) { __builtin_memcpy(&v, &raw.x, 2); }
  HEDDLE_MEMBER operator float() const { return static_cast<float>(v); }
  HEDDLE_MEMBER operator __half_raw() const {
    __half_raw raw;
    __builtin_memcpy(&raw.x, &v, 2);
    return raw;
  }
  HEDDLE_MEMBER explicit operator bool() const { return v != static_cast<_Float16>(0); }
};
struct __align__(4) __half2 {
  __half x, y;
  __half2() = default;
  HEDDLE_MEMBER __half2(const __half& a, const __half& b) : x(a), y(b) {}
  HEDDLE_MEMBER __half2(const __half2_raw& raw) { __builtin_memcpy(this, &raw, 4); }
};
typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;

HEDDLE_HALF __half operator+(const __half& a, const __half& b) { return static_cast<_Float16>(a.v + b.v); }
HEDDLE_HALF __half& operator+=(__half& a, const __half& b) { return a = a + b; }
HEDDLE_HALF __half2 operator+(const __half2& a, const __half2& b) { return {a.x + b.x, a.y + b.y}; }
HEDDLE_HALF __half2& operator+=(__half2& a, const __half2& b) { return a = a + b; }
HEDDLE_HALF __half operator-(const __half& a, const __half& b) { return static_cast<_Float16>(a.v - b.v); }
HEDDLE_HALF __half& operator-=(__half& a, const __half& b) { return a = a - b; }
HEDDLE_HALF __half2 operator-(const __half2& a, const __half2& b) { return {a.x - b.x, a.y - b.y}; }
HEDDLE_HALF __half2& operator-=(__half2& a, const __half2& b) { return a = a - b; }
HEDDLE_HALF __half operator*(const __half& a, const __half& b) { return static_cast<_Float16>(a.v * b.v); }
HEDDLE_HALF __half& operator*=(__half& a, const __half& b) { return a = a * b; }
HEDDLE_HALF __half2 operator*(const __half2& a, const __half2& b) { return {a.x * b.x, a.y * b.y}; }
HEDDLE_HALF __half2& operator*=(__half2& a, const __half2& b) { return a = a * b; }
HEDDLE_HALF __half operator/(const __half& a, const __half& b) { return static_cast<_Float16>(a.v / b.v); }
HEDDLE_HALF __half& operator/=(__half& a, const __half& b) { return a = a / b; }
HEDDLE_HALF __half2 operator/(const __half2& a, const __half2& b) { return {a.x / b.x, a.y / b.y}; }
HEDDLE_HALF __half2& operator/=(__half2& a, const __half2& b) { return a = a / b; }
HEDDLE_HALF __half operator-(const __half& a) { return static_cast<_Float16>(-a.v); }
HEDDLE_HALF __half2 operator-(const __half2& a) { return {-a.x, -a.y}; }
HEDDLE_HALF bool operator==(const __half& a, const __half& b) { return a.v == b.v; }
HEDDLE_HALF bool operator!=(const __half& a, const __half& b) { return a.v != b.v; }
HEDDLE_HALF bool operator<(const __half& a, const __half& b) { return a.v < b.v; }
HEDDLE_HALF bool operator<=(const __half& a, const __half& b) { return a.v <= b.v; }
HEDDLE_HALF bool operator>(const __half& a, const __half& b) { return a.v > b.v; }
HEDDLE_HALF bool operator>=(const __half& a, const __half& b) { return a.v >= b.v; }

HEDDLE_HALF __half __float2half(float a) { return a; }
HEDDLE_HALF __half __float2half_rn(float a) { return a; }
HEDDLE_HALF __half __double2half(double a) { return a; }
HEDDLE_HALF float __half2float(__half a) { return static_cast<float>(a.v); }
HEDDLE_HALF __half2 __floats2half2_rn(float a, float b) { return {a, b}; }
HEDDLE_HALF __half2 __float2half2_rn(float a) { return {a, a}; }
HEDDLE_HALF __half2 __float22half2_rn(float2 a) { return {a.x, a.y}; }
HEDDLE_HALF float2 __half22float2(__half2 a) { return make_float2(a.x, a.y); }
HEDDLE_HALF float __low2float(__half2 a) { return a.x; }
HEDDLE_HALF float __high2float(__half2 a) { return a.y; }
HEDDLE_HALF __half __low2half(__half2 a) { return a.x; }
HEDDLE_HALF __half __high2half(__half2 a) { return a.y; }
HEDDLE_HALF __half2 __half2half2(__half a) { return {a, a}; }
HEDDLE_HALF __half2 __halves2half2(__half a, __half b) { return {a, b}; }
HEDDLE_HALF __half2 make_half2(__half a, __half b) { return {a, b}; }
HEDDLE_HALF __half2 __lows2half2(__half2 a, __half2 b) { return {a.x, b.x}; }
HEDDLE_HALF __half2 __highs2half2(__half2 a, __half2 b) { return {a.y, b.y}; }
HEDDLE_HALF __half2 __lowhigh2highlow(__half2 a) { return {a.y, a.x}; }
HEDDLE_HALF __half2 __low2half2(__half2 a) { return {a.x, a.x}; }
HEDDLE_HALF __half2 __high2half2(__half2 a) { return {a.y, a.y}; }
HEDDLE_HALF unsigned short __half_as_ushort(__half a) { return static_cast<__half_raw>(a).x; }
HEDDLE_HALF short __half_as_short(__half a) { return static_cast<short>(static_cast<__half_raw>(a).x); }
HEDDLE_HALF __half __ushort_as_half(unsigned short a) { return __half_raw{a}; }
HEDDLE_HALF __half __short_as_half(short a) { return __half_raw{static_cast<unsigned short>(a)}; }
HEDDLE_HALF __half __int2half_rn(int a) { return a; }
HEDDLE_HALF __half __uint2half_rn(unsigned int a) { return a; }
HEDDLE_HALF __half __short2half_rn(short a) { return a; }
HEDDLE_HALF __half __ushort2half_rn(unsigned short a) { return a; }
HEDDLE_HALF int __half2int_rz(__half a) { return static_cast<int>(a.v); }
HEDDLE_HALF unsigned int __half2uint_rz(__half a) { return static_cast<unsigned int>(a.v); }
HEDDLE_HALF short __half2short_rz(__half a) { return static_cast<short>(a.v); }
HEDDLE_HALF int __half2int_rn(__half a) { return static_cast<int>(__builtin_rintf(a)); }
HEDDLE_HALF bool __hisnan(__half a) { return a.v != a.v; }
HEDDLE_HALF int __hisinf(__half a) { return (__half_as_ushort(a) & 0x7fff) == 0x7c00 ? (__half_as_ushort(a) >> 15 ? -1 : 1) : 0; }
HEDDLE_HALF __half __habs(__half a) { return __ushort_as_half(__half_as_ushort(a) & 0x7fff); }
HEDDLE_HALF __half2 __habs2(__half2 a) { return {__habs(a.x), __habs(a.y)}; }
HEDDLE_HALF __half __hneg(__half a) { return -a; }
HEDDLE_HALF __half2 __hneg2(__half2 a) { return -a; }
HEDDLE_HALF __half __hfma(__half a, __half b, __half c) { return __builtin_fmaf16(a.v, b.v, c.v); }
HEDDLE_HALF __half2 __hfma2(__half2 a, __half2 b, __half2 c) { return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }
HEDDLE_HALF __half __hsaturate(__half a) { return a.v > static_cast<_Float16>(0) ? (a.v < static_cast<_Float16>(1) ? a : __half(1.0f)) : __half(0.0f); }
HEDDLE_HALF __half __hadd_sat(__half a, __half b) { return __hsaturate(a + b); }
HEDDLE_HALF __half __hsub_sat(__half a, __half b) { return __hsaturate(a - b); }
HEDDLE_HALF __half __hmul_sat(__half a, __half b) { return __hsaturate(a * b); }
HEDDLE_HALF __half __hfma_sat(__half a, __half b, __half c) { return __hsaturate(__hfma(a, b, c)); }
HEDDLE_HALF __half __hmax(__half a, __half b) { return __hisnan(a) ? b : __hisnan(b) ? a : a.v > b.v ? a : b; }
HEDDLE_HALF __half __hmin(__half a, __half b) { return __hisnan(a) ? b : __hisnan(b) ? a : a.v < b.v ? a : b; }
HEDDLE_HALF __half2 __hmax2(__half2 a, __half2 b) { return {__hmax(a.x, b.x), __hmax(a.y, b.y)}; }
HEDDLE_HALF __half2 __hmin2(__half2 a, __half2 b) { return {__hmin(a.x, b.x), __hmin(a.y, b.y)}; }
HEDDLE_HALF __half __hadd(__half a, __half b) { return a + b; }
HEDDLE_HALF __half2 __hadd2(__half2 a, __half2 b) { return a + b; }
HEDDLE_HALF __half __hsub(__half a, __half b) { return a - b; }
HEDDLE_HALF __half2 __hsub2(__half2 a, __half2 b) { return a - b; }
HEDDLE_HALF __half __hmul(__half a, __half b) { return a * b; }
HEDDLE_HALF __half2 __hmul2(__half2 a, __half2 b) { return a * b; }
HEDDLE_HALF __half __hdiv(__half a, __half b) { return a / b; }
HEDDLE_HALF __half2 __h2div(__half2 a, __half2 b) { return a / b; }
HEDDLE_HALF bool __heq(__half a, __half b) { return a == b; }
HEDDLE_HALF __half2 __heq2(__half2 a, __half2 b) { return {a.x == b.x ? 1.0f : 0.0f, a.y == b.y ? 1.0f : 0.0f}; }
HEDDLE_HALF bool __hbeq2(__half2 a, __half2 b) { return a.x == b.x && a.y == b.y; }
HEDDLE_HALF bool __hne(__half a, __half b) { return a != b; }
HEDDLE_HALF __half2 __hne2(__half2 a, __half2 b) { return {a.x != b.x ? 1.0f : 0.0f, a.y != b.y ? 1.0f : 0.0f}; }
HEDDLE_HALF bool __hbne2(__half2 a, __half2 b) { return a.x != b.x && a.y != b.y; }
HEDDLE_HALF bool __hlt(__half a, __half b) { return a < b; }
HEDDLE_HALF __half2 __hlt2(__half2 a, __half2 b) { return {a.x < b.x ? 1.0f : 0.0f, a.y < b.y ? 1.0f : 0.0f}; }
HEDDLE_HALF bool __hblt2(__half2 a, __half2 b) { return a.x < b.x && a.y < b.y; }
HEDDLE_HALF bool __hle(__half a, __half b) { return a <= b; }
HEDDLE_HALF __half2 __hle2(__half2 a, __half2 b) { return {a.x <= b.x ? 1.0f : 0.0f, a.y <= b.y ? 1.0f : 0.0f}; }
HEDDLE_HALF bool __hble2(__half2 a, __half2 b) { return a.x <= b.x && a.y <= b.y; }
HEDDLE_HALF bool __hgt(__half a, __half b) { return a > b; }
HEDDLE_HALF __half2 __hgt2(__half2 a, __half2 b) { return {a.x > b.x ? 1.0f : 0.0f, a.y > b.y ? 1.0f : 0.0f}; }
HEDDLE_HALF bool __hbgt2(__half2 a, __half2 b) { return a.x > b.x && a.y > b.y; }
HEDDLE_HALF bool __hge(__half a, __half b) { return a >= b; }
HEDDLE_HALF __half2 __hge2(__half2 a, __half2 b) { return {a.x >= b.x ? 1.0f : 0.0f, a.y >= b.y ? 1.0f : 0.0f}; }
HEDDLE_HALF bool __hbge2(__half2 a, __half2 b) { return a.x >= b.x && a.y >= b.y; }

#if defined(__CUDA__)
#define HEDDLE_DEVICE_HALF static __device__ __forceinline__
HEDDLE_DEVICE_HALF __half hsqrt(__half a) { return sqrtf(a); }
HEDDLE_DEVICE_HALF __half2 h2sqrt(__half2 a) { return {hsqrt(a.x), hsqrt(a.y)}; }
HEDDLE_DEVICE_HALF __half hrsqrt(__half a) { return rsqrtf(a); }
HEDDLE_DEVICE_HALF __half2 h2rsqrt(__half2 a) { return {hrsqrt(a.x), hrsqrt(a.y)}; }
HEDDLE_DEVICE_HALF __half hrcp(__half a) { return __frcp_rn(a); }
HEDDLE_DEVICE_HALF __half2 h2rcp(__half2 a) { return {hrcp(a.x), hrcp(a.y)}; }
HEDDLE_DEVICE_HALF __half hexp(__half a) { return expf(a); }
HEDDLE_DEVICE_HALF __half2 h2exp(__half2 a) { return {hexp(a.x), hexp(a.y)}; }
HEDDLE_DEVICE_HALF __half hexp2(__half a) { return exp2f(a); }
HEDDLE_DEVICE_HALF __half2 h2exp2(__half2 a) { return {hexp2(a.x), hexp2(a.y)}; }
HEDDLE_DEVICE_HALF __half hexp10(__half a) { return exp10f(a); }
HEDDLE_DEVICE_HALF __half2 h2exp10(__half2 a) { return {hexp10(a.x), hexp10(a.y)}; }
HEDDLE_DEVICE_HALF __half hlog(__half a) { return logf(a); }
HEDDLE_DEVICE_HALF __half2 h2log(__half2 a) { return {hlog(a.x), hlog(a.y)}; }
HEDDLE_DEVICE_HALF __half hlog2(__half a) { return log2f(a); }
HEDDLE_DEVICE_HALF __half2 h2log2(__half2 a) { return {hlog2(a.x), hlog2(a.y)}; }
HEDDLE_DEVICE_HALF __half hlog10(__half a) { return log10f(a); }
HEDDLE_DEVICE_HALF __half2 h2log10(__half2 a) { return {hlog10(a.x), hlog10(a.y)}; }
HEDDLE_DEVICE_HALF __half hsin(__half a) { return sinf(a); }
HEDDLE_DEVICE_HALF __half2 h2sin(__half2 a) { return {hsin(a.x), hsin(a.y)}; }
HEDDLE_DEVICE_HALF __half hcos(__half a) { return cosf(a); }
HEDDLE_DEVICE_HALF __half2 h2cos(__half2 a) { return {hcos(a.x), hcos(a.y)}; }
HEDDLE_DEVICE_HALF __half hfloor(__half a) { return floorf(a); }
HEDDLE_DEVICE_HALF __half2 h2floor(__half2 a) { return {hfloor(a.x), hfloor(a.y)}; }
HEDDLE_DEVICE_HALF __half hceil(__half a) { return ceilf(a); }
HEDDLE_DEVICE_HALF __half2 h2ceil(__half2 a) { return {hceil(a.x), hceil(a.y)}; }
HEDDLE_DEVICE_HALF __half htrunc(__half a) { return truncf(a); }
HEDDLE_DEVICE_HALF __half2 h2trunc(__half2 a) { return {htrunc(a.x), htrunc(a.y)}; }
HEDDLE_DEVICE_HALF __half hrint(__half a) { return rintf(a); }
HEDDLE_DEVICE_HALF __half2 h2rint(__half2 a) { return {hrint(a.x), hrint(a.y)}; }
HEDDLE_DEVICE_HALF __half htanh(__half a) { return tanhf(a); }
HEDDLE_DEVICE_HALF __half2 h2tanh(__half2 a) { return {htanh(a.x), htanh(a.y)}; }
HEDDLE_DEVICE_HALF __half __ldg(const __half* p) { return *p; }
HEDDLE_DEVICE_HALF __half2 __ldg(const __half2* p) { return *p; }
#define HEDDLE_HALF_SHUFFLE(name, Position)                                                                          \
  HEDDLE_DEVICE_HALF __half name(unsigned int mask, __half value, Position at, int width = 32) {                      \
    return __ushort_as_half(static_cast<unsigned short>(name(mask, static_cast<unsigned int>(__half_as_ushort(value)), at, width))); \
  }                                                                                                                  \
  HEDDLE_DEVICE_HALF __half2 name(unsigned int mask, __half2 value, Position at, int width = 32) {                    \
    unsigned int bits;                                                                                               \
    __builtin_memcpy(&bits, &value, 4);                                                                              \
    bits = name(mask, bits, at, width);                                                                              \
    __builtin_memcpy(&value, &bits, 4);                                                                              \
    return value;                                                                                                    \
  }
HEDDLE_HALF_SHUFFLE(__shfl_sync, int)
HEDDLE_HALF_SHUFFLE(__shfl_up_sync, unsigned int)
HEDDLE_HALF_SHUFFLE(__shfl_down_sync, unsigned int)
HEDDLE_HALF_SHUFFLE(__shfl_xor_sync, int)
#undef HEDDLE_HALF_SHUFFLE
// A pair is added by compare and swap on its word.
HEDDLE_DEVICE_HALF __half2 atomicAdd(__half2* address, __half2 value) {
  auto* const word = reinterpret_cast<unsigned int*>(address);
  unsigned int seen = *word, expected;
  do {
    expected = seen;
    __half2 sum;
    __builtin_memcpy(&sum, &expected, 4);
    sum = sum + value;
    unsigned int bits;
    __builtin_memcpy(&bits, &sum, 4);
    seen = atomicCAS(word, expected, bits);
  } while (seen != expected);
  __half2 before;
  __builtin_memcpy(&before, &expected, 4);
  return before;
}
HEDDLE_DEVICE_HALF __half atomicAdd(__half* address, __half value) {
  const size_t place = reinterpret_cast<size_t>(address);
  auto* const word = reinterpret_cast<unsigned int*>(place & ~size_t{3});
  const unsigned int shift = (place & 2) * 8;
  unsigned int seen = *word, expected;
  do {
    expected = seen;
    const __half sum = __ushort_as_half(static_cast<unsigned short>(expected >> shift)) + value;
    seen = atomicCAS(word, expected, (expected & ~(0xffffu << shift)) | static_cast<unsigned int>(__half_as_ushort(sum)) << shift);
  } while (seen != expected);
  return __ushort_as_half(static_cast<unsigned short>(expected >> shift));
}
#undef HEDDLE_DEVICE_HALF
#endif
#undef HEDDLE_HALF
#undef HEDDLE_MEMBER
#endif
