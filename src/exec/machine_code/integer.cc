// Integer arithmetic: IADD3, IMAD, LEA, minimum and maximum, dot products, and their twins of the
// uniform datapath. Carries: a negated operand is its complement plus one, and each sum that
// exceeds 32 bits counts (Mesa NAK, hardware tests of IADD3 and LEA).
#pragma GCC optimize("O3")
#include "exec/machine_code/operands.h"

namespace heddle::exec {
namespace {

using sass::Opcode;

template <Handler kHandler>
Handler of_datapath(const sass::Instruction& i) {
  return is_uniform(i) ? in_all_lanes<kHandler> : kHandler;
}

void copy(Warp& w, const DecodedInstruction& r, U32 m) {
  vector_op<U32, 1>(w, r, m, [](auto a) { return a; });
}
// The k-th source becomes the first, the n-th the second.
void use_sources(DecodedInstruction& r, int k, int n = 0) {
  const auto flags_of = [&r](int of) { return static_cast<U32>(r.src_flags >> (3 * of) & 7); };
  const auto flags = static_cast<std::uint16_t>(flags_of(k) | flags_of(n) << 3);
  const RowSource first = r.src[k], second = r.src[n];
  r.src[0] = first, r.src[1] = second, r.src_flags = flags;
}

// A sum that counts its carries.
struct Sum {
  Words value, carries;
  [[gnu::always_inline]] void add(Words x) {
    value += x;
    carries -= (Words)(value < x);
  }
  // One in the lanes of the mask.
  [[gnu::always_inline]] void add_carry(Words lanes) {
    value -= lanes;
    carries -= lanes & (Words)(value == 0);
  }
  // -x is the complement of x plus one, which has a carry for 0.
  [[gnu::always_inline]] void add_negated(Words x, Words negated) {
    carries -= negated & (Words)(x == 0);
    add(negate_if(x, negated));
  }
};
[[gnu::always_inline]] inline U32 at_least(Words carries, U32 n, int part) {
  return predicate_of((Words)(carries >= broadcast(n)), part);
}

template <bool kNegated>
void add3(Warp& w, const DecodedInstruction& r, U32 mask) {
  const Words n[] = {flag_mask(r, 0, kNegated ? SourceFlag::kNegated : SourceFlag::kAbsolute),
                     flag_mask(r, 1, SourceFlag::kNegated), flag_mask(r, 2, SourceFlag::kNegated)};
  vector_op<U32, 3>(w, r, mask, [&n](Words a, Words b, Words c) {
    if constexpr (kNegated)
      return negate_if(a, n[0]) + negate_if(b, n[1]) + negate_if(c, n[2]);
    else
      return a + b + c;
  });
}
void add2(Warp& w, const DecodedInstruction& r, U32 mask) {
  vector_op<U32, 2>(w, r, mask, [](auto a, auto b) { return a + b; });
}
// With carries out, and with carries in when it is IADD3.X, whose operands may be inverted.
template <bool kExtended>
void add3_with_carries(Warp& w, const DecodedInstruction& r, U32 mask) {
  alignas(64) Words result[kWordVectors];
  U32 one = 0, two = 0;
  for (int i = 0; i < kWordVectors; ++i) {
    Sum sum{};
    for (int k = 0; k < 3; ++k) {
      const Words x = words(w, r, k)[i];
      if constexpr (kExtended)
        sum.add(x ^ flag_mask(r, k, kInverted));
      else
        sum.add_negated(x, flag_mask(r, k, kNegated));
    }
    if constexpr (kExtended) {
      sum.add_carry(lanes_of(predicate(w, r.src_predicate[0]), i));
      sum.add_carry(lanes_of(predicate(w, r.src_predicate[1]), i));
    }
    result[i] = sum.value;
    one |= at_least(sum.carries, 1, i);
    two |= at_least(sum.carries, 2, i);
  }
  store_words(w, r, result, mask);
  set_predicate(w, r.dst_predicate[0], one, mask);
  set_predicate(w, r.dst_predicate[1], two, mask);
}
Handler iadd3(const sass::Instruction& i, DecodedInstruction& r) {
  if (has_part(i, "X")) return of_datapath<add3_with_carries<true>>(i);
  if (writes_predicate(i, 0) || writes_predicate(i, 1))
    return of_datapath<add3_with_carries<false>>(i);
  if (r.src_flags != 0) return of_datapath<add3<true>>(i);
  if (is_zero_register(source_operand(i, 2))) return of_datapath<add2>(i);
  return of_datapath<add3<false>>(i);
}

template <bool kNegated>
void multiply_add(Warp& w, const DecodedInstruction& r, U32 mask) {
  vector_op<U32, 3>(w, r, mask, [](auto a, auto b, auto c) {
    if constexpr (kNegated)
      return a * b - c;
    else
      return a * b + c;
  });
}
void multiply(Warp& w, const DecodedInstruction& r, U32 mask) {
  vector_op<U32, 2>(w, r, mask, [](auto a, auto b) { return a * b; });
}
void multiply_add_carry(Warp& w, const DecodedInstruction& r, U32 mask) {
  const Words inverted = flag_mask(r, 2, kInverted);
  alignas(64) Words result[kWordVectors];
  for (int i = 0; i < kWordVectors; ++i)
    result[i] = words(w, r, 0)[i] * words(w, r, 1)[i] + (words(w, r, 2)[i] ^ inverted) -
                lanes_of(predicate(w, r.src_predicate[0]), i);
  store_words(w, r, result, mask);
}

// The low and high words of eight products.
struct Product {
  Words low, high;
};
template <bool kSigned>
[[gnu::always_inline]] inline Product product(Words x, Words y) {
  const auto of_even = [](__m256i a, __m256i b) __attribute__((always_inline)) {
    return kSigned ? _mm256_mul_epi32(a, b) : _mm256_mul_epu32(a, b);
  };
  const __m256i a = (__m256i)x, b = (__m256i)y;
  const __m256i even = of_even(a, b),
                odd = of_even(_mm256_srli_epi64(a, 32), _mm256_srli_epi64(b, 32));
  return {(Words)_mm256_blend_epi32(even, _mm256_slli_epi64(odd, 32), 0xaa),
          (Words)_mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xaa)};
}
enum class Addend { none, plain, negated, extended };
// a * b + c of 64 bits. The carry is that of the sum of both as unsigned numbers.
template <bool kSigned, Addend kAddend, bool kHighOnly>
void multiply_wide(Warp& w, const DecodedInstruction& r, U32 mask) {
  alignas(64) Words low[kWordVectors], high[kWordVectors];
  U32 carry = 0;
  const Words inverted =
      flag_mask(r, 2, kAddend == Addend::extended ? kInverted : SourceFlag::kNegated);
  for (int i = 0; i < kWordVectors; ++i) {
    const Product p = product<kSigned>(words(w, r, 0)[i], words(w, r, 1)[i]);
    if constexpr (kAddend == Addend::none) {
      low[i] = p.low, high[i] = p.high;
      continue;
    }
    Sum lower{p.low, {}}, upper{p.high, {}};
    if constexpr (kAddend == Addend::plain) {
      lower.add(words(w, r, 2)[i]);
      upper.add(words(w, r, 2, 1)[i]);
    } else {
      lower.add(words(w, r, 2)[i] ^ inverted);
      upper.add(words(w, r, 2, 1)[i] ^ inverted);
      lower.add_carry(kAddend == Addend::negated ? inverted
                                                 : lanes_of(predicate(w, r.src_predicate[0]), i));
    }
    upper.add(lower.carries);
    low[i] = lower.value, high[i] = upper.value;
    carry |= at_least(upper.carries, 1, i);
  }
  if constexpr (kHighOnly) {
    store_words(w, r, high, mask);
  } else {
    store_words(w, r, low, mask, 0);
    store_words(w, r, high, mask, 1);
  }
  set_predicate(w, r.dst_predicate[0], carry, mask);
}
template <bool kSigned, bool kHighOnly>
Handler multiply_wide_handler(const sass::Instruction& i) {
  if (has_flag(i, "X")) return of_datapath<multiply_wide<kSigned, Addend::extended, kHighOnly>>(i);
  const sass::Operand& c = source_operand(i, 2);
  if (c.negated) return of_datapath<multiply_wide<kSigned, Addend::negated, kHighOnly>>(i);
  if (is_zero_register(c)) return of_datapath<multiply_wide<kSigned, Addend::none, kHighOnly>>(i);
  return of_datapath<multiply_wide<kSigned, Addend::plain, kHighOnly>>(i);
}
bool is_number(const sass::Operand& o, std::int64_t value) {
  return o.kind == sass::OperandKind::immediate && o.value == value;
}
Handler imad(const sass::Instruction& i, DecodedInstruction& r) {
  const bool is_signed = has_modifier(i, sass::Int32::S32_);
  if (has_part(i, "WIDE") || has_part(i, "HI")) {
    if (has_part(i, "HI"))
      return is_signed ? multiply_wide_handler<true, true>(i)
                       : multiply_wide_handler<false, true>(i);
    return is_signed ? multiply_wide_handler<true, false>(i)
                     : multiply_wide_handler<false, false>(i);
  }
  if (has_flag(i, "X")) return of_datapath<multiply_add_carry>(i);
  const sass::Operand &a = source_operand(i, 0), &b = source_operand(i, 1),
                      &c = source_operand(i, 2);
  if (c.negated) return of_datapath<multiply_add<true>>(i);
  if (is_zero_register(a) || is_zero_register(b)) {
    use_sources(r, 2);
    return of_datapath<copy>(i);
  }
  if (is_number(b, 1)) {
    use_sources(r, 0, 2);
    return of_datapath<add2>(i);
  }
  return is_zero_register(c) ? of_datapath<multiply>(i) : of_datapath<multiply_add<false>>(i);
}

// (a << offset) + b, or the high word of the shifted pair plus b. The shifted value is negated or
// inverted, not the operand.
enum class LeaHigh { none, operand, sign };
template <LeaHigh kHigh, bool kExtended, bool kPlain>
void lea(Warp& w, const DecodedInstruction& r, U32 mask) {
  const __m128i shift = _mm_cvtsi64_si128(r.offset), rest = _mm_cvtsi64_si128(32 - r.offset);
  alignas(64) Words result[kWordVectors];
  U32 carry = 0;
  for (int i = 0; i < kWordVectors; ++i) {
    const __m256i a = (__m256i)words(w, r, 0)[i];
    __m256i shifted;
    if constexpr (kHigh == LeaHigh::none) {
      shifted = _mm256_sll_epi32(a, shift);
    } else {
      const __m256i high =
          kHigh == LeaHigh::sign ? _mm256_srai_epi32(a, 31) : (__m256i)words(w, r, 2)[i];
      shifted = _mm256_or_si256(_mm256_sll_epi32(high, shift), _mm256_srl_epi32(a, rest));
    }
    const Words b = words(w, r, 1)[i];
    if constexpr (kPlain) {
      result[i] = (Words)shifted + b;
      continue;
    }
    Sum sum{};
    if constexpr (kExtended) {
      sum.add((Words)shifted ^ flag_mask(r, 0, kInverted));
      sum.add(b ^ flag_mask(r, 1, kInverted));
      sum.add_carry(lanes_of(predicate(w, r.src_predicate[0]), i));
    } else {
      sum.add_negated((Words)shifted, flag_mask(r, 0, kNegated));
      sum.add_negated(b, flag_mask(r, 1, kNegated));
    }
    result[i] = sum.value;
    carry |= at_least(sum.carries, 1, i);
  }
  store_words(w, r, result, mask);
  if constexpr (!kPlain) set_predicate(w, r.dst_predicate[0], carry, mask);
}
template <LeaHigh kHigh>
Handler lea_of(const sass::Instruction& i, const DecodedInstruction& r) {
  if (has_part(i, "X")) return of_datapath<lea<kHigh, true, false>>(i);
  if (writes_predicate(i, 0) || r.src_flags != 0) return of_datapath<lea<kHigh, false, false>>(i);
  return of_datapath<lea<kHigh, false, true>>(i);
}
Handler lea_handler(const sass::Instruction& i, DecodedInstruction& r) {
  const bool high = has_part(i, "HI"), sign = has_part(i, "SX32");
  r.offset = source_operand(i, high && !sign ? 3 : 2).value;
  if (!high) return lea_of<LeaHigh::none>(i, r);
  return sign ? lea_of<LeaHigh::sign>(i, r) : lea_of<LeaHigh::operand>(i, r);
}

template <class T, bool kMax>
[[gnu::always_inline]] inline Words extreme(Words x, Words y) {
  const __m256i a = (__m256i)x, b = (__m256i)y;
  if constexpr (std::is_signed_v<T>)
    return (Words)(kMax ? _mm256_max_epi32(a, b) : _mm256_min_epi32(a, b));
  else
    return (Words)(kMax ? _mm256_max_epu32(a, b) : _mm256_min_epu32(a, b));
}
// The smaller of two where the predicate holds, else the larger. With kAdd of a + b and c.
template <class T, bool kAdd, bool kRelu>
void minimum_or_maximum(Warp& w, const DecodedInstruction& r, U32 mask) {
  const U32 smaller = predicate(w, r.src_predicate[0]);
  const Words negated = flag_mask(r, 1, kNegated);
  alignas(64) Words result[kWordVectors];
  for (int i = 0; i < kWordVectors; ++i) {
    Words a = words(w, r, 0)[i], b = words(w, r, 1)[i];
    if constexpr (kAdd) a += negate_if(b, negated), b = words(w, r, 2)[i];
    result[i] = select(lanes_of(smaller, i), extreme<T, false>(a, b), extreme<T, true>(a, b));
    if constexpr (kRelu) result[i] = extreme<S32, true>(result[i], Words{});
  }
  store_words(w, r, result, mask);
}
template <class T>
void extreme_of_three(Warp& w, const DecodedInstruction& r, U32 mask) {
  const U32 smaller = predicate(w, r.src_predicate[0]);
  alignas(64) Words result[kWordVectors];
  for (int i = 0; i < kWordVectors; ++i) {
    const Words a = words(w, r, 0)[i], b = words(w, r, 1)[i], c = words(w, r, 2)[i];
    result[i] = select(lanes_of(smaller, i), extreme<T, false>(extreme<T, false>(a, b), c),
                       extreme<T, true>(extreme<T, true>(a, b), c));
  }
  store_words(w, r, result, mask);
}
template <bool kSigned, bool kRelu>
void extreme_of_halves(Warp& w, const DecodedInstruction& r, U32 mask) {
  const U32 smaller = predicate(w, r.src_predicate[0]);
  alignas(64) Words result[kWordVectors];
  for (int i = 0; i < kWordVectors; ++i) {
    const __m256i a = (__m256i)words(w, r, 0)[i], b = (__m256i)words(w, r, 1)[i];
    const __m256i least = kSigned ? _mm256_min_epi16(a, b) : _mm256_min_epu16(a, b),
                  most = kSigned ? _mm256_max_epi16(a, b) : _mm256_max_epu16(a, b);
    result[i] = select(lanes_of(smaller, i), (Words)least, (Words)most);
    if constexpr (kRelu)
      result[i] = (Words)_mm256_max_epi16((__m256i)result[i], _mm256_setzero_si256());
  }
  store_words(w, r, result, mask);
}
template <bool kAdd>
Handler extreme_handler(const sass::Instruction& i) {
  if (const auto halves = sass::modifier_of<sass::HalfInts>(i)) {
    if (has_flag(i, "RELU"))
      return *halves == sass::HalfInts::S16x2 ? extreme_of_halves<true, true> : nullptr;
    return *halves == sass::HalfInts::S16x2 ? extreme_of_halves<true, false>
                                            : extreme_of_halves<false, false>;
  }
  const bool is_signed = has_modifier(i, sass::Int32::S32_);
  if (has_flag(i, "RELU")) return is_signed ? minimum_or_maximum<S32, kAdd, true> : nullptr;
  return is_signed ? minimum_or_maximum<S32, kAdd, false> : minimum_or_maximum<U32, kAdd, false>;
}

template <bool kHalves>
void add_vector(Warp& w, const DecodedInstruction& r, U32 mask) {
  const Words negated = flag_mask(r, 1, kNegated);
  vector_op<U32, 2>(w, r, mask, [negated](Words a, Words b) {
    if constexpr (!kHalves) return a + negate_if(b, negated);
    const __m256i n = (__m256i)negated, y = _mm256_sub_epi16(_mm256_xor_si256((__m256i)b, n), n);
    return (Words)_mm256_add_epi16((__m256i)a, y);
  });
}

void absolute(Warp& w, const DecodedInstruction& r, U32 mask) {
  vector_op<U32, 1>(w, r, mask, [](auto a) { return _mm256_abs_epi32((__m256i)a); });
}

// |a - b| + c; the difference is exact.
template <class T>
void absolute_difference(Warp& w, const DecodedInstruction& r, U32 mask) {
  lane_op<U32, T, T, U32>(w, r, mask, [](T a, T b, U32 c) {
    return (a > b ? static_cast<U32>(a) - static_cast<U32>(b)
                  : static_cast<U32>(b) - static_cast<U32>(a)) +
           c;
  });
}

template <class T>
S32 element(U32 word, int n) {
  return static_cast<T>(word >> (8 * static_cast<int>(sizeof(T)) * n));
}
// The sum of products of elements, from element kFirst of b on, and c.
template <class A, class B, int kFirst>
void dot(Warp& w, const DecodedInstruction& r, U32 mask) {
  const U32 negated = has_source_flag(r, 2, kNegated) ? ~U32{0} : 0;
  lane_op<U32, U32, U32, U32>(w, r, mask, [negated](U32 a, U32 b, U32 c) {
    U32 sum = (c ^ negated) - negated;
    for (int n = 0; n < 4 / static_cast<int>(sizeof(A)); ++n)
      sum += static_cast<U32>(element<A>(a, n) * element<B>(b, kFirst + n));
    return sum;
  });
}
template <class A, int kFirst>
Handler dot_of(bool signed_b) {
  return signed_b ? dot<A, S8, kFirst> : dot<A, U8, kFirst>;
}
Handler dot_handler(const sass::Instruction& i) {
  const auto& m = i.modifiers;  // the signs of a and b
  const bool signed_a = m[0] != 0, signed_b = m[1] != 0;
  if (has_part(i, "4A")) return signed_a ? dot_of<S8, 0>(signed_b) : dot_of<U8, 0>(signed_b);
  if (has_part(i, "LO"))
    return signed_a ? dot_of<std::int16_t, 0>(signed_b) : dot_of<std::uint16_t, 0>(signed_b);
  return signed_a ? dot_of<std::int16_t, 2>(signed_b) : dot_of<std::uint16_t, 2>(signed_b);
}

// UIADD3.64, of pairs of registers, without carries.
void add_wide(Warp& w, const DecodedInstruction& r, U32) {
  std::uint64_t sum = 0;
  for (int k = 0; k < 3; ++k) {
    RowSource pair = r.src[k];
    pair.pair = true;
    const std::uint64_t value = pair_or_word(w, pair, 0);
    sum += has_source_flag(r, k, kNegated) ? -value : value;
  }
  for (int n = 0; n < 2; ++n) {
    const Words word = broadcast(static_cast<U32>(sum >> (32 * n)));
    alignas(64) const Words result[kWordVectors] = {word, word, word, word};
    store_words(w, r, result, ~U32{0}, n);
  }
}
Handler add_wide_handler(const sass::Instruction& i, const DecodedInstruction&) {
  return writes_predicate(i, 0) || writes_predicate(i, 1) ? nullptr : add_wide;
}

}  // namespace

