// make_float4 and similar functions.
#pragma once
#define __VECTOR_FUNCTIONS_H__

#include "vector_types.h"

#if defined(__cplusplus)
#define HEDDLE_MAKE static __inline__ __host__ __device__ __attribute__((always_inline))
#define HEDDLE_MAKE_FOUR(name, type) \
  HEDDLE_MAKE name make_##name(type x, type y, type z, type w) { return name{x, y, z, w}; }
#define HEDDLE_MAKERS(name, type)                                                          \
  HEDDLE_MAKE name##1 make_##name##1(type x) { return name##1 {x}; }                       \
  HEDDLE_MAKE name##2 make_##name##2(type x, type y) { return name##2 {x, y}; }            \
  HEDDLE_MAKE name##3 make_##name##3(type x, type y, type z) { return name##3 {x, y, z}; } \
  HEDDLE_MAKE_FOUR(name##4, type)
HEDDLE_MAKERS(char, signed char)
HEDDLE_MAKERS(uchar, unsigned char)
HEDDLE_MAKERS(short, short)
HEDDLE_MAKERS(ushort, unsigned short)
HEDDLE_MAKERS(int, int)
HEDDLE_MAKERS(uint, unsigned int)
HEDDLE_MAKERS(long, long)
HEDDLE_MAKERS(ulong, unsigned long)
HEDDLE_MAKERS(longlong, long long)
HEDDLE_MAKERS(ulonglong, unsigned long long)
HEDDLE_MAKERS(float, float)
HEDDLE_MAKERS(double, double)
HEDDLE_MAKE_FOUR(long4_16a, long)
HEDDLE_MAKE_FOUR(long4_32a, long)
HEDDLE_MAKE_FOUR(ulong4_16a, unsigned long)
HEDDLE_MAKE_FOUR(ulong4_32a, unsigned long)
HEDDLE_MAKE_FOUR(longlong4_16a, long long)
HEDDLE_MAKE_FOUR(longlong4_32a, long long)
HEDDLE_MAKE_FOUR(ulonglong4_16a, unsigned long long)
HEDDLE_MAKE_FOUR(ulonglong4_32a, unsigned long long)
HEDDLE_MAKE_FOUR(double4_16a, double)
HEDDLE_MAKE_FOUR(double4_32a, double)
#undef HEDDLE_MAKERS
#undef HEDDLE_MAKE_FOUR
#undef HEDDLE_MAKE
#endif
