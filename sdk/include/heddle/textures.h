// Texture and surface references and objects: the C++ forms that programs use, each one PTX
// instruction. A reference in device code is a 64-bit handle, like an object.
#pragma once

#include "texture_types.h"

template <class T, int dimensions = cudaTextureType1D,
          enum cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : public textureReference {
  __host__ texture(int normalized_coordinates = 0,
                   enum cudaTextureFilterMode filter = cudaFilterModePoint,
                   enum cudaTextureAddressMode address = cudaAddressModeClamp)
      : textureReference{} {
    normalized = normalized_coordinates;
    filterMode = filter;
    addressMode[0] = addressMode[1] = addressMode[2] = address;
    channelDesc = cudaCreateChannelDesc<T>();
  }
  __host__ texture(int normalized_coordinates, enum cudaTextureFilterMode filter,
                   enum cudaTextureAddressMode address, struct cudaChannelFormatDesc description)
      : texture(normalized_coordinates, filter, address) {
    channelDesc = description;
  }
};
template <class T, int dimensions = cudaSurfaceType1D>
struct __attribute__((device_builtin_surface_type)) surface : public surfaceReference {
  __host__ surface() : surfaceReference{cudaCreateChannelDesc<T>()} {}
};
template <int dimensions>
struct __attribute__((device_builtin_surface_type)) surface<void, dimensions>
    : public surfaceReference {
  __host__ surface() : surfaceReference{{0, 0, 0, 0, cudaChannelFormatKindNone}} {}
};

namespace heddle {

// How a texel of type T is fetched: as four floats, four signed or four unsigned integers.
template <class T>
struct Texel {
  static constexpr char kind = 0;
};
template <class Vector, char k, class Component, int n>
struct TexelOf {
  static constexpr char kind = k;
  static constexpr int channels = n;
  using Channel = Component;
  template <class Fetched>
  static __device__ __forceinline__ Vector from(Fetched a, Fetched b, Fetched c, Fetched d) {
    if constexpr (n == 0)
      return static_cast<Vector>(a);
    else if constexpr (n == 1)
      return Vector{static_cast<Component>(a)};
    else if constexpr (n == 2)
      return Vector{static_cast<Component>(a), static_cast<Component>(b)};
    else
      return Vector{static_cast<Component>(a), static_cast<Component>(b), static_cast<Component>(c),
                    static_cast<Component>(d)};
  }
};
#define HEDDLE_TEXEL(scalar, name, kind)                      \
  template <>                                                 \
  struct Texel<scalar> : TexelOf<scalar, kind, scalar, 0> {   \
    using Normal = float;                                     \
  };                                                          \
  template <>                                                 \
  struct Texel<name##1> : TexelOf<name##1, kind, scalar, 1> { \
    using Normal = float1;                                    \
  };                                                          \
  template <>                                                 \
  struct Texel<name##2> : TexelOf<name##2, kind, scalar, 2> { \
    using Normal = float2;                                    \
  };                                                          \
  template <>                                                 \
  struct Texel<name##4> : TexelOf<name##4, kind, scalar, 4> { \
    using Normal = float4;                                    \
  };
HEDDLE_TEXEL(signed char, char, 's')
HEDDLE_TEXEL(unsigned char, uchar, 'u')
HEDDLE_TEXEL(short, short, 's')
HEDDLE_TEXEL(unsigned short, ushort, 'u')
HEDDLE_TEXEL(int, int, 's')
HEDDLE_TEXEL(unsigned int, uint, 'u')
HEDDLE_TEXEL(float, float, 'f')
#undef HEDDLE_TEXEL
template <>
struct Texel<char> : TexelOf<char, 's', char, 0> {
  using Normal = float;
};
template <>
struct Texel<long> : TexelOf<long, 's', long, 0> {
  using Normal = float;
};
template <>
struct Texel<unsigned long> : TexelOf<unsigned long, 'u', unsigned long, 0> {
  using Normal = float;
};

template <class T, int mode>
struct Read {
  using Type = typename Texel<T>::Normal;
};
template <class T>
struct Read<T, cudaReadModeElementType> {
  using Type = T;
};

template <class Reference>
static __device__ __forceinline__ unsigned long long handle_of(Reference& reference) {
  return *reinterpret_cast<unsigned long long*>(&reference);
}