Handler integer_handler(const sass::Instruction& i, DecodedInstruction& r) {
  switch (i.opcode) {
    case Opcode::IADD3:
    case Opcode::UIADD3: return has_part(i, "64") ? add_wide_handler(i, r) : iadd3(i, r);
    case Opcode::IMAD:
    case Opcode::UIMAD: return imad(i, r);
    case Opcode::LEA:
    case Opcode::ULEA: return lea_handler(i, r);
    case Opcode::IMNMX:
    case Opcode::VIMNMX: return extreme_handler<false>(i);
    case Opcode::VIMNMX3:
      return has_modifier(i, sass::Int32::S32_) ? extreme_of_three<S32> : extreme_of_three<U32>;
    case Opcode::VIADDMNMX: return extreme_handler<true>(i);
    case Opcode::VIADD:
      return has_modifier(i, sass::Packed::n16x2) ? add_vector<true> : add_vector<false>;
    case Opcode::IABS: return absolute;
    case Opcode::VABSDIFF:
      if (writes_predicate(i, 0)) return nullptr;
      return has_modifier(i, sass::Int32::S32_) ? absolute_difference<S32>
                                                : absolute_difference<U32>;
    case Opcode::IDP: return dot_handler(i);
    default: return nullptr;
  }
}

}  // namespace heddle::exec
