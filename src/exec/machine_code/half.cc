// Pairs of half precision and of bfloat16, computed in double and rounded once, as PTX's
// (exec/isa/half.cc). HFMA2 is also how ptxas moves constants.
#pragma GCC optimize("O3")
#include <cmath>

#include "exec/isa/small_float.h"
#include "exec/machine_code/operands.h"

namespace heddle::exec {
namespace {

using sass::Opcode;

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
  if (has_flag(i, "RELU") && !is_true(source_predicate(i, 0))) return nullptr;
  return has_flag(i, "BF16_V2") ? calculate_pairs<BrainFloat, kOp>
                                : calculate_pairs<HalfFloat, kOp>;
}

// HADD2.F32 R0, -RZ, R1.H0_H0 widens a half: the sum in single precision.
void add_singles(Warp& w, const DecodedInstruction& r, U32 mask) {
  const Halves a{r, 0}, b{r, 1};
  lane_op<float, U32, U32>(w, r, mask, [&](U32 x, U32 y) {
    return canonical(decode_half(a.first(x)) + decode_half(b.first(y)));
  });
}
// HADD2 R0, R1.F32, -RZ.H0_H0 cuts off a single precision value: ptxas makes it of cvt.rz.f16.f32.
// HADD2 R0, -RZ.H0_H0, c[0x2][0x0].F32 is the same with the operands exchanged.
void narrow(Warp& w, const DecodedInstruction& r, U32 mask) {
  const bool saturates = (r.offset & kSaturates) != 0, flushes = (r.offset & kFlushes) != 0;
  const FloatSigns signs{r, 0};
  const auto* a = words(w, r, 0);
  alignas(64) Words values[kWordVectors];
  for (int i = 0; i < kWordVectors; ++i) values[i] = signs.apply(a[i]);
  const auto* singles = reinterpret_cast<const Lane<float>*>(values);
  alignas(64) U32 result[kWarpSize];
  for (int l = 0; l < kWarpSize; ++l) {
    const float x = flushes ? flush(singles[l]) : singles[l];
    result[l] = encode(kHalf, static_cast<double>(saturates ? saturate(x) : x), ptx::Rounding::rz);
  }
  store_result(w, r, result, mask);
}
Handler add_handler(const sass::Instruction& i, DecodedInstruction& r) {
  if (has_modifier(i, sass::HalfOrSingle::F32)) {
    const bool exchanged = source_operand(i, 1).kind == sass::OperandKind::constant;
    if (exchanged) r.src[0] = r.src[1], r.src_flags = static_cast<std::uint16_t>(r.src_flags >> 3);
    const sass::Operand& zero = source_operand(i, exchanged ? 0 : 1);
    return is_zero_register(zero) && zero.negated ? narrow : nullptr;
  }
  if (!has_modifier(i, sass::HalfResult::F32)) return pairs_handler<Op::add>(i);
  return (r.offset & 0xff) == 0 ? add_singles : nullptr;
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
// Which lanes' lower and upper halves compare so. `offset` has the comparison in bits 23:16, and
// how it is combined in bits 31:24.
struct PairOfPredicates {
  U32 lower = 0, upper = 0;
};
template <class F>
PairOfPredicates compare_halves(const Warp& w, const DecodedInstruction& r) {
  const Halves a{r, 0}, b{r, 1};
  const auto op = static_cast<sass::FloatCompare>(r.offset >> 16 & 0xff);
  const auto how = static_cast<sass::Combine>(r.offset >> 24 & 0xff);
  const auto *first = source<U32>(w, r, 0), *second = source<U32>(w, r, 1);
  const auto decode = [ftz = (r.offset & kFlushes) != 0](U32 half) {
    return F::decode(ftz ? F::flush(half) : half);
  };
  PairOfPredicates is;
  for (int l = 0; l < kWarpSize; ++l) {
    is.lower |= U32{holds(op, decode(a.first(first[l])), decode(b.first(second[l])))} << l;
    is.upper |= U32{holds(op, decode(a.second(first[l])), decode(b.second(second[l])))} << l;
  }
  const U32 other = predicate(w, r.src_predicate[0]);
  const auto combined = [&](U32 result) {
    return how == sass::Combine::AND  ? result & other
           : how == sass::Combine::OR ? result | other
                                      : result ^ other;
  };
  return {combined(is.lower), combined(is.upper)};
}
template <class F>
void compare_pairs(Warp& w, const DecodedInstruction& r, U32 mask) {
  const PairOfPredicates is = compare_halves<F>(w, r);
  set_predicate(w, r.dst_predicate[0], is.lower, mask);
  set_predicate(w, r.dst_predicate[1], is.upper, mask);
}
// Halves of all ones, or of 1.0.
template <class F, bool kNumbers>
void set_pairs(Warp& w, const DecodedInstruction& r, U32 mask) {
  constexpr U32 kYes = kNumbers ? F::one : 0xffff;
  const PairOfPredicates is = compare_halves<F>(w, r);
  alignas(64) Words result[kWordVectors];
  for (int i = 0; i < kWordVectors; ++i)
    result[i] =
        (lanes_of(is.lower, i) & broadcast(kYes)) | (lanes_of(is.upper, i) & broadcast(kYes << 16));
  store_words(w, r, result, mask);
}
Handler comparison_handler(const sass::Instruction& i, DecodedInstruction& r) {
  r.offset |= static_cast<std::int64_t>(*sass::modifier_of<sass::FloatCompare>(i)) << 16;
  r.offset |= static_cast<std::int64_t>(*sass::modifier_of<sass::Combine>(i)) << 24;
  const bool brain = has_flag(i, "BF16_V2");
  if (i.opcode == Opcode::HSET2) {
    if (has_flag(i, "BF")) return brain ? set_pairs<BrainFloat, true> : set_pairs<HalfFloat, true>;
    return brain ? set_pairs<BrainFloat, false> : set_pairs<HalfFloat, false>;
  }
  if (has_flag(i, "H_AND")) return nullptr;  // what the second result is then is not documented
  return brain ? compare_pairs<BrainFloat> : compare_pairs<HalfFloat>;
}

// The smaller of two where the predicate holds, else the larger. A number wins over a NaN, with
// .NAN the NaN; with .XORSIGN, of magnitudes, the signs are multiplied.
template <class F>
U32 extreme_half(U32 a, U32 b, bool smaller, bool nan_wins) {
  const float x = F::decode(a), y = F::decode(b);
  const bool x_nan = x != x, y_nan = y != y;
  if ((x_nan && y_nan) || (nan_wins && (x_nan || y_nan))) return F::format.nan;
  if (x_nan || y_nan) return x_nan ? b : a;
  if (x == y) return smaller ? a | b : a & b;
  return smaller == (x < y) ? a : b;
}
template <class F, bool kNan, bool kXorSign>
void extreme_pairs(Warp& w, const DecodedInstruction& r, U32 mask) {
  const Halves a{r, 0}, b{r, 1};
  const bool ftz = (r.offset & kFlushes) != 0;
  const U32 smaller = predicate(w, r.src_predicate[0]);
  const auto *first = source<U32>(w, r, 0), *second = source<U32>(w, r, 1);
  alignas(64) U32 result[kWarpSize];
  for (int l = 0; l < kWarpSize; ++l) {
    const auto one = [&](U32 x, U32 y, U32 signs) {
      if (ftz) x = F::flush(x), y = F::flush(y);
      const U32 m = extreme_half<F>(x, y, (smaller >> l & 1) != 0, kNan);
      return kXorSign && (m & 0x7fff) <= F::format.infinity ? (m & 0x7fff) | (signs & 0x8000) : m;
    };
    const U32 x = first[l], y = second[l];
    result[l] = one(a.first(x), b.first(y), (x >> a.first_shift) ^ (y >> b.first_shift)) |
                one(a.second(x), b.second(y), (x >> a.second_shift) ^ (y >> b.second_shift)) << 16;
  }
  store_result(w, r, result, mask);
}
Handler extreme_handler(const sass::Instruction& i) {
  return for_flags(
      []<bool kBrain, bool kNan, bool kXorSign>() -> Handler {
        return kBrain ? extreme_pairs<BrainFloat, kNan, kXorSign>
                      : extreme_pairs<HalfFloat, kNan, kXorSign>;
      },
      has_flag(i, "BF16_V2"), has_flag(i, "NAN"), has_flag(i, "XORSIGN"));
}

}  // namespace

Handler half_handler(const sass::Instruction& i, DecodedInstruction& r) {
  set_modes(i, r);
  switch (i.opcode) {
    case Opcode::HADD2: return add_handler(i, r);
    case Opcode::HMUL2: return pairs_handler<Op::multiply>(i);
    case Opcode::HFMA2: return fma_handler(i, r);
    case Opcode::HSETP2:
    case Opcode::HSET2: return comparison_handler(i, r);
    case Opcode::HMNMX2: return extreme_handler(i);
    default: return nullptr;
  }
}

}  // namespace heddle::exec
