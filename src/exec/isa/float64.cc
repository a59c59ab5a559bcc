// Double precision. NaNs are those of the host: the payload of an operand passes through, quieted;
// a new NaN is 0xfff8000000000000.
#pragma GCC optimize("O3")
#include <cmath>

#include "exec/isa/decode.h"
#include "exec/isa/float_arithmetic.h"

namespace heddle::exec {
namespace {

using ptx::Opcode;
using V = Vector<double>;

using Op = FloatOp;

template <Op kOp, bool kPin>
[[gnu::always_inline]] inline V full(V a, V b, V c) {
  if constexpr (!kPin)
    return float_arithmetic<kOp, double>(a, b, c);
  else
    return pin(float_arithmetic<kOp, double>(pin(a), pin(b), pin(c)));
}
template <Op kOp, bool kPin>
[[gnu::always_inline]] inline void apply(Warp& w, const DecodedInstruction& r, U32 mask) {
  apply_float<kOp, double>(w, r, mask, [](V a, V b, V c) { return full<kOp, kPin>(a, b, c); });
}
template <Op kOp>
void nearest(Warp& w, const DecodedInstruction& r, U32 mask) {
  apply<kOp, false>(w, r, mask);
}
template <Op kOp>
void directed(Warp& w, const DecodedInstruction& r, U32 mask) {
  const DirectedRounding rounding{ptx_of(r).rounding};
  apply<kOp, true>(w, r, mask);
}
template <Op kOp>
Handler arithmetic_handler(const ptx::Instruction& i) {
  return is_directed(i.rounding) ? directed<kOp> : nearest<kOp>;
}

template <bool kMax>
void extreme(Warp& w, const DecodedInstruction& r, U32 mask) {
  vector_op<double, 2>(w, r, mask, [](V x, V y) {
    const __m256d a = (__m256d)x, b = (__m256d)y;
    __m256d m = kMax ? _mm256_max_pd(a, b) : _mm256_min_pd(a, b);  // b when unordered or equal
    const __m256d zeros = kMax ? _mm256_and_pd(a, b) : _mm256_or_pd(a, b);
    m = _mm256_blendv_pd(m, zeros, _mm256_cmp_pd(a, b, _CMP_EQ_OQ));
    m = _mm256_blendv_pd(m, a, _mm256_cmp_pd(b, b, _CMP_UNORD_Q));
    // Both operands are NaNs: the canonical NaN.
    const __m256d nan = _mm256_castsi256_pd(_mm256_set1_epi64x(0x7fffffffffffffff));
    return (V)_mm256_blendv_pd(m, nan, _mm256_cmp_pd(m, m, _CMP_UNORD_Q));
  });
}
// PTX does not define the NaN of abs and neg; an H200 keeps its sign and payload and makes it
// quiet.
U64 quiet_or(U64 a, U64 number) {
  constexpr U64 kInfinity = 0x7ff0000000000000, kQuiet = 0x0008000000000000;
  return (a & 0x7fffffffffffffff) > kInfinity ? a | kQuiet : number;
}
void absolute(Warp& w, const DecodedInstruction& r, U32 m) {
  lane_op<U64, U64>(w, r, m, [](U64 a) { return quiet_or(a, a & 0x7fffffffffffffff); });
}
void negate(Warp& w, const DecodedInstruction& r, U32 m) {
  lane_op<U64, U64>(w, r, m, [](U64 a) { return quiet_or(a, a ^ 0x8000000000000000); });
}
void copysign(Warp& w, const DecodedInstruction& r, U32 m) {
  vector_op<U64, 2>(w, r, m, [](auto a, auto b) {
    return (a & 0x8000000000000000ull) | (b & 0x7fffffffffffffffull);
  });
}

// The ftz approximations read and write the upper word only; the lower word of the result is zero.
double upper(double x) {
  return std::bit_cast<double>(std::bit_cast<U64>(x) & 0xffffffff00000000ull);
}
double flush64(double x) { return std::fabs(x) < 0x1p-1022 ? std::copysign(0.0, x) : x; }
double approximate(double x) {
  if (std::isnan(x)) return std::bit_cast<double>(U64{0x7fffffff00000000ull});
  return flush64(upper(x));
}
void rcp_approx(Warp& w, const DecodedInstruction& r, U32 m) {
  lane_op<double, double>(w, r, m, [](double x) { return approximate(1.0 / flush64(upper(x))); });
}
void rsqrt_approx(Warp& w, const DecodedInstruction& r, U32 m) {
  const bool ftz = ptx_of(r).ftz;
  lane_op<double, double>(w, r, m, [ftz](double x) {
    return ftz ? approximate(1.0 / std::sqrt(flush64(upper(x)))) : 1.0 / std::sqrt(x);
  });
}

}  // namespace

Handler float64_handler(const ptx::Instruction& i) {
  switch (i.opcode) {
    case Opcode::add: return arithmetic_handler<Op::add>(i);
    case Opcode::sub: return arithmetic_handler<Op::sub>(i);
    case Opcode::mul: return arithmetic_handler<Op::mul>(i);
    case Opcode::mad:
    case Opcode::fma: return arithmetic_handler<Op::fma>(i);
    case Opcode::div: return arithmetic_handler<Op::div>(i);
    case Opcode::rcp: return i.approx ? rcp_approx : arithmetic_handler<Op::rcp>(i);
    case Opcode::sqrt: return arithmetic_handler<Op::sqrt>(i);
    case Opcode::rsqrt: return rsqrt_approx;
    case Opcode::min: return extreme<false>;
    case Opcode::max: return extreme<true>;
    case Opcode::abs: return absolute;
    case Opcode::neg: return negate;
    case Opcode::copysign: return copysign;
    case Opcode::testp: return test_property<double>;
    default: return nullptr;
  }
}

}  // namespace heddle::exec
