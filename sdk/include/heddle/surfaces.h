// Surface reads and writes. x counts bytes; the bits of a texel do not change.
#pragma once

#include "heddle/textures.h"

namespace heddle {

// The register type for a texel of this size in bytes.
template <int bytes>
struct SurfaceWord;
template <>
struct SurfaceWord<1> {
  using Type = unsigned short;
};
template <>
struct SurfaceWord<2> {
  using Type = unsigned short;
};
template <>
struct SurfaceWord<4> {
  using Type = unsigned int;
};
template <>
struct SurfaceWord<8> {
  using Type = unsigned long long;
};
template <>
struct SurfaceWord<16> {
  struct alignas(16) Type {
    unsigned long long low, high;
  };
};

// One access of `size` bytes: the PTX type, the operands of the value in the text, and in C.
#define HEDDLE_SURFACE_LOAD(size, type, words, shape, mode, text, values, ...) \
  if constexpr (sizeof(T) == size)                                             \
    asm volatile("suld.b." shape type mode " " words ", [%[s], " text "];"     \
                 : __VA_ARGS__                                                 \
                 : [s] "l"(handle), HEDDLE_OPEN values);
#define HEDDLE_SURFACE_STORE(size, type, words, shape, mode, text, values, ...) \
  if constexpr (sizeof(T) == size)                                              \
    asm volatile("sust.b." shape type mode " [%[s], " text "], " words ";"      \
                 :                                                              \
                 : __VA_ARGS__, [s] "l"(handle), HEDDLE_OPEN values             \
                 : "memory");
#define HEDDLE_SURFACE_READ(shape, mode, text, values)                                    \
  HEDDLE_SURFACE_LOAD(1, ".b8.", "%0", shape, mode, text, values, "=h"(w))                \
  HEDDLE_SURFACE_LOAD(2, ".b16.", "%0", shape, mode, text, values, "=h"(w))               \
  HEDDLE_SURFACE_LOAD(4, ".b32.", "%0", shape, mode, text, values, "=r"(w))               \
  HEDDLE_SURFACE_LOAD(8, ".b64.", "%0", shape, mode, text, values, "=l"(w))               \
  HEDDLE_SURFACE_LOAD(16, ".v2.b64.", "{%0, %1}", shape, mode, text, values, "=l"(w.low), \
                      "=l"(w.high))
#define HEDDLE_SURFACE_WRITE(shape, mode, text, values)                                   \
  HEDDLE_SURFACE_STORE(1, ".b8.", "%0", shape, mode, text, values, "h"(w))                \
  HEDDLE_SURFACE_STORE(2, ".b16.", "%0", shape, mode, text, values, "h"(w))               \
  HEDDLE_SURFACE_STORE(4, ".b32.", "%0", shape, mode, text, values, "r"(w))               \
  HEDDLE_SURFACE_STORE(8, ".b64.", "%0", shape, mode, text, values, "l"(w))               \
  HEDDLE_SURFACE_STORE(16, ".v2.b64.", "{%0, %1}", shape, mode, text, values, "l"(w.low), \
                       "l"(w.high))

#define HEDDLE_SURFACE(name, shape, parameters, text, values)                                 \
  template <class T>                                                                          \
  static __device__ __forceinline__ T read_##name(                                            \
      unsigned long long handle, HEDDLE_OPEN parameters, enum cudaSurfaceBoundaryMode mode) { \
    typename SurfaceWord<sizeof(T)>::Type w;                                                  \
    if (mode == cudaBoundaryModeZero) {                                                       \
      HEDDLE_SURFACE_READ(shape, "zero", text, values)                                        \
    } else if (mode == cudaBoundaryModeClamp) {                                               \
      HEDDLE_SURFACE_READ(shape, "clamp", text, values)                                       \
    } else {                                                                                  \
      HEDDLE_SURFACE_READ(shape, "trap", text, values)                                        \
    }                                                                                         \
    T result;                                                                                 \
    __builtin_memcpy(&result, &w, sizeof(T));                                                 \
    return result;                                                                            \
  }                                                                                           \
  template <class T>                                                                          \
  static __device__ __forceinline__ void write_##name(T value, unsigned long long handle,     \
                                                      HEDDLE_OPEN parameters,                 \
                                                      enum cudaSurfaceBoundaryMode mode) {    \
    typename SurfaceWord<sizeof(T)>::Type w{};                                                \
    __builtin_memcpy(&w, &value, sizeof(T));                                                  \
    if (mode == cudaBoundaryModeZero) {                                                       \
      HEDDLE_SURFACE_WRITE(shape, "zero", text, values)                                       \
    } else if (mode == cudaBoundaryModeClamp) {                                               \
      HEDDLE_SURFACE_WRITE(shape, "clamp", text, values)                                      \
    } else {                                                                                  \
      HEDDLE_SURFACE_WRITE(shape, "trap", text, values)                                       \
    }                                                                                         \
  }
