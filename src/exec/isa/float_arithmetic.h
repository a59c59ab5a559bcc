// What single and double precision share.
#pragma once

#include <cmath>
#include <type_traits>

#include "exec/isa/float_bits.h"

namespace heddle::exec {

enum class FloatOp { add, sub, mul, fma, div, rcp, sqrt };

// Of two NaNs the host takes the first operand's. Compilers exchange the operands of sums and
// products, so that it would depend on the lane.
template <FloatOp kOp>
[[gnu::always_inline]] inline Vector<double> ordered_arithmetic(Vector<double> a, Vector<double> b,
                                                                Vector<double> c) {
  if constexpr (kOp == FloatOp::add)
    asm("vaddpd %1, %0, %0" : "+x"(a) : "xm"(b));
  else if constexpr (kOp == FloatOp::mul)
    asm("vmulpd %1, %0, %0" : "+x"(a) : "xm"(b));
  else
    asm("vfmadd213pd %2, %1, %0" : "+x"(a) : "x"(b), "xm"(c));
  return a;
}

template <FloatOp kOp, class T>
[[gnu::always_inline]] inline Vector<T> float_arithmetic(Vector<T> a, Vector<T> b, Vector<T> c) {
  using V = Vector<T>;
  constexpr bool kSingle = std::is_same_v<T, float>;
  if constexpr (!kSingle && (kOp == FloatOp::add || kOp == FloatOp::mul || kOp == FloatOp::fma))
    return ordered_arithmetic<kOp>(a, b, c);
  else if constexpr (kOp == FloatOp::add)
    return a + b;
  else if constexpr (kOp == FloatOp::sub)
    return a - b;
  else if constexpr (kOp == FloatOp::mul)
    return a * b;
  else if constexpr (kOp == FloatOp::fma)
    return (V)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
  else if constexpr (kOp == FloatOp::div)
    return a / b;
  else if constexpr (kOp == FloatOp::rcp && kSingle)
    return (V)_mm256_set1_ps(1) / a;
  else if constexpr (kOp == FloatOp::rcp)
    return (V)_mm256_set1_pd(1) / a;
  else if constexpr (kSingle)
    return (V)_mm256_sqrt_ps((__m256)a);
  else
    return (V)_mm256_sqrt_pd((__m256d)a);
}

// The operand that is not a NaN; -0 below +0.
template <bool kMax, bool kFtz>
[[gnu::always_inline]] inline Vector<float> float_extreme(Vector<float> x, Vector<float> y) {
  if constexpr (kFtz) x = flush(x), y = flush(y);
  const __m256 a = (__m256)x, b = (__m256)y;
  __m256 m = kMax ? _mm256_max_ps(a, b) : _mm256_min_ps(a, b);  // b when unordered or equal
  const __m256 zeros = kMax ? _mm256_and_ps(a, b) : _mm256_or_ps(a, b);
  m = _mm256_blendv_ps(m, zeros, _mm256_cmp_ps(a, b, _CMP_EQ_OQ));
  m = _mm256_blendv_ps(m, a, _mm256_cmp_ps(b, b, _CMP_UNORD_Q));
  return canonical((Vector<float>)m);
}

// full(a, b, c): the operation with what the format adds to it. Operands that it does not have
// repeat the last one.
template <FloatOp kOp, class T, class F>
[[gnu::always_inline]] inline void apply_float(Warp& w, const DecodedInstruction& r,
                                               std::uint32_t mask, F full) {
  using V = Vector<T>;
  if constexpr (kOp == FloatOp::rcp || kOp == FloatOp::sqrt)
    vector_op<T, 1>(w, r, mask, [full](V a) { return full(a, a, a); });
  else if constexpr (kOp == FloatOp::fma)
    vector_op<T, 3>(w, r, mask, full);
  else
    vector_op<T, 2>(w, r, mask, [full](V a, V b) { return full(a, b, b); });
}

template <class T>
void test_property(Warp& w, const DecodedInstruction& r, std::uint32_t mask) {
  const auto* a = source<T>(w, r, 0);
  std::uint32_t holds = 0;
  for (int l = 0; l < kWarpSize; ++l) {
    const T x = a[l];
    bool is = false;
    switch (ptx_of(r).as<ptx::TestProperty>()) {
      case ptx::TestProperty::finite: is = std::isfinite(x); break;
      case ptx::TestProperty::infinite: is = std::isinf(x); break;
      case ptx::TestProperty::number: is = !std::isnan(x); break;
      case ptx::TestProperty::notanumber: is = std::isnan(x); break;
      case ptx::TestProperty::normal: is = std::isnormal(x) || x == 0; break;
      case ptx::TestProperty::subnormal: is = std::fpclassify(x) == FP_SUBNORMAL; break;
    }
    holds |= std::uint32_t{is} << l;
  }
  set_predicate(w, r.dst_predicate[0], holds, mask);
}

}  // namespace heddle::exec
