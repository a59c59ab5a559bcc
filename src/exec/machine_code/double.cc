// Double precision, in pairs of registers. Arithmetic is PTX's (exec/isa/float64.cc).
#pragma GCC optimize("O3")
#include "exec/isa/comparison.h"
#include "exec/isa/float_arithmetic.h"
#include "exec/machine_code/operands.h"

namespace heddle::exec {
namespace {

using sass::Opcode;
using V = Vector<double>;
using Op = FloatOp;

constexpr int kPairVectors = 8;  // in the rows of a pair

// |x|, -x, -|x| of a source. A NaN keeps its sign (an H200 does so for abs.f64 and neg.f64, which
// are DADD).
struct DoubleSigns {
  __m256i keep, flip;
  DoubleSigns(const DecodedInstruction& r, int k)
      : keep(_mm256_set1_epi64x(has_source_flag(r, k, kAbsolute) ? 0x7fffffffffffffff : -1)),
        flip(_mm256_slli_epi64(_mm256_set1_epi64x(has_source_flag(r, k, kNegated)), 63)) {}
  [[gnu::always_inline]] V load(const std::uint8_t* pair, int part) const {
    const __m256i x = load_pair(pair, part);
    const __m256d number = _mm256_cmp_pd((__m256d)x, (__m256d)x, _CMP_ORD_Q);
    const __m256i with_sign = _mm256_xor_si256(_mm256_and_si256(x, keep), flip);
    return (V)_mm256_blendv_pd((__m256d)x, (__m256d)with_sign, number);
  }
};

template <Op kOp, bool kPin>
[[gnu::always_inline]] inline void calculate(Warp& w, const DecodedInstruction& r, U32 mask) {
  constexpr int kThird = kOp == Op::fma ? 2 : 1;
  const std::uint8_t *a = row(w, r.src[0]), *b = row(w, r.src[1]), *c = row(w, r.src[kThird]);
  const DoubleSigns of_a{r, 0}, of_b{r, 1}, of_c{r, kThird};
  alignas(64) __m256i result[kPairVectors];
  for (int i = 0; i < kPairVectors; ++i) {
    V x = of_a.load(a, i), y = of_b.load(b, i), z = of_c.load(c, i);
    if constexpr (kPin) x = pin(x), y = pin(y), z = pin(z);
    V value = float_arithmetic<kOp, double>(x, y, z);
    if constexpr (kPin) value = pin(value);
    result[i] = (__m256i)value;
  }
  store_pairs(w, r, result, mask);
}
template <Op kOp>
void nearest(Warp& w, const DecodedInstruction& r, U32 mask) {
  calculate<kOp, false>(w, r, mask);
}
template <Op kOp>
void directed(Warp& w, const DecodedInstruction& r, U32 mask) {
  const DirectedRounding rounding{static_cast<ptx::Rounding>(r.offset)};
  calculate<kOp, true>(w, r, mask);
}
template <Op kOp>
Handler arithmetic_handler(const sass::Instruction& i, DecodedInstruction& r) {
  const ptx::Rounding rounding = rounding_of(i);
  r.offset = static_cast<std::int64_t>(rounding);
  return is_directed(rounding) ? directed<kOp> : nearest<kOp>;
}

template <ptx::Compare kOp>
void comparison(Warp& w, const DecodedInstruction& r, U32 mask) {
  const std::uint8_t *a = row(w, r.src[0]), *b = row(w, r.src[1]);
  const DoubleSigns of_a{r, 0}, of_b{r, 1};
  U32 holds = 0;
  for (int i = 0; i < kPairVectors; ++i) {
    const auto lanes = (__m256d)test<kOp>(of_a.load(a, i), of_b.load(b, i));
    holds |= static_cast<U32>(_mm256_movemask_pd(lanes)) << (4 * i);
  }
  store_comparison<false>(w, r, holds, mask);
}
// MIN: the first result says where the first operand is the minimum, the second where both operands
// are NaNs; so ptxas uses them for min.f64.
template <bool kMax>
void select_extreme(Warp& w, const DecodedInstruction& r, U32 mask) {
  const std::uint8_t *a = row(w, r.src[0]), *b = row(w, r.src[1]);
  const DoubleSigns of_a{r, 0}, of_b{r, 1};
  U32 first = 0, unordered = 0;
  for (int i = 0; i < kPairVectors; ++i) {
    const V x = of_a.load(a, i), y = of_b.load(b, i);
    const auto negative = (__m256i)x < 0;
    const auto is_first =
        (kMax ? x > y : x < y) | ((x == y) & (kMax ? ~negative : negative)) | ((x == x) & (y != y));
    first |= static_cast<U32>(_mm256_movemask_pd((__m256d)is_first)) << (4 * i);
    const auto neither = (x != x) & (y != y);
    unordered |= static_cast<U32>(_mm256_movemask_pd((__m256d)neither)) << (4 * i);
  }
  set_predicate(w, r.dst_predicate[0], first, mask);
  set_predicate(w, r.dst_predicate[1], unordered, mask);
}
Handler extreme_handler(const sass::Instruction& i, bool maximum) {
  if (!is_true(source_predicate(i, 0)) || !has_modifier(i, sass::Combine::AND)) return nullptr;
  return maximum ? select_extreme<true> : select_extreme<false>;
}

Handler comparison_handler(const sass::Instruction& i, DecodedInstruction& r) {
  using enum sass::DoubleCompare;
  using ptx::Compare;
  r.offset = static_cast<std::int64_t>(*sass::modifier_of<sass::Combine>(i));
  switch (*sass::modifier_of<sass::DoubleCompare>(i)) {
    case LT: return comparison<Compare::lt>;
    case EQ: return comparison<Compare::eq>;
    case LE: return comparison<Compare::le>;
    case GT: return comparison<Compare::gt>;
    case NE: return comparison<Compare::ne>;
    case GE: return comparison<Compare::ge>;
    case NUM: return comparison<Compare::num>;
    case nNAN: return comparison<Compare::nan>;
    case LTU: return comparison<Compare::ltu>;
    case EQU: return comparison<Compare::equ>;
    case LEU: return comparison<Compare::leu>;
    case GTU: return comparison<Compare::gtu>;
    case NEU: return comparison<Compare::neu>;
    case GEU: return comparison<Compare::geu>;
    case MIN: return extreme_handler(i, false);
    case MAX: return extreme_handler(i, true);
  }
  return nullptr;
}

}  // namespace

Handler double_handler(const sass::Instruction& i, DecodedInstruction& r) {
  switch (i.opcode) {
    case Opcode::DADD: return arithmetic_handler<Op::add>(i, r);
    case Opcode::DMUL: return arithmetic_handler<Op::mul>(i, r);
    case Opcode::DFMA: return arithmetic_handler<Op::fma>(i, r);
    case Opcode::DSETP: return comparison_handler(i, r);
    default: return nullptr;
  }
}

}  // namespace heddle::exec
