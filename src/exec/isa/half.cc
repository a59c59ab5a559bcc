// f16, bf16 and pairs of them: computed in double and rounded once.
#pragma GCC optimize("O3")
#include <cmath>

#include "exec/isa/decode.h"
#include "exec/isa/small_float.h"

namespace heddle::exec {
namespace {

using ptx::Opcode;
using ptx::Type;

template <class F, Opcode kOp>
double calculate(double x, double y, double z) {
  if constexpr (kOp == Opcode::add)
    return sum_to_odd(x, y);
  else if constexpr (kOp == Opcode::sub)
    return sum_to_odd(x, -y);
  else if constexpr (kOp == Opcode::mul)
    return x * y;  // at most 22 bits
  else if constexpr (kOp == Opcode::fma)
    return sum_to_odd(x * y, z);
  else if constexpr (kOp == Opcode::ex2)
    return std::exp2(x);
  else
    return std::tanh(x);
}

// min and max: the other operand wins over a NaN unless .NaN is given; -0 is below +0. With
// xorsign.abs magnitudes are compared and signs multiplied.
template <class F, bool kMax>
U32 extreme(U32 a, U32 b, const ptx::Instruction& i) {
  a &= 0xffff, b &= 0xffff;
  if (i.ftz) a = F::flush(a), b = F::flush(b);
  const U32 sign = (a ^ b) & 0x8000;
  if (i.xorsign) a &= 0x7fff, b &= 0x7fff;
  const float x = F::decode(a), y = F::decode(b);
  const bool x_nan = x != x, y_nan = y != y;
  if ((x_nan && y_nan) || (i.nan && (x_nan || y_nan))) return F::format.nan;
  U32 result;
  if (x_nan)
    result = b;
  else if (y_nan)
    result = a;
  else if (x == y)
    result = kMax ? a & b : a | b;
  else
    result = kMax == (x > y) ? a : b;
  return i.xorsign ? (result & 0x7fff) | sign : result;
}

template <class F, Opcode kOp>
U32 compute(U32 a, U32 b, U32 c, const ptx::Instruction& i) {
  if constexpr (kOp == Opcode::min || kOp == Opcode::max) {
    return extreme < F, kOp == Opcode::max > (a, b, i);
  } else {
    if (i.ftz) a = F::flush(a), b = F::flush(b), c = F::flush(c);
    // PTX does not define the NaN of abs and neg; an H200 gives the canonical one.
    if constexpr (kOp == Opcode::neg)
      return F::decode(a) != F::decode(a) ? 0x7fff : (a ^ 0x8000) & 0xffff;
    if constexpr (kOp == Opcode::abs) return F::decode(a) != F::decode(a) ? 0x7fff : a & 0x7fff;
    double value = calculate<F, kOp>(F::decode(a), F::decode(b), F::decode(c));
    if (i.sat) value = saturate(value);
    if (i.relu && value <= 0) value = 0;
    const U32 result = encode(F::format, value, ptx::Rounding::rn);
    return i.ftz ? F::flush(result) : result;
  }
}

template <class F, Opcode kOp, bool kPair>
void small(Warp& w, const DecodedInstruction& r, U32 mask) {
  const ptx::Instruction& i = ptx_of(r);
  lane_op<U32, U32, U32, U32>(w, r, mask, [&i](U32 a, U32 b, U32 c) {
    const U32 low = compute<F, kOp>(a, b, c, i);
    return kPair ? low | compute<F, kOp>(a >> 16, b >> 16, c >> 16, i) << 16 : low;
  });
}
template <Opcode kOp>
Handler of(Type t) {
  switch (t) {
    case Type::f16: return small<HalfFloat, kOp, false>;
    case Type::f16x2: return small<HalfFloat, kOp, true>;
    case Type::bf16: return small<BrainFloat, kOp, false>;
    case Type::bf16x2: return small<BrainFloat, kOp, true>;
    default: return nullptr;
  }
}

}  // namespace

Handler half_handler(const ptx::Instruction& i) {
  switch (i.opcode) {
    case Opcode::add: return of<Opcode::add>(i.type);
    case Opcode::sub: return of<Opcode::sub>(i.type);
    case Opcode::mul: return of<Opcode::mul>(i.type);
    case Opcode::fma: return of<Opcode::fma>(i.type);
    case Opcode::neg: return of<Opcode::neg>(i.type);
    case Opcode::abs: return of<Opcode::abs>(i.type);
    case Opcode::min: return of<Opcode::min>(i.type);
    case Opcode::max: return of<Opcode::max>(i.type);
    case Opcode::ex2: return of<Opcode::ex2>(i.type);
    case Opcode::tanh: return of<Opcode::tanh>(i.type);
    default: return nullptr;
  }
}

}  // namespace heddle::exec