#define HEDDLE_OPEN(...) __VA_ARGS__
// One form of fetch: its name, its PTX form, its C++ parameters, and its operands as text and as
// values.
#define HEDDLE_FETCH(name, form, parameters, text, values)                    \
  template <class T>                                                          \
  static __device__ __forceinline__ T fetch_##name(unsigned long long handle, \
                                                   HEDDLE_OPEN parameters) {  \
    if constexpr (Texel<T>::kind == 's') {                                    \
      int a, b, c, d;                                                         \
      asm(form("s32") text                                                    \
          : "=r"(a), "=r"(b), "=r"(c), "=r"(d)                                \
          : "l"(handle), HEDDLE_OPEN values);                                 \
      return Texel<T>::from(a, b, c, d);                                      \
    } else if constexpr (Texel<T>::kind == 'u') {                             \
      unsigned int a, b, c, d;                                                \
      asm(form("u32") text                                                    \
          : "=r"(a), "=r"(b), "=r"(c), "=r"(d)                                \
          : "l"(handle), HEDDLE_OPEN values);                                 \
      return Texel<T>::from(a, b, c, d);                                      \
    } else {                                                                  \
      float a, b, c, d;                                                       \
      asm(form("f32") text                                                    \
          : "=f"(a), "=f"(b), "=f"(c), "=f"(d)                                \
          : "l"(handle), HEDDLE_OPEN values);                                 \
      return Texel<T>::from(a, b, c, d);                                      \
    }                                                                         \
  }
#define HEDDLE_FORM_1DFETCH(t) "tex.1d.v4." t ".s32 {%0, %1, %2, %3}, [%4, "
#define HEDDLE_FORM_1D(t) "tex.1d.v4." t ".f32 {%0, %1, %2, %3}, [%4, "
#define HEDDLE_FORM_2D(t) "tex.2d.v4." t ".f32 {%0, %1, %2, %3}, [%4, "
#define HEDDLE_FORM_3D(t) "tex.3d.v4." t ".f32 {%0, %1, %2, %3}, [%4, "
#define HEDDLE_FORM_A1D(t) "tex.a1d.v4." t ".f32 {%0, %1, %2, %3}, [%4, "
#define HEDDLE_FORM_A2D(t) "tex.a2d.v4." t ".f32 {%0, %1, %2, %3}, [%4, "
#define HEDDLE_FORM_CUBE(t) "tex.cube.v4." t ".f32 {%0, %1, %2, %3}, [%4, "
#define HEDDLE_FORM_ACUBE(t) "tex.acube.v4." t ".f32 {%0, %1, %2, %3}, [%4, "
#define HEDDLE_FORM_LEVEL_1D(t) "tex.level.1d.v4." t ".f32 {%0, %1, %2, %3}, [%4, "
#define HEDDLE_FORM_LEVEL_2D(t) "tex.level.2d.v4." t ".f32 {%0, %1, %2, %3}, [%4, "
#define HEDDLE_FORM_LEVEL_3D(t) "tex.level.3d.v4." t ".f32 {%0, %1, %2, %3}, [%4, "
#define HEDDLE_FORM_LEVEL_A1D(t) "tex.level.a1d.v4." t ".f32 {%0, %1, %2, %3}, [%4, "
#define HEDDLE_FORM_LEVEL_A2D(t) "tex.level.a2d.v4." t ".f32 {%0, %1, %2, %3}, [%4, "
#define HEDDLE_FORM_LEVEL_CUBE(t) "tex.level.cube.v4." t ".f32 {%0, %1, %2, %3}, [%4, "
#define HEDDLE_FORM_LEVEL_ACUBE(t) "tex.level.acube.v4." t ".f32 {%0, %1, %2, %3}, [%4, "
#define HEDDLE_FORM_GRAD_1D(t) "tex.grad.1d.v4." t ".f32 {%0, %1, %2, %3}, [%4, "
#define HEDDLE_FORM_GRAD_2D(t) "tex.grad.2d.v4." t ".f32 {%0, %1, %2, %3}, [%4, "
#define HEDDLE_FORM_GRAD_3D(t) "tex.grad.3d.v4." t ".f32 {%0, %1, %2, %3}, [%4, "
#define HEDDLE_FORM_GRAD_A1D(t) "tex.grad.a1d.v4." t ".f32 {%0, %1, %2, %3}, [%4, "
#define HEDDLE_FORM_GRAD_A2D(t) "tex.grad.a2d.v4." t ".f32 {%0, %1, %2, %3}, [%4, "
#define HEDDLE_FORM_GRAD_CUBE(t) "tex.grad.cube.v4." t ".f32 {%0, %1, %2, %3}, [%4, "
#define HEDDLE_FORM_GRAD_ACUBE(t) "tex.grad.acube.v4." t ".f32 {%0, %1, %2, %3}, [%4, "
#define HEDDLE_FORM_GATHER_R(t) "tld4.r.2d.v4." t ".f32 {%0, %1, %2, %3}, [%4, "
#define HEDDLE_FORM_GATHER_G(t) "tld4.g.2d.v4." t ".f32 {%0, %1, %2, %3}, [%4, "
#define HEDDLE_FORM_GATHER_B(t) "tld4.b.2d.v4." t ".f32 {%0, %1, %2, %3}, [%4, "
#define HEDDLE_FORM_GATHER_A(t) "tld4.a.2d.v4." t ".f32 {%0, %1, %2, %3}, [%4, "
HEDDLE_FETCH(1Dfetch, HEDDLE_FORM_1DFETCH, (int x), "{%5}];", ("r"(x)))
HEDDLE_FETCH(1D, HEDDLE_FORM_1D, (float x), "{%5}];", ("f"(x)))
HEDDLE_FETCH(2D, HEDDLE_FORM_2D, (float x, float y), "{%5, %6}];", ("f"(x), "f"(y)))
HEDDLE_FETCH(3D, HEDDLE_FORM_3D, (float x, float y, float z), "{%5, %6, %7, %7}];",
             ("f"(x), "f"(y), "f"(z)))
