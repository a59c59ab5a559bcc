// Rotations of Jacobi's methods. A sweep has rounds of pairs that have no index in common, so that
// all pairs of a round are rotated at once.
#pragma once
#include "cusolver/handle.h"

namespace heddle::solver {

struct Pair {
  int64_t p, q;  // p < q
};
// Pairs of a tournament of n indices: n - 1 rounds (n for odd n), (n + 1) / 2 pairs each.
inline int64_t rounds_of(int64_t n) { return n + n % 2 - 1; }
inline int64_t pairs_of(int64_t n) { return (n + 1) / 2; }
__device__ __forceinline__ bool find_pair(int64_t n, int64_t round, int64_t i, Pair* pair) {
  const int64_t last = n + n % 2 - 1;
  const int64_t a = i == 0 ? last : (round + i) % last, b = (round + last - i) % last;
  *pair = {a < b ? a : b, a < b ? b : a};
  return pair->q < n && a != b;
}

// Diagonalises the hermitian matrix (a b; b* d): columns x, y become c x - s y and
// s' x + c' y, where s, c' have the phase of b*.
template <class T>
struct Rotation {
  Real<T> c, s;
  T phased_c, phased_s;
};
template <class T>
__device__ __forceinline__ Real<T> length(T a) {
  if constexpr (kComplex<T>)
    return hypot(a.x, a.y);
  else
    return fabs(a);
}
template <class T>
__device__ Rotation<T> rotation(Real<T> a, T b, Real<T> d) {
  const Real<T> size = length(b);
  // Less has no reciprocal, and its square no digits.
  if (size < (sizeof size == 4 ? Real<T>(1e-37) : Real<T>(1e-307)))
    return {1, 0, one<T>(), zero<T>()};
  const Real<T> ratio = (d - a) / (2 * size);
  const Real<T> far = fabs(ratio) + sqrt(ratio * ratio + 1);
  const Real<T> tangent = (ratio < 0 ? -1 : 1) / far, c = 1 / sqrt(tangent * tangent + 1);
  const T phase = (1 / size) * conjugate(b);
  return {c, tangent * c, c * phase, (tangent * c) * phase};
}
template <class T>
__device__ __forceinline__ void rotate(const Rotation<T>& r, T& x, T& y) {
  const T left = x, right = y;
  x = r.c * left - r.phased_s * right;
  y = r.s * left + r.phased_c * right;
}

template <class T>
constexpr Real<T> kEpsilon = sizeof(Real<T>) == 4 ? Real<T>(1.2e-7) : Real<T>(2.3e-16);

}  // namespace heddle::solver
