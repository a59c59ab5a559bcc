// Single precision.
#pragma GCC optimize("O3")
#include <cmath>

#include "exec/isa/decode.h"
#include "exec/isa/float_arithmetic.h"

namespace heddle::exec {
namespace {

using ptx::Opcode;
using V = Vector<float>;

using Op = FloatOp;

// The operation, with flushing of operands and result, and saturation.
template <Op kOp, bool kFtz, bool kSat, bool kPin>
[[gnu::always_inline]] inline V full(V a, V b, V c) {
  if constexpr (kFtz) a = flush(a), b = flush(b), c = flush(c);
  if constexpr (kPin) a = pin(a), b = pin(b), c = pin(c);
  V result = float_arithmetic<kOp, float>(a, b, c);
  if constexpr (kPin) result = pin(result);
  if constexpr (kFtz && kOp == Op::rcp) {
    // The exact result is subnormal: it is flushed, also when rounding makes it normal.
    const __m256 sign = _mm256_set1_ps(-0.0f), size = _mm256_andnot_ps(sign, (__m256)a);
    const __m256 small = _mm256_cmp_ps(size, _mm256_set1_ps(0x1p126f), _CMP_GT_OQ);
    result = (V)_mm256_andnot_ps(_mm256_andnot_ps(sign, small), (__m256)result);
  }
  if constexpr (kFtz) result = flush(result);
  if constexpr (kSat)
    return saturate(result);
  else
    return canonical(result);
}

template <Op kOp, bool kFtz, bool kSat, bool kPin>
[[gnu::always_inline]] inline void apply(Warp& w, const DecodedInstruction& r, U32 mask) {
  apply_float<kOp, float>(w, r, mask,
                          [](V a, V b, V c) { return full<kOp, kFtz, kSat, kPin>(a, b, c); });
}
template <Op kOp, bool kFtz, bool kSat>
void nearest(Warp& w, const DecodedInstruction& r, U32 mask) {
  apply<kOp, kFtz, kSat, false>(w, r, mask);
}
template <Op kOp, bool kFtz, bool kSat>
void directed(Warp& w, const DecodedInstruction& r, U32 mask) {
  const DirectedRounding rounding{ptx_of(r).rounding};
  apply<kOp, kFtz, kSat, true>(w, r, mask);
}
template <Op kOp>
Handler arithmetic_handler(const ptx::Instruction& i) {
  const bool other = is_directed(i.rounding);
  if (i.ftz && i.sat) return other ? directed<kOp, true, true> : nearest<kOp, true, true>;
  if (i.ftz) return other ? directed<kOp, true, false> : nearest<kOp, true, false>;
  if (i.sat) return other ? directed<kOp, false, true> : nearest<kOp, false, true>;
  return other ? directed<kOp, false, false> : nearest<kOp, false, false>;
}

template <bool kMax, bool kFtz>
void extreme(Warp& w, const DecodedInstruction& r, U32 mask) {
  vector_op<float, 2>(w, r, mask, [](V x, V y) { return float_extreme<kMax, kFtz>(x, y); });
}

// min and max of two or three operands. With .NaN a NaN wins; with .abs magnitudes are compared,
// with .xorsign the signs are multiplied.
template <bool kMax>
void extreme_variant(Warp& w, const DecodedInstruction& r, U32 mask) {
  const ptx::Instruction& i = ptx_of(r);
  const auto of_two = [&i](float a, float b) {
    if (i.ftz) a = flush(a), b = flush(b);
    if (std::isnan(a) || std::isnan(b)) {
      if (i.nan || (std::isnan(a) && std::isnan(b))) return std::bit_cast<float>(kCanonicalNan);
    }
    const bool negative = std::signbit(a) != std::signbit(b);
    if (i.absolute) a = std::fabs(a), b = std::fabs(b);
    float m = std::isnan(a) ? b : std::isnan(b) ? a : kMax == (a > b) ? a : b;
    if (a == b) m = std::signbit(a) == kMax ? b : a;
    return i.xorsign ? std::copysign(m, negative ? -1.0f : 1.0f) : m;
  };
  if (r.src[2].present)
    lane_op<float, float, float, float>(
        w, r, mask, [&](float a, float b, float c) { return of_two(of_two(a, b), c); });
  else
    lane_op<float, float, float>(w, r, mask, of_two);
}

// PTX does not define the NaN of abs and neg; an H200 gives the canonical one.
template <bool kFtz>
void absolute(Warp& w, const DecodedInstruction& r, U32 mask) {
  vector_op<float, 1>(w, r, mask, [](V x) {
    const V y = canonical((V)_mm256_andnot_ps(_mm256_set1_ps(-0.0f), (__m256)x));
    if constexpr (kFtz)
      return flush(y);
    else
      return y;
  });
}
template <bool kFtz>
void negate(Warp& w, const DecodedInstruction& r, U32 mask) {
  vector_op<float, 1>(w, r, mask, [](V x) {
    const V y = canonical((V)_mm256_xor_ps(_mm256_set1_ps(-0.0f), (__m256)x));
    if constexpr (kFtz)
      return flush(y);
    else
      return y;
  });
}
// The sign of the first operand and the magnitude of the second.
void copysign(Warp& w, const DecodedInstruction& r, U32 mask) {
  vector_op<U32, 2>(w, r, mask,
                    [](auto a, auto b) { return (a & 0x80000000u) | (b & 0x7fffffffu); });
}

// Special function unit. The host's library is more exact than the tables of the hardware.
template <bool kFtz, class F>
[[gnu::always_inline]] inline void special(Warp& w, const DecodedInstruction& r, U32 mask, F f) {
  lane_op<float, float>(
      w, r, mask, [f](float x) { return kFtz ? flush(canonical(f(flush(x)))) : canonical(f(x)); });
}
template <bool kFtz>
void rsqrt(Warp& w, const DecodedInstruction& r, U32 m) {
  special<kFtz>(
      w, r, m, [](float x) { return static_cast<float>(1.0 / std::sqrt(static_cast<double>(x))); });
}
template <bool kFtz>
void sine(Warp& w, const DecodedInstruction& r, U32 m) {
  special<kFtz>(w, r, m, [](float x) { return std::sin(x); });
}
template <bool kFtz>
void cosine(Warp& w, const DecodedInstruction& r, U32 m) {
  special<kFtz>(w, r, m, [](float x) { return std::cos(x); });
}
template <bool kFtz>
void log2(Warp& w, const DecodedInstruction& r, U32 m) {
  special<kFtz>(w, r, m, [](float x) { return std::log2(x); });
}
template <bool kFtz>
void exp2(Warp& w, const DecodedInstruction& r, U32 m) {
  special<kFtz>(w, r, m, [](float x) { return std::exp2(x); });
}
void hyperbolic_tangent(Warp& w, const DecodedInstruction& r, U32 m) {
  special<false>(w, r, m, [](float x) { return std::tanh(x); });
}

// div.approx: above 2^126 the reciprocal of the divisor is flushed, so the quotient is 0, or NaN
// for an infinite dividend.
template <bool kFtz>
void divide_approximately(Warp& w, const DecodedInstruction& r, U32 m) {
  lane_op<float, float, float>(w, r, m, [](float a, float b) {
    if (kFtz) a = flush(a), b = flush(b);
    const float size = std::fabs(b);
    float q = a / b;
    if (size > 0x1p126f && size <= 0x1.fffffep127f) {
      q = std::isinf(a) ? std::bit_cast<float>(kCanonicalNan)
                        : std::copysign(0.0f, std::signbit(a) != std::signbit(b) ? -1.0f : 1.0f);
      if (std::isnan(a)) q = a;
    }
    q = canonical(q);
    return kFtz ? flush(q) : q;
  });
}

template <bool kMax>
Handler extreme_handler(const ptx::Instruction& i) {
  if (i.nan || i.absolute || i.src[2]) return extreme_variant<kMax>;
  return i.ftz ? extreme<kMax, true> : extreme<kMax, false>;
}

}  // namespace

Handler float32_handler(const ptx::Instruction& i) {
  switch (i.opcode) {
    case Opcode::add: return arithmetic_handler<Op::add>(i);
    case Opcode::sub: return arithmetic_handler<Op::sub>(i);
    case Opcode::mul: return arithmetic_handler<Op::mul>(i);
    case Opcode::mad:
    case Opcode::fma: return arithmetic_handler<Op::fma>(i);
    case Opcode::div:
      if (i.approx) return i.ftz ? divide_approximately<true> : divide_approximately<false>;
      return arithmetic_handler<Op::div>(i);
    case Opcode::rcp: return arithmetic_handler<Op::rcp>(i);
    case Opcode::sqrt: return arithmetic_handler<Op::sqrt>(i);
    case Opcode::min: return extreme_handler<false>(i);
    case Opcode::max: return extreme_handler<true>(i);
    case Opcode::abs: return i.ftz ? absolute<true> : absolute<false>;
    case Opcode::neg: return i.ftz ? negate<true> : negate<false>;
    case Opcode::copysign: return copysign;
    case Opcode::rsqrt: return i.ftz ? rsqrt<true> : rsqrt<false>;
    case Opcode::sin: return i.ftz ? sine<true> : sine<false>;
    case Opcode::cos: return i.ftz ? cosine<true> : cosine<false>;
    case Opcode::lg2: return i.ftz ? log2<true> : log2<false>;
    case Opcode::ex2: return i.ftz ? exp2<true> : exp2<false>;
    case Opcode::tanh: return hyperbolic_tangent;
    case Opcode::testp: return test_property<float>;
    default: return nullptr;
  }
}

}  // namespace heddle::exec
