// Half precision: numbers and pairs, on host and device. Arithmetic uses the compiler's _Float16,
// which becomes f16 instructions if the target has them.
#pragma once
#define __CUDA_FP16_H__

#include "cuda_runtime.h"

#define CUDART_INF_FP16 __ushort_as_half(static_cast<unsigned short>(0x7c00))
#define CUDART_NAN_FP16 __ushort_as_half(static_cast<unsigned short>(0x7fff))
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(static_cast<unsigned short>(0x0001))
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(static_cast<unsigned short>(0x7bff))
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(static_cast<unsigned short>(0x8000))
#define CUDART_ZERO_FP16 __ushort_as_half(static_cast<unsigned short>(0x0000))
#define CUDART_ONE_FP16 __ushort_as_half(static_cast<unsigned short>(0x3c00))

#if defined(__cplusplus)
#include "heddle/small_float_rounding.h"

#define HEDDLE_SMALL static __inline__ __host__ __device__ __attribute__((always_inline))
#define HEDDLE_MEMBER __inline__ __host__ __device__ __attribute__((always_inline))

struct __half_raw {
  unsigned short x;
};
struct __half2_raw {
  unsigned short x, y;
};

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
  HEDDLE_MEMBER __half(long value) : v(static_cast<_Float16>(value)) {}
  HEDDLE_MEMBER __half(unsigned long value) : v(static_cast<_Float16>(value)) {}
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
#if defined(__clang__) && defined(__CUDA__)  // NVIDIA's name of the bits, which programs read
  __declspec(property(get = __bits, put = __set_bits)) unsigned short __x;
  HEDDLE_MEMBER unsigned short __bits() const { return static_cast<__half_raw>(*this).x; }
  HEDDLE_MEMBER void __set_bits(unsigned short bits) { __builtin_memcpy(&v, &bits, 2); }
#endif
};
struct __align__(4) __half2 {
  __half x, y;
  __half2() = default;
  HEDDLE_MEMBER __half2(const __half& a, const __half& b) : x(a), y(b) {}
  HEDDLE_MEMBER __half2(const __half2_raw& raw) { __builtin_memcpy(this, &raw, 4); }
  HEDDLE_MEMBER operator __half2_raw() const {
    __half2_raw raw;
    __builtin_memcpy(&raw, this, 4);
    return raw;
  }
};
typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half nv_half;
typedef __half2 nv_half2;

#define HEDDLE_NUMBER __half
#define HEDDLE_PAIR __half2
#define HEDDLE_NAME half
#define HEDDLE_PTX "f16"
#define HEDDLE_HAS_ARITHMETIC 530
#define HEDDLE_HAS_TANH 750
#define HEDDLE_HAS_ATOMIC_PAIR 600
#define HEDDLE_HAS_ATOMIC 700
#define HEDDLE_OPERAND(a) (a).v
#include "heddle/small_floats.h"
#endif