HEDDLE_FETCH(1DLayered, HEDDLE_FORM_A1D, (float x, int layer), "{%6, %5}];", ("f"(x), "r"(layer)))
HEDDLE_FETCH(2DLayered, HEDDLE_FORM_A2D, (float x, float y, int layer), "{%7, %5, %6, %6}];",
             ("f"(x), "f"(y), "r"(layer)))
HEDDLE_FETCH(Cubemap, HEDDLE_FORM_CUBE, (float x, float y, float z), "{%5, %6, %7, %7}];",
             ("f"(x), "f"(y), "f"(z)))
HEDDLE_FETCH(CubemapLayered, HEDDLE_FORM_ACUBE, (float x, float y, float z, int layer),
             "{%8, %5, %6, %7}];", ("f"(x), "f"(y), "f"(z), "r"(layer)))
HEDDLE_FETCH(1DLod, HEDDLE_FORM_LEVEL_1D, (float x, float level), "{%5}], %6;",
             ("f"(x), "f"(level)))
HEDDLE_FETCH(2DLod, HEDDLE_FORM_LEVEL_2D, (float x, float y, float level), "{%5, %6}], %7;",
             ("f"(x), "f"(y), "f"(level)))
HEDDLE_FETCH(3DLod, HEDDLE_FORM_LEVEL_3D, (float x, float y, float z, float level),
             "{%5, %6, %7, %7}], %8;", ("f"(x), "f"(y), "f"(z), "f"(level)))
HEDDLE_FETCH(1DLayeredLod, HEDDLE_FORM_LEVEL_A1D, (float x, int layer, float level),
             "{%6, %5}], %7;", ("f"(x), "r"(layer), "f"(level)))
HEDDLE_FETCH(2DLayeredLod, HEDDLE_FORM_LEVEL_A2D, (float x, float y, int layer, float level),
             "{%7, %5, %6, %6}], %8;", ("f"(x), "f"(y), "r"(layer), "f"(level)))
HEDDLE_FETCH(CubemapLod, HEDDLE_FORM_LEVEL_CUBE, (float x, float y, float z, float level),
             "{%5, %6, %7, %7}], %8;", ("f"(x), "f"(y), "f"(z), "f"(level)))
HEDDLE_FETCH(CubemapLayeredLod, HEDDLE_FORM_LEVEL_ACUBE,
             (float x, float y, float z, int layer, float level), "{%8, %5, %6, %7}], %9;",
             ("f"(x), "f"(y), "f"(z), "r"(layer), "f"(level)))
