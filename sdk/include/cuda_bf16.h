// bfloat16: the upper half of a float. Arithmetic uses floats and rounds to nearest even.
#pragma once
#define __CUDA_BF16_H__

#include "cuda_runtime.h"
#include "cuda_fp16.h"

#define CUDART_INF_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7f80))
#define CUDART_NAN_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7fff))
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x0001))
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7f7f))
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x8000))
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x0000))
#define CUDART_ONE_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x3f80))

#if defined(__cplusplus)
#include "heddle/small_float_rounding.h"

#define HEDDLE_SMALL static __inline__ __host__ __device__ __attribute__((always_inline))
#define HEDDLE_MEMBER __inline__ __host__ __device__ __attribute__((always_inline))

struct __nv_bfloat16_raw {
  unsigned short x;
};
struct __nv_bfloat162_raw {
  unsigned short x, y;
};
struct __align__(2) __nv_bfloat16 {
  unsigned short __x;
  __nv_bfloat16() = default;
  HEDDLE_MEMBER __nv_bfloat16(const __nv_bfloat16_raw& raw) : __x(raw.x) {}
  HEDDLE_MEMBER __nv_bfloat16(float value) {
    unsigned int word;
    __builtin_memcpy(&word, &value, 4);
    const bool nan = (word & 0x7fffffffu) > 0x7f800000u;
    __x = nan ? 0x7fff : static_cast<unsigned short>((word + 0x7fffu + (word >> 16 & 1)) >> 16);
  }
  HEDDLE_MEMBER __nv_bfloat16(double value) : __nv_bfloat16(heddle::odd_float(value)) {}
  HEDDLE_MEMBER __nv_bfloat16(int value) : __nv_bfloat16(heddle::odd_float(value)) {}
  HEDDLE_MEMBER __nv_bfloat16(unsigned int value) : __nv_bfloat16(heddle::odd_float(value)) {}
  HEDDLE_MEMBER __nv_bfloat16(short value) : __nv_bfloat16(heddle::odd_float(value)) {}
  HEDDLE_MEMBER __nv_bfloat16(unsigned short value) : __nv_bfloat16(heddle::odd_float(value)) {}
  HEDDLE_MEMBER __nv_bfloat16(long value)
      : __nv_bfloat16(heddle::odd_float(static_cast<long long>(value))) {}
  HEDDLE_MEMBER __nv_bfloat16(unsigned long value)
      : __nv_bfloat16(heddle::odd_float(static_cast<unsigned long long>(value))) {}
  HEDDLE_MEMBER __nv_bfloat16(long long value) : __nv_bfloat16(heddle::odd_float(value)) {}
  HEDDLE_MEMBER __nv_bfloat16(unsigned long long value) : __nv_bfloat16(heddle::odd_float(value)) {}
  HEDDLE_MEMBER __nv_bfloat16(const __half& value) : __nv_bfloat16(static_cast<float>(value)) {}
  HEDDLE_MEMBER operator __nv_bfloat16_raw() const { return {__x}; }
  HEDDLE_MEMBER explicit operator bool() const { return (__x & 0x7fff) != 0; }
  HEDDLE_MEMBER operator float() const {
    const unsigned int word = static_cast<unsigned int>(__x) << 16;
    float value;
    __builtin_memcpy(&value, &word, 4);
    return value;
  }
};
struct __align__(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;
  __nv_bfloat162() = default;
  HEDDLE_MEMBER __nv_bfloat162(const __nv_bfloat16& a, const __nv_bfloat16& b) : x(a), y(b) {}
  HEDDLE_MEMBER __nv_bfloat162(const __nv_bfloat162_raw& raw) { __builtin_memcpy(this, &raw, 4); }
  HEDDLE_MEMBER operator __nv_bfloat162_raw() const { return {x.__x, y.__x}; }
};
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#define HEDDLE_NUMBER __nv_bfloat16
#define HEDDLE_PAIR __nv_bfloat162
#define HEDDLE_NAME bfloat16
#define HEDDLE_PTX "bf16"
#define HEDDLE_HAS_ARITHMETIC 800
#define HEDDLE_HAS_TANH 900
#define HEDDLE_HAS_ATOMIC_PAIR 900
#define HEDDLE_HAS_ATOMIC 900
#define HEDDLE_OPERAND(a) static_cast<float>(a)
#include "heddle/small_floats.h"
#endif
