// Arithmetic of the element types of libraries: float, double, cuComplex, cuDoubleComplex, and
// conversions from narrow types. Used by kernels and by host code.
#pragma once
#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <stdint.h>

#include <type_traits>

namespace heddle {

#define HEDDLE_NUMBER __host__ __device__ __forceinline__

template <class T>
constexpr bool kComplex = std::is_same_v<T, float2> || std::is_same_v<T, double2>;

template <class T>
struct RealOf {
  using Type = T;
};
template <>
struct RealOf<float2> {
  using Type = float;
};
template <>
struct RealOf<double2> {
  using Type = double;
};
template <class T>
using Real = typename RealOf<T>::Type;

HEDDLE_NUMBER float2 operator+(float2 a, float2 b) { return {a.x + b.x, a.y + b.y}; }
HEDDLE_NUMBER double2 operator+(double2 a, double2 b) { return {a.x + b.x, a.y + b.y}; }
HEDDLE_NUMBER float2 operator-(float2 a, float2 b) { return {a.x - b.x, a.y - b.y}; }
HEDDLE_NUMBER double2 operator-(double2 a, double2 b) { return {a.x - b.x, a.y - b.y}; }
HEDDLE_NUMBER float2 operator*(float2 a, float2 b) {
  return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
HEDDLE_NUMBER double2 operator*(double2 a, double2 b) {
  return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
HEDDLE_NUMBER float2 operator*(float a, float2 b) { return {a * b.x, a * b.y}; }
HEDDLE_NUMBER double2 operator*(double a, double2 b) { return {a * b.x, a * b.y}; }

template <class T>
HEDDLE_NUMBER T reciprocal(T a) {
  if constexpr (kComplex<T>) {
    const auto d = a.x * a.x + a.y * a.y;
    return {a.x / d, -a.y / d};
  } else {
    return T(1) / a;
  }
}

template <class T>
HEDDLE_NUMBER T from_real(Real<T> x) {
  if constexpr (kComplex<T>)
    return {x, 0};
  else
    return x;
}
template <class T>
HEDDLE_NUMBER T conjugate(T a) {
  if constexpr (kComplex<T>)
    return {a.x, -a.y};
  else
    return a;
}
template <class T>
HEDDLE_NUMBER bool is_zero(T a) {
  if constexpr (kComplex<T>)
    return a.x == 0 && a.y == 0;
  else
    return a == T(0);
}
// |re| + |im|, which BLAS compares and adds.
template <class T>
HEDDLE_NUMBER Real<T> magnitude(T a) {
  if constexpr (kComplex<T>)
    return (a.x < 0 ? -a.x : a.x) + (a.y < 0 ? -a.y : a.y);
  else
    return a < 0 ? -a : a;
}
// c + a b with the fused operation of the device.
template <class T>
HEDDLE_NUMBER T multiply_add(T a, T b, T c) {
  if constexpr (kComplex<T>) {
    c.x += a.x * b.x;
    c.x -= a.y * b.y;
    c.y += a.x * b.y;
    c.y += a.y * b.x;
    return c;
  } else {
    return a * b + c;
  }
}

// Conversions between stored and computed types. Integers saturate, as the conversions of mma do.
template <class To, class From>
HEDDLE_NUMBER To convert(From x) {
  if constexpr (std::is_same_v<To, From>)
    return x;
  else if constexpr (std::is_same_v<From, __half>)
    return convert<To>(__half2float(x));
  else if constexpr (std::is_same_v<From, __nv_bfloat16>)
    return convert<To>(__bfloat162float(x));
  else if constexpr (std::is_same_v<To, __half>)
    return __float2half(static_cast<float>(x));
  else if constexpr (std::is_same_v<To, __nv_bfloat16>)
    return __float2bfloat16(static_cast<float>(x));
  else if constexpr (std::is_same_v<To, int8_t>)
    return static_cast<int8_t>(x > 127 ? 127 : x < -128 ? -128 : x);
  else
    return static_cast<To>(x);
}

}  // namespace heddle