HEDDLE_FETCH(1DGrad, HEDDLE_FORM_GRAD_1D, (float x, float dx, float dy), "{%5}], {%6}, {%7};",
             ("f"(x), "f"(dx), "f"(dy)))
HEDDLE_FETCH(2DGrad, HEDDLE_FORM_GRAD_2D, (float x, float y, float2 dx, float2 dy),
             "{%5, %6}], {%7, %8}, {%9, %10};",
             ("f"(x), "f"(y), "f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y)))
HEDDLE_FETCH(3DGrad, HEDDLE_FORM_GRAD_3D, (float x, float y, float z, float4 dx, float4 dy),
             "{%5, %6, %7, %7}], {%8, %9, %10, %10}, {%11, %12, %13, %13};",
             ("f"(x), "f"(y), "f"(z), "f"(dx.x), "f"(dx.y), "f"(dx.z), "f"(dy.x), "f"(dy.y),
              "f"(dy.z)))
HEDDLE_FETCH(1DLayeredGrad, HEDDLE_FORM_GRAD_A1D, (float x, int layer, float dx, float dy),
             "{%6, %5}], {%7}, {%8};", ("f"(x), "r"(layer), "f"(dx), "f"(dy)))
HEDDLE_FETCH(2DLayeredGrad, HEDDLE_FORM_GRAD_A2D,
             (float x, float y, int layer, float2 dx, float2 dy),
             "{%7, %5, %6, %6}], {%8, %9}, {%10, %11};",
             ("f"(x), "f"(y), "r"(layer), "f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y)))
HEDDLE_FETCH(CubemapGrad, HEDDLE_FORM_GRAD_CUBE, (float x, float y, float z, float4 dx, float4 dy),
             "{%5, %6, %7, %7}], {%8, %9, %10, %10}, {%11, %12, %13, %13};",
             ("f"(x), "f"(y), "f"(z), "f"(dx.x), "f"(dx.y), "f"(dx.z), "f"(dy.x), "f"(dy.y),
              "f"(dy.z)))
HEDDLE_FETCH(CubemapLayeredGrad, HEDDLE_FORM_GRAD_ACUBE,
             (float x, float y, float z, int layer, float4 dx, float4 dy),
             "{%8, %5, %6, %7}], {%9, %10, %11, %11}, {%12, %13, %14, %14};",
             ("f"(x), "f"(y), "f"(z), "r"(layer), "f"(dx.x), "f"(dx.y), "f"(dx.z), "f"(dy.x),
              "f"(dy.y), "f"(dy.z)))
HEDDLE_FETCH(gather_r, HEDDLE_FORM_GATHER_R, (float x, float y), "{%5, %6}];", ("f"(x), "f"(y)))
HEDDLE_FETCH(gather_g, HEDDLE_FORM_GATHER_G, (float x, float y), "{%5, %6}];", ("f"(x), "f"(y)))
HEDDLE_FETCH(gather_b, HEDDLE_FORM_GATHER_B, (float x, float y), "{%5, %6}];", ("f"(x), "f"(y)))
HEDDLE_FETCH(gather_a, HEDDLE_FORM_GATHER_A, (float x, float y), "{%5, %6}];", ("f"(x), "f"(y)))

}  // namespace heddle

// tex2D(reference, ...), tex2D<T>(object, ...) and tex2D(&result, object, ...).
#define HEDDLE_TEX_FUNCTION(name, type, parameters, arguments)                            \
  template <class T, enum cudaTextureReadMode mode>                                       \
  static __device__ __forceinline__ typename heddle::Read<T, mode>::Type tex##name(       \
      texture<T, type, mode> reference, HEDDLE_OPEN parameters) {                         \
    return heddle::fetch_##name<typename heddle::Read<T, mode>::Type>(                    \
        heddle::handle_of(reference), HEDDLE_OPEN arguments);                             \
  }                                                                                       \
  template <class T>                                                                      \
  static __device__ __forceinline__ T tex##name(cudaTextureObject_t object,               \
                                                HEDDLE_OPEN parameters) {                 \
    return heddle::fetch_##name<T>(object, HEDDLE_OPEN arguments);                        \
  }                                                                                       \
  template <class T>                                                                      \
  static __device__ __forceinline__ void tex##name(T* result, cudaTextureObject_t object, \
                                                   HEDDLE_OPEN parameters) {              \
    *result = heddle::fetch_##name<T>(object, HEDDLE_OPEN arguments);                     \
  }
