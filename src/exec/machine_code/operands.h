// What the families of machine code share: choice of a handler by modifiers, negation of integer
// operands, rows of pairs, and predicates as vectors.
#pragma once

#include <string_view>

#include "exec/isa/lanes.h"
#include "exec/machine_code/handlers.h"
#include "sass/encoding/form.h"

namespace heddle::exec {

// The handler that `make.operator()<flags...>()` returns for the values of the flags.
template <bool... kKnown, class Make>
Handler for_flags(const Make& make) {
  return make.template operator()<kKnown...>();
}
template <bool... kKnown, class Make, class... Rest>
Handler for_flags(const Make& make, bool first, Rest... rest) {
  return first ? for_flags<kKnown..., true>(make, rest...)
               : for_flags<kKnown..., false>(make, rest...);
}

// A handler of the uniform datapath: all lanes compute the same.
using sass::is_uniform;
template <Handler kHandler>
void in_all_lanes(Warp& w, const DecodedInstruction& r, std::uint32_t) {
  kHandler(w, r, ~std::uint32_t{0});
}
// Whether the mnemonic has this part: has_part(i, "HI") for LEA.HI.X.
inline bool has_part(const sass::Instruction& i, std::string_view part) {
  std::string_view name = i.form->name;
  while (!name.empty()) {
    const std::size_t end = name.find('.');
    if (name.substr(0, end) == part) return true;
    if (end == std::string_view::npos) break;
    name.remove_prefix(end + 1);
  }
  return false;
}
template <class Modifier>
bool has_modifier(const sass::Instruction& i, Modifier value) {
  return sass::modifier_of<Modifier>(i) == value;
}

inline bool is_zero_register(const sass::Operand& o) {
  return (o.kind == sass::OperandKind::reg && o.index == sass::kZeroRegister) ||
         (o.kind == sass::OperandKind::uniform && o.index == sass::kZeroUniformRegister);
}
inline bool is_predicate(const sass::Operand& o) {
  return o.kind == sass::OperandKind::predicate || o.kind == sass::OperandKind::uniform_predicate;
}
// The k-th operand that is a source (a predicate, or a value), or a destination. An operand that
// the form does not have is a mistake of the caller.
template <class Is>
const sass::Operand& nth_operand(const sass::Instruction& i, bool written, int k, Is is) {
  for (std::size_t n = 0; n < i.form->operands.size(); ++n)
    if (i.form->operands[n].written == written && is(i.operands[n]) && k-- == 0)
      return i.operands[n];
  report_violation("a handler of machine code asks for an operand that its form lacks");
}
inline bool is_value(const sass::Operand& o) {
  using K = sass::OperandKind;
  return o.kind == K::reg || o.kind == K::uniform || o.kind == K::immediate ||
         o.kind == K::constant;
}
inline const sass::Operand& source_operand(const sass::Instruction& i, int k) {
  return nth_operand(i, false, k, is_value);
}
inline const sass::Operand& source_predicate(const sass::Instruction& i, int k) {
  return nth_operand(i, false, k, is_predicate);
}
inline bool writes_predicate(const sass::Instruction& i, int k) {
  return nth_operand(i, true, k, is_predicate).index != sass::kTruePredicate;
}
inline bool is_true(const sass::Operand& predicate) {
  return predicate.index == sass::kTruePredicate && !predicate.negated;
}

inline ptx::Rounding rounding_of(const sass::Instruction& i) {
  using sass::Rounding;
  switch (sass::modifier_of<Rounding>(i).value_or(Rounding::RN_)) {
    case Rounding::RM: return ptx::Rounding::rm;
    case Rounding::RP: return ptx::Rounding::rp;
    case Rounding::RZ: return ptx::Rounding::rz;
    case Rounding::RN_: break;
  }
  return ptx::Rounding::rn;
}

using Words = Vector<std::uint32_t>;
using Integers = Vector<std::int32_t>;
inline constexpr int kWordVectors = 4;  // in a row
inline constexpr std::uint32_t kRowOfWords = 128;

inline const Words* words(const Warp& w, const DecodedInstruction& r, int k, int register_ = 0) {
  return reinterpret_cast<const Words*>(row(w, r.src[k]) + register_ * kRowOfWords);
}
// Elements of `value` in all lanes.
[[gnu::always_inline]] inline Words broadcast(std::uint32_t value) {
  return (Words)_mm256_set1_epi32(static_cast<int>(value));
}
// All ones where the k-th source is negated, or inverted; else zeros.
inline Words flag_mask(const DecodedInstruction& r, int k, SourceFlag flag) {
  return broadcast(has_source_flag(r, k, flag) ? ~std::uint32_t{0} : 0);
}
[[gnu::always_inline]] inline Words negate_if(Words x, Words mask) { return (x ^ mask) - mask; }

// The signs of a floating-point source: |x|, -x, -|x|.
struct FloatSigns {
  Words keep, flip;
  FloatSigns(const DecodedInstruction& r, int k)
      : keep(broadcast(has_source_flag(r, k, kAbsolute) ? 0x7fffffff : ~std::uint32_t{0})),
        flip(broadcast(has_source_flag(r, k, kNegated) ? 0x80000000 : 0)) {}
  [[gnu::always_inline]] Words apply(Words x) const { return (x & keep) ^ flip; }
  [[gnu::always_inline]] Vector<float> apply(Vector<float> x) const {
    return (Vector<float>)apply((Words)x);
  }
};

// All ones in the lanes of the predicate.
[[gnu::always_inline]] inline Words lanes_of(std::uint32_t predicate, int part) {
  return (Words)expand<4>(predicate, part);
}
// The predicate of the lanes whose element is negative.
[[gnu::always_inline]] inline std::uint32_t predicate_of(Words mask, int part) {
  return static_cast<std::uint32_t>(_mm256_movemask_ps((__m256)mask)) << (8 * part);
}
[[gnu::always_inline]] inline Words select(Words mask, Words yes, Words no) {
  return (Words)_mm256_blendv_epi8((__m256i)no, (__m256i)yes, (__m256i)mask);
}

// The results of a comparison: combined with a predicate (AND, OR, XOR in `offset`), and the same
// of its complement. A comparison that is only and-ed with PT and has one result is simple.
inline bool is_simple_comparison(const sass::Instruction& i) {
  return is_true(source_predicate(i, 0)) && has_modifier(i, sass::Combine::AND) &&
         !writes_predicate(i, 1);
}
template <bool kSimple>
[[gnu::always_inline]] inline void store_comparison(Warp& w, const DecodedInstruction& r,
                                                    std::uint32_t holds, std::uint32_t mask) {
  if constexpr (kSimple) return set_predicate(w, r.dst_predicate[0], holds, mask);
  const std::uint32_t other = predicate(w, r.src_predicate[0]);
  const auto combined = [&](std::uint32_t result) {
    switch (static_cast<sass::Combine>(r.offset)) {
      case sass::Combine::AND: return result & other;
      case sass::Combine::OR: return result | other;
      case sass::Combine::XOR: break;
    }
    return result ^ other;
  };
  set_predicate(w, r.dst_predicate[0], combined(holds), mask);
  set_predicate(w, r.dst_predicate[1], combined(~holds), mask);
}

inline void store_words(Warp& w, const DecodedInstruction& r, const Words* values,
                        std::uint32_t mask, int register_ = 0, int k = 0) {
  store_lanes<4>(w.bases[0] + r.dst[k] + register_ * kRowOfWords, values, mask);
}

// 64-bit values in pairs of registers: four lanes, low words and high words joined.
[[gnu::always_inline]] inline __m256i load_pair(const std::uint8_t* pair, int part) {
  const __m128i low = _mm_load_si128(reinterpret_cast<const __m128i*>(pair) + part),
                high = _mm_load_si128(reinterpret_cast<const __m128i*>(pair + kRowOfWords) + part);
  return _mm256_set_m128i(_mm_unpackhi_epi32(low, high), _mm_unpacklo_epi32(low, high));
}
// Eight vectors of 64-bit results.
inline void store_pairs(Warp& w, const DecodedInstruction& r, const __m256i* values,
                        std::uint32_t mask) {
  alignas(64) Words low[kWordVectors], high[kWordVectors];
  const __m256i even = _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7);
  for (int i = 0; i < kWordVectors; ++i) {
    const __m256i a = _mm256_permutevar8x32_epi32(values[2 * i], even),
                  b = _mm256_permutevar8x32_epi32(values[2 * i + 1], even);
    low[i] = (Words)_mm256_permute2x128_si256(a, b, 0x20);
    high[i] = (Words)_mm256_permute2x128_si256(a, b, 0x31);
  }
  store_words(w, r, low, mask, 0);
  store_words(w, r, high, mask, 1);
}

}  // namespace heddle::exec
