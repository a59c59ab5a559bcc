// Pairs of half precision and of bfloat16, computed in double and rounded once, as PTX's
// (exec/isa/half.cc). HFMA2 is also how ptxas moves constants.
#pragma GCC optimize("O3")
#include <cmath>

#include "exec/isa/small_float.h"
#include "exec/machine_code/operands.h"

namespace heddle::exec {
namespace {

using sass::Opcode;
using U32 = std::uint32_t;

// The halves of a source as the instruction uses them: both, or one of them twice; with signs.
struct Halves {
  U32 first_shift = 0, second_shift = 16, keep = ~U32{0}, flip = 0;
  Halves(const DecodedInstruction& r, int k) {
    const auto which = static_cast<sass::HalfPair>(r.offset >> (8 + 2 * k) & 3);
    if (which == sass::HalfPair::H0_H0) second_shift = 0;
    if (which == sass::HalfPair::H1_H1) first_shift = 16;
    if (has_source_flag(r, k, kAbsolute)) keep = 0x7fff;
    if (has_source_flag(r, k, kNegated)) flip = 0x8000;
  }
  U32 first(U32 word) const { return (word >> first_shift & 0xffff & keep) ^ flip; }
  U32 second(U32 word) const { return (word >> second_shift & 0xffff & keep) ^ flip; }
};
// In the low bits of `offset`.
enum Mode : std::uint8_t { kFlushes = 1, kSaturates = 2, kRelu = 4 };

void set_modes(const sass::Instruction& i, DecodedInstruction& r) {
  std::int64_t modes = 0;
  if (has_flag(i, "FTZ") || has_modifier(i, sass::Denormals::FTZ)) modes |= kFlushes;
  if (has_flag(i, "SAT")) modes |= kSaturates;
  if (has_flag(i, "RELU")) modes |= kRelu;
  // The halves of each source, in the order of the operands that have the choice.
  const auto& forms = i.form->modifiers;
  for (std::size_t n = 0; n < forms.size(); ++n) {
    if (forms[n].kind != sass::ModifierKind::HalfPair) continue;
    int k = 0;
    for (int o = 0; o < forms[n].operand; ++o)
      k += !i.form->operands[static_cast<std::size_t>(o)].written &&
           is_value(i.operands[static_cast<std::size_t>(o)]);
    modes |= static_cast<std::int64_t>(i.modifiers[n]) << (8 + 2 * k);
  }
  r.offset = modes;
}

enum class Op { add, multiply, fma };
template <class F, Op kOp>
U32 calculate(U32 a, U32 b, U32 c, std::int64_t modes) {
  if (modes & kFlushes) a = F::flush(a), b = F::flush(b), c = F::flush(c);
  const double x = F::decode(a), y = F::decode(b), z = F::decode(c);
  double value = kOp == Op::add        ? sum_to_odd(x, y)
                 : kOp == Op::multiply ? x * y
                                       : sum_to_odd(x * y, z);
  if (modes & kSaturates) value = saturate(value);
  if (modes & kRelu && value <= 0) value = 0;
  const U32 result = encode(F::format, value, ptx::Rounding::rn);
  return modes & kFlushes ? F::flush(result) : result;
}
template <class F, Op kOp>
void calculate_pairs(Warp& w, const DecodedInstruction& r, U32 mask) {
  constexpr int kLast = kOp == Op::fma ? 2 : 1;
  const Halves a{r, 0}, b{r, 1}, c{r, kLast};
  const auto modes = r.offset;
  const auto* third = source<U32>(w, r, kLast);
  alignas(64) U32 result[kWarpSize];
  const auto *first = source<U32>(w, r, 0), *second = source<U32>(w, r, 1);
  for (int l = 0; l < kWarpSize; ++l) {
    const U32 x = first[l], y = second[l], z = third[l];
    result[l] = calculate<F, kOp>(a.first(x), b.first(y), c.first(z), modes) |
                calculate<F, kOp>(a.second(x), b.second(y), c.second(z), modes) << 16;
  }
  store_result(w, r, result, mask);
}
template <Op kOp>
Handler pairs_handler(const sass::Instruction& i) {
  if (has_modifier(i, sass::Denormals::FMZ)) return nullptr;
  return has_flag(i, "BF16_V2") ? calculate_pairs<BrainFloat, kOp>
                                : calculate_pairs<HalfFloat, kOp>;
}

// HADD2.F32 R0, -RZ, R1.H0_H0 widens a half.
void widen(Warp& w, const DecodedInstruction& r, U32 mask) {
  const Halves b{r, 1};
  const auto* halves = source<U32>(w, r, 1);
  alignas(64) float result[kWarpSize];
  for (int l = 0; l < kWarpSize; ++l) result[l] = canonical(decode_half(b.first(halves[l])));
  store_result(w, r, result, mask);
}
Handler add_handler(const sass::Instruction& i, const DecodedInstruction& r) {
  if (!has_modifier(i, sass::HalfResult::F32)) return pairs_handler<Op::add>(i);
  const sass::Operand& zero = source_operand(i, 0);
  return is_zero_register(zero) && zero.negated && (r.offset & 0xff) == 0 ? widen : nullptr;
}

void copy(Warp& w, const DecodedInstruction& r, U32 m) {
  vector_op<U32, 1>(w, r, m, [](auto a) { return a; });
}
// -0 * 0 + constant is the constant, unless that is a NaN.
bool moves_constant(const sass::Instruction& i, const DecodedInstruction& r) {
  const sass::Operand &a = source_operand(i, 0), &b = source_operand(i, 1),
                      &c = source_operand(i, 2);
  if ((r.offset & 0xff) != 0 || c.kind != sass::OperandKind::immediate || !is_zero_register(a) ||
      !is_zero_register(b) || !a.negated || b.negated)
    return false;
  const bool brain = has_flag(i, "BF16_V2");
  const auto is_nan = [brain](U32 half) {
    return (half & 0x7fff) > (brain ? kBrain.infinity : kHalf.infinity);
  };
  const auto bits = static_cast<U32>(c.value);
  return !is_nan(bits & 0xffff) && !is_nan(bits >> 16);
}
Handler fma_handler(const sass::Instruction& i, DecodedInstruction& r) {
  if (!moves_constant(i, r)) return pairs_handler<Op::fma>(i);
  r.src[0] = r.src[2];
  return copy;
}

// The results for the lower and the upper halves, or with H_AND both together and its complement.
bool holds(sass::FloatCompare op, float x, float y) {
  using enum sass::FloatCompare;
  const bool unordered = x != x || y != y;
  switch (op) {
    case F: return false;
    case LT: return x < y;
    case EQ: return x == y;
    case LE: return x <= y;
    case GT: return x > y;
    case NE: return !unordered && x != y;
    case GE: return x >= y;
    case NUM: return !unordered;
    case nNAN: return unordered;
    case LTU: return unordered || x < y;
    case EQU: return unordered || x == y;
    case LEU: return unordered || x <= y;
    case GTU: return unordered || x > y;
    case NEU: return x != y;
    case GEU: return unordered || x >= y;
    case T: return true;
  }
  return false;
}
struct Comparison {
  sass::FloatCompare op;
  sass::Combine combine;
};
Comparison comparison_of(const DecodedInstruction& r) {
  return {static_cast<sass::FloatCompare>(r.offset >> 16 & 0xff),
          static_cast<sass::Combine>(r.offset >> 24 & 0xff)};
}
void set_comparison(const sass::Instruction& i, DecodedInstruction& r) {
  r.offset |= static_cast<std::int64_t>(*sass::modifier_of<sass::FloatCompare>(i)) << 16;
  r.offset |= static_cast<std::int64_t>(*sass::modifier_of<sass::Combine>(i)) << 24;
}
template <class F>
void compare_pairs(Warp& w, const DecodedInstruction& r, U32 mask) {
  const Halves a{r, 0}, b{r, 1};
  const Comparison how = comparison_of(r);
  const auto *first = source<U32>(w, r, 0), *second = source<U32>(w, r, 1);
  const auto decode = [ftz = (r.offset & kFlushes) != 0](U32 half) {
    return F::decode(ftz ? F::flush(half) : half);
  };
  U32 lower = 0, upper = 0;
  for (int l = 0; l < kWarpSize; ++l) {
    lower |= U32{holds(how.op, decode(a.first(first[l])), decode(b.first(second[l])))} << l;
    upper |= U32{holds(how.op, decode(a.second(first[l])), decode(b.second(second[l])))} << l;
  }
  const U32 other = predicate(w, r.src_predicate[0]);
  const auto combined = [&](U32 result) {
    return how.combine == sass::Combine::AND  ? result & other
           : how.combine == sass::Combine::OR ? result | other
                                              : result ^ other;
  };
  set_predicate(w, r.dst_predicate[0], combined(lower), mask);
  set_predicate(w, r.dst_predicate[1], combined(upper), mask);
}
Handler comparison_handler(const sass::Instruction& i, DecodedInstruction& r) {
  if (has_flag(i, "H_AND")) return nullptr;
  set_comparison(i, r);
  return has_flag(i, "BF16_V2") ? compare_pairs<BrainFloat> : compare_pairs<HalfFloat>;
}

}  // namespace

Handler half_handler(const sass::Instruction& i, DecodedInstruction& r) {
  set_modes(i, r);
  switch (i.opcode) {
    case Opcode::HADD2: return add_handler(i, r);
    case Opcode::HMUL2: return pairs_handler<Op::multiply>(i);
    case Opcode::HFMA2: return fma_handler(i, r);
    case Opcode::HSETP2: return comparison_handler(i, r);
    default: return nullptr;
  }
}

}  // namespace heddle::exec