HEDDLE_TEX_FUNCTION(1Dfetch, cudaTextureType1D, (int x), (x))
HEDDLE_TEX_FUNCTION(1D, cudaTextureType1D, (float x), (x))
HEDDLE_TEX_FUNCTION(2D, cudaTextureType2D, (float x, float y), (x, y))
HEDDLE_TEX_FUNCTION(3D, cudaTextureType3D, (float x, float y, float z), (x, y, z))
HEDDLE_TEX_FUNCTION(1DLayered, cudaTextureType1DLayered, (float x, int layer), (x, layer))
HEDDLE_TEX_FUNCTION(2DLayered, cudaTextureType2DLayered, (float x, float y, int layer),
                    (x, y, layer))
HEDDLE_TEX_FUNCTION(Cubemap, cudaTextureTypeCubemap, (float x, float y, float z), (x, y, z))
HEDDLE_TEX_FUNCTION(CubemapLayered, cudaTextureTypeCubemapLayered,
                    (float x, float y, float z, int layer), (x, y, z, layer))
HEDDLE_TEX_FUNCTION(1DLod, cudaTextureType1D, (float x, float level), (x, level))
HEDDLE_TEX_FUNCTION(2DLod, cudaTextureType2D, (float x, float y, float level), (x, y, level))
HEDDLE_TEX_FUNCTION(3DLod, cudaTextureType3D, (float x, float y, float z, float level),
                    (x, y, z, level))
HEDDLE_TEX_FUNCTION(1DLayeredLod, cudaTextureType1DLayered, (float x, int layer, float level),
                    (x, layer, level))
HEDDLE_TEX_FUNCTION(2DLayeredLod, cudaTextureType2DLayered,
                    (float x, float y, int layer, float level), (x, y, layer, level))
HEDDLE_TEX_FUNCTION(CubemapLod, cudaTextureTypeCubemap, (float x, float y, float z, float level),
                    (x, y, z, level))
HEDDLE_TEX_FUNCTION(CubemapLayeredLod, cudaTextureTypeCubemapLayered,
                    (float x, float y, float z, int layer, float level), (x, y, z, layer, level))
HEDDLE_TEX_FUNCTION(1DGrad, cudaTextureType1D, (float x, float dx, float dy), (x, dx, dy))
HEDDLE_TEX_FUNCTION(2DGrad, cudaTextureType2D, (float x, float y, float2 dx, float2 dy),
                    (x, y, dx, dy))
HEDDLE_TEX_FUNCTION(3DGrad, cudaTextureType3D, (float x, float y, float z, float4 dx, float4 dy),
                    (x, y, z, dx, dy))
HEDDLE_TEX_FUNCTION(1DLayeredGrad, cudaTextureType1DLayered,
                    (float x, int layer, float dx, float dy), (x, layer, dx, dy))
HEDDLE_TEX_FUNCTION(CubemapGrad, cudaTextureTypeCubemap,
                    (float x, float y, float z, float4 dx, float4 dy), (x, y, z, dx, dy))
HEDDLE_TEX_FUNCTION(CubemapLayeredGrad, cudaTextureTypeCubemapLayered,
                    (float x, float y, float z, int layer, float4 dx, float4 dy),
                    (x, y, z, layer, dx, dy))
HEDDLE_TEX_FUNCTION(2DLayeredGrad, cudaTextureType2DLayered,
                    (float x, float y, int layer, float2 dx, float2 dy), (x, y, layer, dx, dy))
#undef HEDDLE_TEX_FUNCTION
template <class T>
static __device__ __forceinline__ T tex2Dgather(cudaTextureObject_t object, float x, float y,
                                                int component = 0) {
  switch (component) {
    case 1: return heddle::fetch_gather_g<T>(object, x, y);
    case 2: return heddle::fetch_gather_b<T>(object, x, y);
    case 3: return heddle::fetch_gather_a<T>(object, x, y);
    default: return heddle::fetch_gather_r<T>(object, x, y);
  }
}
