// Half precision and pairs of it: computed in double, which is wide enough for one rounding to be the only one.
#pragma GCC optimize("O3")
#include <cmath>

#include "exec/float_bits.h"

namespace heddle::exec {
namespace {

using ptx::Opcode;
using U32 = std::uint32_t;

double widen(U32 h) { return static_cast<double>(_mm_cvtss_f32(_mm_cvtph_ps(_mm_cvtsi32_si128(static_cast<int>(h & 0xffff))))); }
U32 round_to_half(double x) {
  if (x != x) return 0x7fff;
  // Through single with an odd last bit when inexact, so that the second rounding sees what was lost.
  auto f = static_cast<float>(x);
  if (std::isfinite(x) && static_cast<double>(f) != x) {
    U32 bits = std::bit_cast<U32>(f);
    if (std::fabs(static_cast<double>(f)) > std::fabs(x)) --bits;
    f = std::bit_cast<float>(bits | 1);
  }
  return static_cast<U32>(_mm_extract_epi16(_mm_cvtps_ph(_mm_set_ss(f), _MM_FROUND_TO_NEAREST_INT), 0));
}
U32 flush_half(U32 h) { return (h & 0x7c00) == 0 ? h & 0x8000 : h; }

template <Opcode kOp> U32 compute(U32 a, U32 b, U32 c, bool ftz, bool sat) {
  if (ftz) a = flush_half(a & 0xffff), b = flush_half(b & 0xffff), c = flush_half(c & 0xffff);
  if constexpr (kOp == Opcode::neg) return (a ^ 0x8000) & 0xffff;
  if constexpr (kOp == Opcode::abs) return a & 0x7fff;
  const double x = widen(a), y = widen(b), z = widen(c);
  double value = 0;
  if constexpr (kOp == Opcode::add) value = x + y;
  if constexpr (kOp == Opcode::sub) value = x - y;
  if constexpr (kOp == Opcode::mul) value = x * y;
  if constexpr (kOp == Opcode::fma) value = std::fma(x, y, z);
  if constexpr (kOp == Opcode::min || kOp == Opcode::max) {
    if (x != x && y != y) return 0x7fff;
    if (x != x) return b & 0xffff;
    if (y != y) return a & 0xffff;
    if (x == y) return (kOp == Opcode::max ? a & b : a | b) & 0xffff;
    return ((kOp == Opcode::max) == (x > y) ? a : b) & 0xffff;
  }
  if (sat) value = saturate(value);
  const U32 h = round_to_half(value);
  return ftz ? flush_half(h) : h;
}

template <Opcode kOp, bool kPair> void half(Warp& w, const Record& r, U32 mask) {
  const bool ftz = r.instruction->ftz, sat = r.instruction->sat;
  lane_op<U32, U32, U32, U32>(w, r, mask, [ftz, sat](U32 a, U32 b, U32 c) {
    const U32 low = compute<kOp>(a, b, c, ftz, sat);
    return kPair ? low | compute<kOp>(a >> 16, b >> 16, c >> 16, ftz, sat) << 16 : low;
  });
}
template <Opcode kOp>
Handler of(ptx::Type t) {
  return t == ptx::Type::f16x2 ? half<kOp, true> : t == ptx::Type::f16 ? half<kOp, false> : nullptr;
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
    default: return nullptr;
  }
}

}  // namespace heddle::exec
