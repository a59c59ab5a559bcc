// CUDA's vector types. Sizes and alignments are part of the ABI between host and device: two- and
// four-element vectors are aligned to their size, up to 16 bytes; three-element vectors to their
// element.
#pragma once
#define __VECTOR_TYPES_H__

#include "host_defines.h"

// HEDDLE_VECTORS(name, element, alignment of two, alignment of four)
#define HEDDLE_VECTORS(name, type, of_two, of_four)       \
  struct name##1 { type x; };                             \
  struct __align__(of_two) name##2 { type x, y; };        \
  struct name##3 { type x, y, z; };                       \
  struct __align__(of_four) name##4 { type x, y, z, w; }; \
  typedef struct name##1 name##1;                         \
  typedef struct name##2 name##2;                         \
  typedef struct name##3 name##3;                         \
  typedef struct name##4 name##4;
HEDDLE_VECTORS(char, signed char, 2, 4)
HEDDLE_VECTORS(uchar, unsigned char, 2, 4)
HEDDLE_VECTORS(short, short, 4, 8)
HEDDLE_VECTORS(ushort, unsigned short, 4, 8)
HEDDLE_VECTORS(int, int, 8, 16)
HEDDLE_VECTORS(uint, unsigned int, 8, 16)
HEDDLE_VECTORS(long, long, 16, 16)
HEDDLE_VECTORS(ulong, unsigned long, 16, 16)
HEDDLE_VECTORS(longlong, long long, 16, 16)
HEDDLE_VECTORS(ulonglong, unsigned long long, 16, 16)
HEDDLE_VECTORS(float, float, 8, 16)
HEDDLE_VECTORS(double, double, 16, 16)
#undef HEDDLE_VECTORS

// CUDA 13's names, which state the alignment.
#define HEDDLE_ALIGNED_VECTORS(name, type)               \
  struct __align__(16) name##4_16a { type x, y, z, w; }; \
  struct __align__(32) name##4_32a { type x, y, z, w; }; \
  typedef struct name##4_16a name##4_16a;                \
  typedef struct name##4_32a name##4_32a;
HEDDLE_ALIGNED_VECTORS(long, long)
HEDDLE_ALIGNED_VECTORS(ulong, unsigned long)
HEDDLE_ALIGNED_VECTORS(longlong, long long)
HEDDLE_ALIGNED_VECTORS(ulonglong, unsigned long long)
HEDDLE_ALIGNED_VECTORS(double, double)
#undef HEDDLE_ALIGNED_VECTORS

// The size of a grid or a block. Missing dimensions are 1.
struct dim3 {
  unsigned int x, y, z;
#if defined(__cplusplus)
  __host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
      : x(vx), y(vy), z(vz) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
};
typedef struct dim3 dim3;
