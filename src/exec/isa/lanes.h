// Operations on the 32 lanes of a warp, from which handlers are built. A result is computed for all
// lanes and stored for the lanes of the mask: computing inactive lanes costs nothing, a masked
// store does.
#pragma once

#include <immintrin.h>

#include <cstdint>

#include "exec/state/registers.h"

namespace heddle::exec {

// All ones in the elements of the `part`-th vector whose lanes are in the mask.
template <int kBytes>
[[gnu::always_inline]] inline __m256i expand(std::uint32_t mask, int part) {
  if constexpr (kBytes == 4) {
    const __m256i bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    return _mm256_cmpeq_epi32(
        _mm256_and_si256(_mm256_set1_epi32(static_cast<int>(mask >> (8 * part))), bits), bits);
  } else {
    const __m256i bits = _mm256_setr_epi64x(1, 2, 4, 8);
    return _mm256_cmpeq_epi64(
        _mm256_and_si256(_mm256_set1_epi64x(static_cast<long long>(mask >> (4 * part))), bits),
        bits);
  }
}

// Copies the lanes of `values` that are in the mask.
template <int kBytes>
[[gnu::always_inline]] inline void store_lanes(void* to, const void* values, std::uint32_t mask) {
  auto* d = static_cast<__m256i*>(to);
  const auto* v = static_cast<const __m256i*>(values);
  if (mask == ~std::uint32_t{0}) {
#pragma GCC unroll 8
    for (int i = 0; i < kBytes; ++i) _mm256_store_si256(d + i, _mm256_load_si256(v + i));
    return;
  }
#pragma GCC unroll 8
  for (int i = 0; i < kBytes; ++i)
    _mm256_store_si256(d + i, _mm256_blendv_epi8(_mm256_load_si256(d + i), _mm256_load_si256(v + i),
                                                 expand<kBytes>(mask, i)));
}
template <class T>
[[gnu::always_inline]] inline void store_result(Warp& w, const DecodedInstruction& r,
                                                const T* values, std::uint32_t mask) {
  store_lanes<sizeof(T)>(w.bases[0] + r.dst[0], values, mask);
}

// d = f(vectors of the N sources), sources and result being T.
template <class T, int N, class F>
[[gnu::always_inline]] inline void vector_op(Warp& w, const DecodedInstruction& r,
                                             std::uint32_t mask, F f) {
  const auto* a = reinterpret_cast<const Vector<T>*>(row(w, r.src[0]));
  const auto* b = reinterpret_cast<const Vector<T>*>(row(w, r.src[1]));
  const auto* c = reinterpret_cast<const Vector<T>*>(row(w, r.src[2]));
  auto compute = [&](int i) __attribute__((always_inline)) {
    if constexpr (N == 1)
      return f(a[i]);
    else if constexpr (N == 2)
      return f(a[i], b[i]);
    else
      return f(a[i], b[i], c[i]);
  };
  if (mask == r.direct) [[likely]] {
    auto* d = reinterpret_cast<Vector<T>*>(w.bases[0] + r.dst[0]);
#pragma GCC unroll 8
    for (int i = 0; i < kVectors<T>; ++i) d[i] = (Vector<T>)compute(i);
    return;
  }
  alignas(64) Vector<T> result[kVectors<T>];
#pragma GCC unroll 8
  for (int i = 0; i < kVectors<T>; ++i) result[i] = (Vector<T>)compute(i);
  store_lanes<sizeof(T)>(w.bases[0] + r.dst[0], result, mask);
}

// d = f(a), f(a, b) or f(a, b, c), lane by lane; for operations without a vector form and for
// sources and results of different widths.
template <class D, class A, class F>
[[gnu::always_inline]] inline void lane_op(Warp& w, const DecodedInstruction& r, std::uint32_t mask,
                                           F f) {
  const auto* a = source<A>(w, r, 0);
  alignas(64) D result[kWarpSize];
#pragma GCC ivdep
  for (int l = 0; l < kWarpSize; ++l) result[l] = f(a[l]);
  store_result(w, r, result, mask);
}
template <class D, class A, class B, class F>
[[gnu::always_inline]] inline void lane_op(Warp& w, const DecodedInstruction& r, std::uint32_t mask,
                                           F f) {
  const auto* a = source<A>(w, r, 0);
  const auto* b = source<B>(w, r, 1);
  alignas(64) D result[kWarpSize];
#pragma GCC ivdep
  for (int l = 0; l < kWarpSize; ++l) result[l] = f(a[l], b[l]);
  store_result(w, r, result, mask);
}
template <class D, class A, class B, class C, class F>
[[gnu::always_inline]] inline void lane_op(Warp& w, const DecodedInstruction& r, std::uint32_t mask,
                                           F f) {
  const auto* a = source<A>(w, r, 0);
  const auto* b = source<B>(w, r, 1);
  const auto* c = source<C>(w, r, 2);
  alignas(64) D result[kWarpSize];
#pragma GCC ivdep
  for (int l = 0; l < kWarpSize; ++l) result[l] = f(a[l], b[l], c[l]);
  store_result(w, r, result, mask);
}

// One bit per element of four (32-bit lanes) or eight (64-bit lanes) comparison results.
template <class T, class F>
[[gnu::always_inline]] inline std::uint32_t vector_test(const Warp& w, const DecodedInstruction& r,
                                                        F f) {
  const auto* a = reinterpret_cast<const Vector<T>*>(row(w, r.src[0]));
  const auto* b = reinterpret_cast<const Vector<T>*>(row(w, r.src[1]));
  std::uint32_t bits = 0;
#pragma GCC unroll 8
  for (int i = 0; i < kVectors<T>; ++i) {
    const auto m = f(a[i], b[i]);
    if constexpr (sizeof(T) == 4)
      bits |= static_cast<std::uint32_t>(_mm256_movemask_ps((__m256)m)) << (8 * i);
    else
      bits |= static_cast<std::uint32_t>(_mm256_movemask_pd((__m256d)m)) << (4 * i);
  }
  return bits;
}

}  // namespace heddle::exec
