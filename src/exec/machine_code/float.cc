// Single precision. Arithmetic is PTX's (exec/isa/float32.cc).
#pragma GCC optimize("O3")
#include <cmath>

#include "exec/isa/comparison.h"
#include "exec/isa/float_arithmetic.h"
#include "exec/isa/small_float.h"
#include "exec/machine_code/operands.h"

namespace heddle::exec {
namespace {

using sass::Opcode;
using V = Vector<float>;
using Op = FloatOp;

template <Op kOp, bool kSigns, bool kFtz, bool kSat, bool kPin>
[[gnu::always_inline]] inline void calculate(Warp& w, const DecodedInstruction& r, U32 mask) {
  const FloatSigns signs[] = {{r, 0}, {r, 1}, {r, kOp == Op::fma ? 2 : 1}};
  apply_float<kOp, float>(w, r, mask, [&signs](V a, V b, V c) {
    if constexpr (kSigns) a = signs[0].apply(a), b = signs[1].apply(b), c = signs[2].apply(c);
    if constexpr (kFtz) a = flush(a), b = flush(b), c = flush(c);
    if constexpr (kPin) a = pin(a), b = pin(b), c = pin(c);
    V result = float_arithmetic<kOp, float>(a, b, c);
    if constexpr (kPin) result = pin(result);
    if constexpr (kFtz) result = flush(result);
    if constexpr (kSat)
      return saturate(result);
    else
      return canonical(result);
  });
}
template <Op kOp, bool kSigns, bool kFtz, bool kSat>
void nearest(Warp& w, const DecodedInstruction& r, U32 mask) {
  calculate<kOp, kSigns, kFtz, kSat, false>(w, r, mask);
}
template <Op kOp, bool kSigns, bool kFtz, bool kSat>
void directed(Warp& w, const DecodedInstruction& r, U32 mask) {
  const DirectedRounding rounding{static_cast<ptx::Rounding>(r.offset)};
  calculate<kOp, kSigns, kFtz, kSat, true>(w, r, mask);
}
// FMUL.D2 and its like: the product times a power of two, rounded once. A product of two floats is
// exact in double precision.
template <bool kFtz, bool kSat>
void scaled_product(Warp& w, const DecodedInstruction& r, U32 mask) {
  const FloatSigns signs[] = {{r, 0}, {r, 1}};
  alignas(64) V result[kVectors<float>];
  for (int i = 0; i < kVectors<float>; ++i) {
    V a = signs[0].apply((V)words(w, r, 0)[i]), b = signs[1].apply((V)words(w, r, 1)[i]);
    if (kFtz) a = flush(a), b = flush(b);
    for (int l = 0; l < 8; ++l)
      result[i][l] = static_cast<float>(std::ldexp(
          static_cast<double>(a[l]) * static_cast<double>(b[l]), static_cast<int>(r.offset)));
    if (kFtz) result[i] = flush(result[i]);
    result[i] = (V)(kSat ? saturate(result[i]) : canonical(result[i]));
  }
  store_lanes<4>(w.bases[0] + r.dst[0], result, mask);
}

template <Op kOp>
Handler arithmetic_handler(const sass::Instruction& i, DecodedInstruction& r) {
  const auto denormals = sass::modifier_of<sass::Denormals>(i);
  if (denormals == sass::Denormals::FMZ) return nullptr;
  const ptx::Rounding rounding = rounding_of(i);
  if (const auto scale = sass::modifier_of<sass::Scale>(i).value_or(sass::Scale::ONE_);
      scale != sass::Scale::ONE_) {
    if (is_directed(rounding)) return nullptr;
    r.offset = static_cast<int>(scale) - static_cast<int>(sass::Scale::ONE_);
    return for_flags([]<bool kFtz, bool kSat>() -> Handler { return scaled_product<kFtz, kSat>; },
                     denormals == sass::Denormals::FTZ, has_flag(i, "SAT"));
  }
  r.offset = static_cast<std::int64_t>(rounding);
  return for_flags(
      []<bool kDirected, bool kSigns, bool kFtz, bool kSat>() -> Handler {
        return kDirected ? directed<kOp, kSigns, kFtz, kSat> : nearest<kOp, kSigns, kFtz, kSat>;
      },
      is_directed(rounding), r.src_flags != 0,
      has_flag(i, "FTZ") || denormals == sass::Denormals::FTZ, has_flag(i, "SAT"));
}

// The smaller of two where the predicate holds, else the larger.
template <bool kFtz>
void minimum_or_maximum(Warp& w, const DecodedInstruction& r, U32 mask) {
  const U32 smaller = predicate(w, r.src_predicate[0]);
  const FloatSigns a{r, 0}, b{r, 1};
  alignas(64) Words result[kWordVectors];
  for (int i = 0; i < kWordVectors; ++i) {
    const V x = (V)a.apply(words(w, r, 0)[i]), y = (V)b.apply(words(w, r, 1)[i]);
    result[i] = select(lanes_of(smaller, i), (Words)float_extreme<false, kFtz>(x, y),
                       (Words)float_extreme<true, kFtz>(x, y));
  }
  store_words(w, r, result, mask);
}

// With .NAN a NaN wins; with .XORSIGN, of magnitudes, the signs are multiplied.
template <bool kFtz, bool kNan, bool kXorSign>
void minimum_or_maximum_variant(Warp& w, const DecodedInstruction& r, U32 mask) {
  const U32 smaller = predicate(w, r.src_predicate[0]);
  const auto *first = source<float>(w, r, 0), *second = source<float>(w, r, 1);
  alignas(64) float result[kWarpSize];
  const auto with_signs = [&r](float x, int k) {
    if (has_source_flag(r, k, kAbsolute)) x = std::fabs(x);
    return has_source_flag(r, k, kNegated) ? -x : x;
  };
  for (int l = 0; l < kWarpSize; ++l) {
    const bool negative = std::signbit(first[l]) != std::signbit(second[l]);
    float a = with_signs(first[l], 0), b = with_signs(second[l], 1);
    if (kFtz) a = flush(a), b = flush(b);
    const bool a_nan = a != a, b_nan = b != b, want_smaller = (smaller >> l & 1) != 0;
    if ((a_nan && b_nan) || (kNan && (a_nan || b_nan))) {
      result[l] = std::bit_cast<float>(kCanonicalNan);
      continue;
    }
    float m = a_nan ? b : b_nan ? a : want_smaller == (a < b) ? a : b;
    if (a == b) m = std::signbit(a) == want_smaller ? a : b;
    result[l] = kXorSign ? std::copysign(m, negative ? -1.0f : 1.0f) : m;
  }
  store_result(w, r, result, mask);
}
Handler extreme_handler(const sass::Instruction& i) {
  const bool ftz = has_flag(i, "FTZ"), nan = has_flag(i, "NAN"), xor_sign = has_flag(i, "XORSIGN");
  if (!nan && !xor_sign) return ftz ? minimum_or_maximum<true> : minimum_or_maximum<false>;
  return for_flags(
      []<bool kFtz, bool kNan, bool kXorSign>() -> Handler {
        return minimum_or_maximum_variant<kFtz, kNan, kXorSign>;
      },
      ftz, nan, xor_sign);
}

template <ptx::Compare kOp, bool kFtz>
[[gnu::always_inline]] inline U32 compare_floats(const Warp& w, const DecodedInstruction& r) {
  const FloatSigns a{r, 0}, b{r, 1};
  return vector_test<float>(w, r, [&](V x, V y) {
    x = a.apply(x), y = b.apply(y);
    if constexpr (kFtz) x = flush(x), y = flush(y);
    return test<kOp>(x, y);
  });
}
enum class Result { simple, combined, number };  // number: 1 or 0 in a register
template <ptx::Compare kOp, bool kFtz, Result kResult>
void comparison(Warp& w, const DecodedInstruction& r, U32 mask) {
  const U32 holds = compare_floats<kOp, kFtz>(w, r);
  if constexpr (kResult != Result::number) {
    store_comparison<kResult == Result::simple>(w, r, holds, mask);
  } else {
    const U32 other = predicate(w, r.src_predicate[0]);
    const auto how = static_cast<sass::Combine>(r.offset);
    const U32 combined = how == sass::Combine::AND  ? holds & other
                         : how == sass::Combine::OR ? holds | other
                                                    : holds ^ other;
    alignas(64) Words result[kWordVectors];
    for (int i = 0; i < kWordVectors; ++i)
      result[i] = lanes_of(combined, i) & broadcast(0x3f800000);
    store_words(w, r, result, mask);
  }
}
template <bool kFtz, Result kResult>
Handler comparison_of(sass::FloatCompare op) {
  using enum sass::FloatCompare;
  using ptx::Compare;
  switch (op) {
    case LT: return comparison<Compare::lt, kFtz, kResult>;
    case EQ: return comparison<Compare::eq, kFtz, kResult>;
    case LE: return comparison<Compare::le, kFtz, kResult>;
    case GT: return comparison<Compare::gt, kFtz, kResult>;
    case NE: return comparison<Compare::ne, kFtz, kResult>;
    case GE: return comparison<Compare::ge, kFtz, kResult>;
    case NUM: return comparison<Compare::num, kFtz, kResult>;
    case nNAN: return comparison<Compare::nan, kFtz, kResult>;
    case LTU: return comparison<Compare::ltu, kFtz, kResult>;
    case EQU: return comparison<Compare::equ, kFtz, kResult>;
    case LEU: return comparison<Compare::leu, kFtz, kResult>;
    case GTU: return comparison<Compare::gtu, kFtz, kResult>;
    case NEU: return comparison<Compare::neu, kFtz, kResult>;
    case GEU: return comparison<Compare::geu, kFtz, kResult>;
    default: return nullptr;  // never and always: ptxas does not use them
  }
}
Handler comparison_handler(const sass::Instruction& i, DecodedInstruction& r) {
  const auto op = *sass::modifier_of<sass::FloatCompare>(i);
  const bool ftz = has_flag(i, "FTZ");
  r.offset = static_cast<std::int64_t>(*sass::modifier_of<sass::Combine>(i));
  if (i.opcode == Opcode::FSET)
    return ftz ? comparison_of<true, Result::number>(op) : comparison_of<false, Result::number>(op);
  if (is_simple_comparison(i))
    return ftz ? comparison_of<true, Result::simple>(op) : comparison_of<false, Result::simple>(op);
  return ftz ? comparison_of<true, Result::combined>(op)
             : comparison_of<false, Result::combined>(op);
}

// Whether a / b needs more than the steps of Newton that follow the instruction: they need a
// reciprocal that MUFU gives, a quotient that is normal, and a remainder that is exact. NVIDIA does
// not document where the instruction draws the line.
bool is_hard_division(float a, float b) {
  const auto exponent = [](float x) {
    return static_cast<int>(std::bit_cast<U32>(x) >> 23 & 0xff);
  };
  constexpr int kLeast = 24;  // below, the last bit of a remainder is lost
  const int of_a = exponent(a), of_b = exponent(b), of_quotient = of_a - of_b;
  return of_b == 0 || of_b >= 253 || of_a <= kLeast || of_a == 255 || of_quotient < -125 ||
         of_quotient > 125;
}
void check_division(Warp& w, const DecodedInstruction& r, U32 mask) {
  const auto *a = source<float>(w, r, 0), *b = source<float>(w, r, 1);
  U32 hard = 0;
  for (int l = 0; l < kWarpSize; ++l) hard |= U32{is_hard_division(a[l], b[l])} << l;
  set_predicate(w, r.dst_predicate[0], hard, mask);
}

// The special function unit flushes subnormal operands and results, but for the hyperbolic tangent.
// The host's library is more exact than the tables of the hardware. Angles are in revolutions.
float revolutions(float x) {
  const float part = x - std::nearbyint(x);
  return part == 0 ? std::copysign(part, x) : part;
}
constexpr double kRevolution = 6.283185307179586;
template <sass::Function kFunction>
float special(float x) {
  using enum sass::Function;
  if constexpr (kFunction == COS)
    return static_cast<float>(std::cos(kRevolution * static_cast<double>(revolutions(x))));
  else if constexpr (kFunction == SIN)
    return static_cast<float>(std::sin(kRevolution * static_cast<double>(revolutions(x))));
  else if constexpr (kFunction == EX2)
    return std::exp2(x);
  else if constexpr (kFunction == LG2)
    return std::log2(x);
  else if constexpr (kFunction == RCP)
    // An exact result that is subnormal is flushed, also when rounding makes it normal.
    return std::fabs(x) > 0x1p126f ? std::copysign(0.0f, x) : 1 / x;
  else if constexpr (kFunction == RSQ)
    return static_cast<float>(1.0 / std::sqrt(static_cast<double>(x)));
  else if constexpr (kFunction == SQRT)
    return std::sqrt(x);
  else
    return std::tanh(x);
}
template <sass::Function kFunction>
void special_function(Warp& w, const DecodedInstruction& r, U32 mask) {
  const U32 keep = has_source_flag(r, 0, kAbsolute) ? 0x7fffffff : ~U32{0},
            flip = has_source_flag(r, 0, kNegated) ? 0x80000000 : 0;
  lane_op<float, U32>(w, r, mask, [keep, flip](U32 bits) {
    const auto x = std::bit_cast<float>((bits & keep) ^ flip);
    if constexpr (kFunction == sass::Function::TANH) return canonical(special<kFunction>(x));
    return flush(canonical(special<kFunction>(flush(x))));
  });
}
// The upper word of a double precision result for the upper word of an operand (PTX:
// rcp.approx.ftz.f64, rsqrt.approx.ftz.f64).
template <bool kRoot>
void upper_word(Warp& w, const DecodedInstruction& r, U32 mask) {
  const U32 keep = has_source_flag(r, 0, kAbsolute) ? 0x7fffffff : ~U32{0},
            flip = has_source_flag(r, 0, kNegated) ? 0x80000000 : 0;
  lane_op<U32, U32>(w, r, mask, [keep, flip](U32 upper) {
    const auto flushed = [](double x) {
      return std::fabs(x) < 0x1p-1022 ? std::copysign(0.0, x) : x;
    };
    const double x = flushed(std::bit_cast<double>(std::uint64_t{(upper & keep) ^ flip} << 32));
    const double result = kRoot ? 1 / std::sqrt(x) : 1 / x;
    if (result != result) return U32{0x7fffffff};
    return static_cast<U32>(std::bit_cast<std::uint64_t>(flushed(result)) >> 32);
  });
}
template <class F, sass::Function kFunction>
void special_function_of_half(Warp& w, const DecodedInstruction& r, U32 mask) {
  lane_op<U32, U32>(w, r, mask, [shift = r.offset](U32 a) {
    const auto x = static_cast<double>(F::decode(a >> shift & 0xffff));
    return encode(F::format, kFunction == sass::Function::EX2 ? std::exp2(x) : std::tanh(x),
                  ptx::Rounding::rn);
  });
}
Handler special_handler(const sass::Instruction& i, DecodedInstruction& r) {
  using enum sass::Function;
  const bool half = has_flag(i, "F16"), brain = has_flag(i, "BF16");
  if (half || brain) {
    const bool exponential = has_modifier(i, EX2);
    if (r.src_flags != 0) return nullptr;
    r.offset = has_modifier(i, sass::Half::H1) ? 16 : 0;
    if (brain)
      return exponential ? special_function_of_half<BrainFloat, EX2>
                         : special_function_of_half<BrainFloat, TANH>;
    return exponential ? special_function_of_half<HalfFloat, EX2>
                       : special_function_of_half<HalfFloat, TANH>;
  }
  switch (*sass::modifier_of<sass::Function>(i)) {
    case COS: return special_function<COS>;
    case SIN: return special_function<SIN>;
    case EX2: return special_function<EX2>;
    case LG2: return special_function<LG2>;
    case RCP: return special_function<RCP>;
    case RSQ: return special_function<RSQ>;
    case RCP64H: return upper_word<false>;
    case RSQ64H: return upper_word<true>;
    case SQRT: return special_function<SQRT>;
    case TANH: return special_function<TANH>;
  }
  return nullptr;
}

}  // namespace

// kBoth: a bit for each lane of a quad that adds both terms; the others have the second.
template <U32 kBoth>
void add_in_quads(Warp& w, const DecodedInstruction& r, U32 mask) {
  const auto *a = source<float>(w, r, 0), *b = source<float>(w, r, 1);
  alignas(32) std::array<float, kWarpSize> sums;
  for (std::size_t l = 0; l < kWarpSize; ++l) {
    const float sum = a[l] + b[l];
    sums[l] = !(kBoth >> l % 4 & 1) ? b[l]
              : std::isnan(sum)     ? std::bit_cast<float>(kCanonicalNan)
                                    : sum;
  }
  store_lanes<4>(w.bases[0] + r.dst[0], reinterpret_cast<const std::uint8_t*>(sums.data()), mask);
}

Handler float_handler(const sass::Instruction& i, DecodedInstruction& r) {
  switch (i.opcode) {
    case Opcode::FSWZADD:
      return i.form->operands[3].text == "ZPPPZPPP" ? add_in_quads<0b1010> : add_in_quads<0b1100>;
    case Opcode::FADD: return arithmetic_handler<Op::add>(i, r);
    case Opcode::FMUL: return arithmetic_handler<Op::mul>(i, r);
    case Opcode::FFMA: return arithmetic_handler<Op::fma>(i, r);
    case Opcode::FMNMX: return extreme_handler(i);
    case Opcode::FSETP:
    case Opcode::FSET: return comparison_handler(i, r);
    case Opcode::FCHK: return check_division;
    case Opcode::MUFU: return special_handler(i, r);
    default: return nullptr;
  }
}

}  // namespace heddle::exec