HEDDLE_SURFACE(1D, "1d", (int x), "{%[x]}", ([x] "r"(x)))
HEDDLE_SURFACE(2D, "2d", (int x, int y), "{%[x], %[y]}", ([x] "r"(x), [y] "r"(y)))
HEDDLE_SURFACE(3D, "3d", (int x, int y, int z), "{%[x], %[y], %[z], %[z]}",
               ([x] "r"(x), [y] "r"(y), [z] "r"(z)))
HEDDLE_SURFACE(1DLayered, "a1d", (int x, int layer), "{%[l], %[x]}", ([x] "r"(x), [l] "r"(layer)))
HEDDLE_SURFACE(2DLayered, "a2d", (int x, int y, int layer), "{%[l], %[x], %[y], %[y]}",
               ([x] "r"(x), [y] "r"(y), [l] "r"(layer)))
#undef HEDDLE_SURFACE
#undef HEDDLE_SURFACE_READ
#undef HEDDLE_SURFACE_WRITE
#undef HEDDLE_SURFACE_LOAD
#undef HEDDLE_SURFACE_STORE

}  // namespace heddle

#define HEDDLE_SURF_FUNCTION(name, shape, type, parameters, arguments)                            \
  template <class T>                                                                              \
  static __device__ __forceinline__ T surf##name##read(                                           \
      cudaSurfaceObject_t object, HEDDLE_OPEN parameters,                                         \
      enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                                 \
    return heddle::read_##shape<T>(object, HEDDLE_OPEN arguments, mode);                          \
  }                                                                                               \
  template <class T>                                                                              \
  static __device__ __forceinline__ void surf##name##read(                                        \
      T* result, cudaSurfaceObject_t object, HEDDLE_OPEN parameters,                              \
      enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                                 \
    *result = heddle::read_##shape<T>(object, HEDDLE_OPEN arguments, mode);                       \
  }                                                                                               \
  template <class T>                                                                              \
  static __device__ __forceinline__ void surf##name##write(                                       \
      T value, cudaSurfaceObject_t object, HEDDLE_OPEN parameters,                                \
      enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                                 \
    heddle::write_##shape<T>(value, object, HEDDLE_OPEN arguments, mode);                         \
  }                                                                                               \
  template <class T, class Image>                                                                 \
  static __device__ __forceinline__ T surf##name##read(                                           \
      surface<Image, type> reference, HEDDLE_OPEN parameters,                                     \
      enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                                 \
    return heddle::read_##shape<T>(heddle::handle_of(reference), HEDDLE_OPEN arguments, mode);    \
  }                                                                                               \
  template <class T, class Image>                                                                 \
  static __device__ __forceinline__ void surf##name##read(                                        \
      T* result, surface<Image, type> reference, HEDDLE_OPEN parameters,                          \
      enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                                 \
    *result = heddle::read_##shape<T>(heddle::handle_of(reference), HEDDLE_OPEN arguments, mode); \
  }                                                                                               \
  template <class T, class Image>                                                                 \
  static __device__ __forceinline__ void surf##name##write(                                       \
      T value, surface<Image, type> reference, HEDDLE_OPEN parameters,                            \
      enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                                 \
    heddle::write_##shape<T>(value, heddle::handle_of(reference), HEDDLE_OPEN arguments, mode);   \
  }
HEDDLE_SURF_FUNCTION(1D, 1D, cudaSurfaceType1D, (int x), (x))
HEDDLE_SURF_FUNCTION(2D, 2D, cudaSurfaceType2D, (int x, int y), (x, y))
HEDDLE_SURF_FUNCTION(3D, 3D, cudaSurfaceType3D, (int x, int y, int z), (x, y, z))
HEDDLE_SURF_FUNCTION(1DLayered, 1DLayered, cudaSurfaceType1DLayered, (int x, int layer), (x, layer))
HEDDLE_SURF_FUNCTION(2DLayered, 2DLayered, cudaSurfaceType2DLayered, (int x, int y, int layer),
                     (x, y, layer))
HEDDLE_SURF_FUNCTION(Cubemap, 2DLayered, cudaSurfaceTypeCubemap, (int x, int y, int face),
                     (x, y, face))
HEDDLE_SURF_FUNCTION(CubemapLayered, 2DLayered, cudaSurfaceTypeCubemapLayered,
                     (int x, int y, int face), (x, y, face))
#undef HEDDLE_SURF_FUNCTION
