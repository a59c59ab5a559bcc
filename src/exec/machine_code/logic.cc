// Bits: LOP3, SHF, PRMT, SGXT, BMSK, POPC, FLO, BREV, and their twins of the uniform datapath.
// SHF clamps or wraps as Mesa NAK's hardware tests show; the others are PTX's lop3, prmt, szext,
// bmsk, popc, bfind and brev.
#pragma GCC optimize("O3")

#include "exec/isa/bit_words.h"
#include "exec/machine_code/operands.h"

namespace heddle::exec {
namespace {

using sass::Opcode;

template <Handler kHandler>
Handler of_datapath(const sass::Instruction& i) {
  return is_uniform(i) ? in_all_lanes<kHandler> : kHandler;
}

// The table's entry for the bits of a, b and c is at a << 2 | b << 1 | c.
[[gnu::always_inline]] inline Words look_up(U32 table, Words a, Words b, Words c) {
  const auto entry = [table](int n) __attribute__((always_inline)) {
    return broadcast(table >> n & 1 ? ~U32{0} : 0);
  };
  const auto choose = [](Words by, Words yes, Words no)
                          __attribute__((always_inline)) { return no ^ ((yes ^ no) & by); };
  const auto of_c = [&](int n) __attribute__((always_inline)) {
    return choose(c, entry(n + 1), entry(n));
  };
  return choose(a, choose(b, of_c(6), of_c(4)), choose(b, of_c(2), of_c(0)));
}
// A table of the most frequent ones.
template <U32 kTable>
void logic3(Warp& w, const DecodedInstruction& r, U32 mask) {
  vector_op<U32, 3>(w, r, mask, [](Words a, Words b, Words c) { return look_up(kTable, a, b, c); });
}
// Any table, and the predicate: whether a bit is set, or-ed or and-ed with another predicate.
template <bool kPredicate, bool kAnd>
void any_logic3(Warp& w, const DecodedInstruction& r, U32 mask) {
  const auto table = static_cast<U32>(r.offset);
  alignas(64) Words result[kWordVectors];
  U32 zero = 0;
  for (int i = 0; i < kWordVectors; ++i) {
    result[i] = look_up(table, words(w, r, 0)[i], words(w, r, 1)[i], words(w, r, 2)[i]);
    if constexpr (kPredicate) zero |= predicate_of((Words)(result[i] == 0), i);
  }
  store_words(w, r, result, mask);
  if constexpr (!kPredicate) return;
  const U32 other = predicate(w, r.src_predicate[0]);
  set_predicate(w, r.dst_predicate[0], kAnd ? ~zero & other : ~zero | other, mask);
}
Handler frequent_logic3(const sass::Instruction& i, U32 table) {
  switch (table) {
    case 0x0c: return of_datapath<logic3<0x0c>>(i);
    case 0x0f: return of_datapath<logic3<0x0f>>(i);
    case 0x30: return of_datapath<logic3<0x30>>(i);
    case 0x33: return of_datapath<logic3<0x33>>(i);
    case 0x3c: return of_datapath<logic3<0x3c>>(i);
    case 0x96: return of_datapath<logic3<0x96>>(i);
    case 0xc0: return of_datapath<logic3<0xc0>>(i);
    case 0xea: return of_datapath<logic3<0xea>>(i);
    case 0xf8: return of_datapath<logic3<0xf8>>(i);
    case 0xfc: return of_datapath<logic3<0xfc>>(i);
    case 0xfe: return of_datapath<logic3<0xfe>>(i);
    default: return nullptr;
  }
}
Handler logic3_handler(const sass::Instruction& i, DecodedInstruction& r) {
  r.offset = source_operand(i, 3).value & 0xff;
  if (writes_predicate(i, 0))
    return has_flag(i, "PAND") ? of_datapath<any_logic3<true, true>>(i)
                               : of_datapath<any_logic3<true, false>>(i);
  if (const Handler frequent = frequent_logic3(i, static_cast<U32>(r.offset))) return frequent;
  return of_datapath<any_logic3<false, false>>(i);
}

// A funnel shift of `high`:`low`. Vector shifts by 32 or more give 0, arithmetic ones the sign.
template <bool kRight, bool kSigned, bool kHigh>
[[gnu::always_inline]] inline Words funnel(Words low, Words high, Words n) {
  const auto left = [](Words x, Words by) __attribute__((always_inline)) {
    return (Words)_mm256_sllv_epi32((__m256i)x, (__m256i)by);
  };
  const auto right = [](Words x, Words by) __attribute__((always_inline)) {
    return (Words)(kSigned ? _mm256_srav_epi32((__m256i)x, (__m256i)by)
                           : _mm256_srlv_epi32((__m256i)x, (__m256i)by));
  };
  const auto logical = [](Words x, Words by) __attribute__((always_inline)) {
    return (Words)_mm256_srlv_epi32((__m256i)x, (__m256i)by);
  };
  if constexpr (!kRight) {
    if constexpr (!kHigh) return left(low, n);
    return left(high, n) | logical(low, 32 - n) | left(low, n - 32);
  } else {
    if constexpr (kHigh) return right(high, n);
    return select((Words)((Integers)n > 31), right(high, n - 32),
                  logical(low, n) | left(high, 32 - n));
  }
}
// The number of bits is clamped to the width, or wraps.
template <bool kRight, bool kSigned, bool kHigh, bool kWrap>
void shift(Warp& w, const DecodedInstruction& r, U32 mask) {
  const auto width = static_cast<U32>(r.offset);
  vector_op<U32, 3>(w, r, mask, [width](Words low, Words by, Words high) {
    const Words n =
        kWrap ? by & (width - 1) : (Words)_mm256_min_epu32((__m256i)by, (__m256i)broadcast(width));
    return funnel<kRight, kSigned, kHigh>(low, high, n);
  });
}
Handler shift_handler(const sass::Instruction& i, DecodedInstruction& r) {
  const auto type = *sass::modifier_of<sass::ShiftType>(i);
  const bool is_signed = type == sass::ShiftType::S64 || type == sass::ShiftType::S32;
  r.offset = type == sass::ShiftType::S64 || type == sass::ShiftType::U64 ? 64 : 32;
  return for_flags(
      [&i]<bool kRight, bool kSigned, bool kHigh, bool kWrap>() -> Handler {
        return of_datapath<shift<kRight, kSigned, kHigh, kWrap>>(i);
      },
      has_modifier(i, sass::Direction::R), is_signed, has_flag(i, "HI"), has_flag(i, "W"));
}

void permute(Warp& w, const DecodedInstruction& r, U32 mask) {
  const auto mode = static_cast<ptx::PrmtMode>(r.offset);
  lane_op<U32, U32, U32, U32>(w, r, mask, [mode](U32 a, U32 b, U32 c) {
    return select_bytes(a, c, byte_selectors(mode, b));
  });
}
// With selectors that are known at decode: `offset` has them. Each half of a vector has two lanes
// of bytes a, c.
void permute_by_constant(Warp& w, const DecodedInstruction& r, U32 mask) {
  alignas(16) std::uint8_t first[16], second[16], sign[16];
  for (U32 n = 0; n < 16; ++n) {
    const U32 s = static_cast<U32>(r.offset) >> (4 * (n % 4)) & 0xf;
    const auto from = static_cast<std::uint8_t>((s & 7) + (n / 4 % 2) * 8);
    first[n] = n < 8 ? from : 0x80;
    second[n] = n < 8 ? 0x80 : from;
    sign[n] = s & 8 ? 0xff : 0;
  }
  const auto both = [](const std::uint8_t* bytes) {
    return _mm256_broadcastsi128_si256(_mm_load_si128(reinterpret_cast<const __m128i*>(bytes)));
  };
  const __m256i low = both(first), high = both(second), signs = both(sign);
  alignas(64) Words result[kWordVectors];
  for (int i = 0; i < kWordVectors; ++i) {
    const __m256i a = (__m256i)words(w, r, 0)[i], c = (__m256i)words(w, r, 2)[i];
    const __m256i bytes = _mm256_or_si256(_mm256_shuffle_epi8(_mm256_unpacklo_epi32(a, c), low),
                                          _mm256_shuffle_epi8(_mm256_unpackhi_epi32(a, c), high));
    result[i] =
        (Words)_mm256_blendv_epi8(bytes, _mm256_cmpgt_epi8(_mm256_setzero_si256(), bytes), signs);
  }
  store_words(w, r, result, mask);
}
ptx::PrmtMode mode_of(sass::Permute mode) {
  switch (mode) {
    case sass::Permute::IDX_: return ptx::PrmtMode::index;
    case sass::Permute::F4E: return ptx::PrmtMode::f4e;
    case sass::Permute::B4E: return ptx::PrmtMode::b4e;
    case sass::Permute::RC8: return ptx::PrmtMode::rc8;
    case sass::Permute::ECL: return ptx::PrmtMode::ecl;
    case sass::Permute::ECR: return ptx::PrmtMode::ecr;
    case sass::Permute::RC16: break;
  }
  return ptx::PrmtMode::rc16;
}
Handler permute_handler(const sass::Instruction& i, DecodedInstruction& r) {
  const auto mode = mode_of(sass::modifier_of<sass::Permute>(i).value_or(sass::Permute::IDX_));
  const sass::Operand& by = source_operand(i, 1);
  if (by.kind == sass::OperandKind::immediate) {
    r.offset = byte_selectors(mode, static_cast<U32>(by.value)) & 0xffff;
    return of_datapath<permute_by_constant>(i);
  }
  r.offset = static_cast<std::int64_t>(mode);
  return of_datapath<permute>(i);
}

// Sign or zero extension from n bits.
template <bool kSigned, bool kWrap>
void extend(Warp& w, const DecodedInstruction& r, U32 mask) {
  lane_op<U32, U32, U32>(
      w, r, mask, [](U32 a, U32 b) -> U32 { return extend_from<kSigned>(a, kWrap ? b & 31 : b); });
}
// b ones from bit a on.
template <bool kWrap>
void mask_of_bits(Warp& w, const DecodedInstruction& r, U32 mask) {
  lane_op<U32, U32, U32>(w, r, mask, [](U32 a, U32 b) -> U32 {
    const U32 first = kWrap ? a & 31 : a, count = kWrap ? b & 31 : b;
    if (first > 31) return 0;
    return (count > 31 ? ~U32{0} : (U32{1} << count) - 1) << first;
  });
}
U32 inverting(const DecodedInstruction& r) {
  return has_source_flag(r, 0, kInverted) ? ~U32{0} : 0;
}
void count_ones(Warp& w, const DecodedInstruction& r, U32 mask) {
  lane_op<U32, U32>(w, r, mask, [inverted = inverting(r)](U32 a) {
    return static_cast<U32>(std::popcount(a ^ inverted));
  });
}
// The highest one, of a negative number the highest zero; or the shift that moves it to the top.
template <bool kSigned, bool kShift>
void find_leading_one(Warp& w, const DecodedInstruction& r, U32 mask) {
  lane_op<U32, U32>(w, r, mask, [inverted = inverting(r)](U32 a) {
    a ^= inverted;
    if (kSigned && a >> 31) a = ~a;
    if (a == 0) return ~U32{0};
    const U32 zeros = static_cast<U32>(std::countl_zero(a));
    return kShift ? zeros : 31 - zeros;
  });
}
Handler find_leading_one_handler(const sass::Instruction& i) {
  if (writes_predicate(i, 0)) return nullptr;  // its meaning is not documented
  return for_flags(
      [&i]<bool kSigned, bool kShift>() -> Handler {
        return of_datapath<find_leading_one<kSigned, kShift>>(i);
      },
      has_modifier(i, sass::Int32::S32_), has_flag(i, "SH"));
}
void reverse_bits(Warp& w, const DecodedInstruction& r, U32 mask) {
  lane_op<U32, U32>(w, r, mask, [](U32 v) {
    v = (v >> 1 & 0x55555555) | (v & 0x55555555) << 1;
    v = (v >> 2 & 0x33333333) | (v & 0x33333333) << 2;
    v = (v >> 4 & 0x0f0f0f0f) | (v & 0x0f0f0f0f) << 4;
    return __builtin_bswap32(v);
  });
}

}  // namespace

Handler logic_handler(const sass::Instruction& i, DecodedInstruction& r) {
  const bool wrap = has_flag(i, "W"), is_signed = has_modifier(i, sass::Int32::S32_);
  switch (i.opcode) {
    case Opcode::LOP3:
    case Opcode::ULOP3: return logic3_handler(i, r);
    case Opcode::SHF:
    case Opcode::USHF: return shift_handler(i, r);
    case Opcode::PRMT:
    case Opcode::UPRMT: return permute_handler(i, r);
    case Opcode::SGXT:
    case Opcode::USGXT:
      return for_flags(
          [&i]<bool kSigned, bool kWrap>() -> Handler {
            return of_datapath<extend<kSigned, kWrap>>(i);
          },
          is_signed, wrap);
    case Opcode::BMSK:
    case Opcode::UBMSK:
      return wrap ? of_datapath<mask_of_bits<true>>(i) : of_datapath<mask_of_bits<false>>(i);
    case Opcode::POPC:
    case Opcode::UPOPC: return of_datapath<count_ones>(i);
    case Opcode::FLO:
    case Opcode::UFLO: return find_leading_one_handler(i);
    case Opcode::BREV:
    case Opcode::UBREV: return of_datapath<reverse_bits>(i);
    default: return nullptr;
  }
}

}  // namespace heddle::exec
