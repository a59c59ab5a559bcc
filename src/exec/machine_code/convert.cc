// Conversions: F2F, F2I, I2F, FRND, and into pairs of halves. The values are PTX's
// (exec/isa/conversion.h).
#pragma GCC optimize("O3")
#include <algorithm>

#include "exec/isa/conversion.h"
#include "exec/machine_code/operands.h"

namespace heddle::exec {
namespace {

using ptx::Rounding;
using sass::Opcode;

// What a conversion keeps in `offset`.
struct Modes {
  Rounding rounding;
  bool flushes;
  bool nan_is_zero;           // else a NaN becomes the integer with only the top bit
  std::uint8_t source_shift;  // of a half or byte in its register
  std::uint32_t unused;
};
static_assert(sizeof(Modes) == sizeof(std::int64_t));

template <class D, class S>
D converted(S value, const Modes& modes) {
  const ConversionMode mode{modes.rounding, false, modes.flushes};
  if constexpr (kFloating<S> && !kFloating<D>) {
    bool is_nan = false;
    if constexpr (std::is_same_v<S, Half>)
      is_nan = (value.bits & 0x7fff) > 0x7c00;
    else if constexpr (std::is_same_v<S, Brain>)
      is_nan = (value.bits & 0x7fff) > 0x7f80;
    else
      is_nan = value != value;
    if (is_nan) return modes.nan_is_zero ? D{0} : static_cast<D>(U64{1} << (8 * sizeof(D) - 1));
  }
  return convert<D>(value, mode);
}
template <class D, class S>
void convert_lanes(Warp& w, const DecodedInstruction& r, U32 mask) {
  const auto modes = std::bit_cast<Modes>(r.offset);
  constexpr bool kPair = sizeof(S) == 8;
  constexpr U64 kSign = U64{1} << (8 * sizeof(S) - 1);
  const U64 keep = has_source_flag(r, 0, kAbsolute) ? ~kSign : ~U64{0},
            flip = has_source_flag(r, 0, kNegated) ? kSign : 0;
  const auto* low = source<U32>(w, r, 0);
  const auto* high = low + (kPair ? kWarpSize : 0);
  alignas(64) U32 result[2][kWarpSize];
  for (int l = 0; l < kWarpSize; ++l) {
    const U64 cell = kPair ? U64{high[l]} << 32 | low[l] : low[l] >> modes.source_shift;
    const U64 to = to_cell(converted<D>(from_cell<S>((cell & keep) ^ flip), modes));
    result[0][l] = static_cast<U32>(to), result[1][l] = static_cast<U32>(to >> 32);
  }
  store_lanes<4>(w.bases[0] + r.dst[0], result[0], mask);
  if constexpr (sizeof(D) == 8)
    store_lanes<4>(w.bases[0] + r.dst[0] + kRowOfWords, result[1], mask);
}

void signed_to_single(Warp& w, const DecodedInstruction& r, U32 m) {
  vector_op<std::int32_t, 1>(w, r, m, [](auto x) { return _mm256_cvtepi32_ps((__m256i)x); });
}

// The formats of the encoding tables, which number the floating-point ones alike in all kinds of
// modifiers, and the integer ones, too.
enum class Float : std::uint8_t { f16 = 1, f32, f64, bf16 };
enum class Integer : std::uint8_t { u8, s8, u16, s16, u32, s32, u64, s64 };
template <class... Modifiers>
std::uint8_t format_of(const sass::Instruction& i) {
  std::uint8_t found = 0;
  ((found |= static_cast<std::uint8_t>(sass::modifier_of<Modifiers>(i).value_or(Modifiers{}))),
   ...);
  return found;
}
template <class D>
Handler from_integer(Integer from) {
  switch (from) {
    case Integer::u8: return convert_lanes<D, std::uint8_t>;
    case Integer::s8: return convert_lanes<D, std::int8_t>;
    case Integer::u16: return convert_lanes<D, std::uint16_t>;
    case Integer::s16: return convert_lanes<D, std::int16_t>;
    case Integer::u32: return convert_lanes<D, U32>;
    case Integer::s32: return convert_lanes<D, std::int32_t>;
    case Integer::u64: return convert_lanes<D, U64>;
    case Integer::s64: return convert_lanes<D, std::int64_t>;
  }
  return nullptr;
}
template <class S>
Handler to_integer(Integer to) {
  switch (to) {
    case Integer::u8: return convert_lanes<std::uint8_t, S>;
    case Integer::s8: return convert_lanes<std::int8_t, S>;
    case Integer::u16: return convert_lanes<std::uint16_t, S>;
    case Integer::s16: return convert_lanes<std::int16_t, S>;
    case Integer::u32: return convert_lanes<U32, S>;
    case Integer::s32: return convert_lanes<std::int32_t, S>;
    case Integer::u64: return convert_lanes<U64, S>;
    case Integer::s64: return convert_lanes<std::int64_t, S>;
  }
  return nullptr;
}
template <class S>
Handler to_float(Float to) {
  switch (to) {
    case Float::f16: return convert_lanes<Half, S>;
    case Float::f32: return convert_lanes<float, S>;
    case Float::f64: return convert_lanes<double, S>;
    case Float::bf16: return convert_lanes<Brain, S>;
  }
  return nullptr;
}

Handler float_to_float_handler(const sass::Instruction& i) {
  const auto to = static_cast<Float>(format_of<sass::FloatFormat>(i));
  switch (static_cast<Float>(format_of<sass::SourceFormat>(i))) {
    case Float::f16: return to_float<Half>(to);
    case Float::f32: return to_float<float>(to);
    case Float::f64: return to_float<double>(to);
    case Float::bf16: return to_float<Brain>(to);
  }
  return nullptr;
}
Handler float_to_integer_handler(const sass::Instruction& i) {
  const auto to = static_cast<Integer>(format_of<sass::IntFormat, sass::SmallInt>(i));
  switch (static_cast<Float>(format_of<sass::FloatSource>(i))) {
    case Float::f16: return to_integer<Half>(to);
    case Float::f32: return to_integer<float>(to);
    case Float::f64: return to_integer<double>(to);
    case Float::bf16: return to_integer<Brain>(to);
  }
  return nullptr;
}
Handler integer_to_float_handler(const sass::Instruction& i, const Modes& modes) {
  const auto from = static_cast<Integer>(format_of<sass::IntFormat, sass::IntFormat2>(i));
  switch (
      static_cast<Float>(format_of<sass::SmallFloat, sass::FloatResult, sass::FloatFormat>(i))) {
    case Float::f16: return from_integer<Half>(from);
    case Float::f32:
      if (from == Integer::s32 && !is_directed(modes.rounding)) return signed_to_single;
      return from_integer<float>(from);
    case Float::f64: return from_integer<double>(from);
    case Float::bf16: return from_integer<Brain>(from);
  }
  return nullptr;
}
Handler to_integral_handler(const sass::Instruction& i) {
  switch (static_cast<Float>(format_of<sass::FloatResult>(i))) {
    case Float::f16: return convert_lanes<Half, Half>;
    case Float::f32: return convert_lanes<float, float>;
    case Float::f64: return convert_lanes<double, double>;
    case Float::bf16: break;
  }
  return nullptr;
}

// F2FP, in `offset`.
struct PackModes {
  Rounding rounding;
  bool relu, satfinite;
  std::uint8_t source_shift;
  std::uint8_t unused[4];
};
static_assert(sizeof(PackModes) == sizeof(std::int64_t));
U32 narrowed(const SmallFormat& format, float x, const PackModes& modes) {
  double value = static_cast<double>(x);
  if (modes.relu && value <= 0) value = 0;
  return encode(format, value, modes.rounding, modes.satfinite);
}
// Two single precision values; the first becomes the upper part. Below formats of 8 bits the upper
// half of the result is that of a third source.
template <const SmallFormat& kFormat>
void pack(Warp& w, const DecodedInstruction& r, U32 mask) {
  const auto modes = std::bit_cast<PackModes>(r.offset);
  lane_op<U32, float, float, U32>(w, r, mask, [modes](float a, float b, U32 c) {
    const U32 upper = narrowed(kFormat, a, modes), lower = narrowed(kFormat, b, modes);
    constexpr bool kEighths = &kFormat == &kE4m3 || &kFormat == &kE5m2;
    return kEighths ? (c & 0xffff0000) | upper << 8 | lower : upper << 16 | lower;
  });
}
// One value beside the upper half of a second source.
template <const SmallFormat& kFormat>
void merge(Warp& w, const DecodedInstruction& r, U32 mask) {
  const auto modes = std::bit_cast<PackModes>(r.offset);
  lane_op<U32, float, U32>(w, r, mask, [modes](float a, U32 c) {
    return (c & 0xffff0000) | narrowed(kFormat, a, modes);
  });
}
// A pair of halves to 8-bit formats.
template <const SmallFormat& kFormat>
void pack_halves(Warp& w, const DecodedInstruction& r, U32 mask) {
  const auto modes = std::bit_cast<PackModes>(r.offset);
  lane_op<U32, U32, U32>(w, r, mask, [modes](U32 a, U32 c) {
    return (c & 0xffff0000) | narrowed(kFormat, decode_half(a >> 16), modes) << 8 |
           narrowed(kFormat, decode_half(a), modes);
  });
}
template <float (*kDecode)(U32)>
void unpack_eighths(Warp& w, const DecodedInstruction& r, U32 mask) {
  const auto modes = std::bit_cast<PackModes>(r.offset);
  lane_op<U32, U32>(w, r, mask, [modes](U32 a) {
    a >>= modes.source_shift;
    return narrowed(kHalf, kDecode(a >> 8), modes) << 16 | narrowed(kHalf, kDecode(a), modes);
  });
}
void round_to_tensor(Warp& w, const DecodedInstruction& r, U32 mask) {
  const auto modes = std::bit_cast<PackModes>(r.offset);
  lane_op<U32, float>(w, r, mask, [modes](float a) { return narrowed(kTensor32, a, modes) << 13; });
}
Handler pack_handler(const sass::Instruction& i, DecodedInstruction& r) {
  PackModes modes{};
  modes.rounding = has_modifier(i, sass::NearestOrZero::RZ) ? Rounding::rz : Rounding::rn;
  modes.relu = has_flag(i, "RELU");
  modes.satfinite = has_flag(i, "SATFINITE");
  modes.source_shift = has_modifier(i, sass::Half::H1) ? 16 : 0;
  r.offset = std::bit_cast<std::int64_t>(modes);
  if (has_flag(i, "PACK_B")) return round_to_tensor;
  if (has_flag(i, "PACK_AB_MERGE_C"))
    return has_modifier(i, sass::EighthFormat::E4M3_F32) ? pack<kE4m3> : pack<kE5m2>;
  if (has_flag(i, "UNPACK_B_MERGE_C"))
    return has_modifier(i, sass::EighthOfHalf::E4M3_F16) ? pack_halves<kE4m3> : pack_halves<kE5m2>;
  if (has_flag(i, "UNPACK_B"))
    return has_modifier(i, sass::HalfOfEighth::F16_E4M3) ? unpack_eighths<decode_e4m3>
                                                         : unpack_eighths<decode_e5m2>;
  const bool brain = has_flag(i, "BF16") || has_modifier(i, sass::PackFormat::BF16_F32);
  if (has_flag(i, "MERGE_C")) return brain ? merge<kBrain> : merge<kHalf>;
  return brain ? pack<kBrain> : pack<kHalf>;
}

// Signed words clamped to smaller integers: one, or two above the low part of a third.
template <class T>
U32 clamped(std::int32_t x) {
  using Limits = std::numeric_limits<T>;
  return static_cast<U32>(std::clamp<std::int32_t>(x, Limits::min(), Limits::max()));
}
template <class T>
void clamp_integers(Warp& w, const DecodedInstruction& r, U32 mask) {
  lane_op<U32, std::int32_t>(w, r, mask, [](std::int32_t a) { return clamped<T>(a); });
}
template <class T>
void pack_integers(Warp& w, const DecodedInstruction& r, U32 mask) {
  constexpr int kBits = 8 * sizeof(T);
  constexpr U32 kPart = (U32{1} << kBits) - 1;
  lane_op<U32, std::int32_t, std::int32_t, U32>(
      w, r, mask, [](std::int32_t a, std::int32_t b, U32 c) {
        const U32 both = (clamped<T>(a) & kPart) << kBits | (clamped<T>(b) & kPart);
        return kBits == 8 ? c << 16 | both : both;
      });
}
Handler clamp_handler(const sass::Instruction& i) {
  using enum sass::SmallResult;
  const bool packs = i.opcode == Opcode::I2IP;
  switch (*sass::modifier_of<sass::SmallResult>(i)) {
    case U8_S32_SAT: return packs ? pack_integers<std::uint8_t> : clamp_integers<std::uint8_t>;
    case S8_S32_SAT: return packs ? pack_integers<std::int8_t> : clamp_integers<std::int8_t>;
    case U16_S32_SAT: return packs ? pack_integers<std::uint16_t> : clamp_integers<std::uint16_t>;
    case S16_S32_SAT: return packs ? pack_integers<std::int16_t> : clamp_integers<std::int16_t>;
  }
  return nullptr;
}

Rounding rounding_of_conversion(const sass::Instruction& i) {
  if (const auto rounding = sass::modifier_of<sass::IntRounding>(i)) {
    switch (*rounding) {
      case sass::IntRounding::ROUND_: return Rounding::rni;
      case sass::IntRounding::FLOOR: return Rounding::rmi;
      case sass::IntRounding::CEIL: return Rounding::rpi;
      case sass::IntRounding::TRUNC: return Rounding::rzi;
    }
  }
  if (has_modifier(i, sass::NearestOrZero::RZ)) return Rounding::rz;
  return rounding_of(i);
}
Modes modes_of(const sass::Instruction& i) {
  Modes modes{};
  modes.rounding = rounding_of_conversion(i);
  modes.flushes = has_flag(i, "FTZ");
  modes.nan_is_zero = has_flag(i, "NTZ");
  if (const auto half = sass::modifier_of<sass::Half>(i))
    modes.source_shift = *half == sass::Half::H1 ? 16 : 0;
  if (const auto byte = sass::modifier_of<sass::Byte>(i))
    modes.source_shift = static_cast<std::uint8_t>(8 * static_cast<int>(*byte));
  return modes;
}

}  // namespace

Handler convert_handler(const sass::Instruction& i, DecodedInstruction& r) {
  if (i.opcode == Opcode::F2FP) return pack_handler(i, r);
  if (i.opcode == Opcode::I2I || i.opcode == Opcode::I2IP) return clamp_handler(i);
  const Modes modes = modes_of(i);
  r.offset = std::bit_cast<std::int64_t>(modes);
  switch (i.opcode) {
    case Opcode::F2F: return float_to_float_handler(i);
    case Opcode::F2I: return float_to_integer_handler(i);
    case Opcode::I2F:
    case Opcode::I2FP: return integer_to_float_handler(i, modes);
    case Opcode::FRND: return to_integral_handler(i);
    default: return nullptr;
  }
}

}  // namespace heddle::exec
