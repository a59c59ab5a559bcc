// Conversions: F2F, F2I, I2F, FRND, and into pairs of halves. The values are PTX's
// (exec/isa/conversion.h).
#pragma GCC optimize("O3")
#include "exec/isa/conversion.h"
#include "exec/machine_code/operands.h"

namespace heddle::exec {
namespace {

using ptx::Rounding;
using sass::Opcode;
using U32 = std::uint32_t;
using U64 = std::uint64_t;

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
enum class Float : std::uint8_t { f16 = 1, f32, f64 };
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
  }
  return nullptr;
}

Handler float_to_float_handler(const sass::Instruction& i) {
  const auto to = static_cast<Float>(format_of<sass::FloatFormat>(i));
  switch (static_cast<Float>(format_of<sass::SourceFormat>(i))) {
    case Float::f16: return to_float<Half>(to);
    case Float::f32: return to_float<float>(to);
    case Float::f64: return to_float<double>(to);
  }
  return nullptr;
}
Handler float_to_integer_handler(const sass::Instruction& i) {
  const auto to = static_cast<Integer>(format_of<sass::IntFormat, sass::SmallInt>(i));
  switch (static_cast<Float>(format_of<sass::FloatSource>(i))) {
    case Float::f16: return to_integer<Half>(to);
    case Float::f32: return to_integer<float>(to);
    case Float::f64: return to_integer<double>(to);
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
  }
  return nullptr;
}
Handler to_integral_handler(const sass::Instruction& i) {
  switch (static_cast<Float>(format_of<sass::FloatResult>(i))) {
    case Float::f16: return convert_lanes<Half, Half>;
    case Float::f32: return convert_lanes<float, float>;
    case Float::f64: return convert_lanes<double, double>;
  }
  return nullptr;
}

// Two single precision values; the first becomes the upper half.
template <bool kBrainFloat, bool kRelu>
void pack(Warp& w, const DecodedInstruction& r, U32 mask) {
  const auto half = [](float x) {
    double value = static_cast<double>(x);
    if (kRelu && value <= 0) value = 0;
    return encode(kBrainFloat ? kBrain : kHalf, value, Rounding::rn);
  };
  lane_op<U32, float, float>(w, r, mask,
                             [half](float a, float b) { return half(a) << 16 | half(b); });
}
Handler pack_handler(const sass::Instruction& i) {
  if (has_flag(i, "SATFINITE")) return nullptr;
  return for_flags(
      []<bool kBrainFloat, bool kRelu>() -> Handler { return pack<kBrainFloat, kRelu>; },
      has_flag(i, "BF16") || has_modifier(i, sass::PackFormat::BF16_F32), has_flag(i, "RELU"));
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
  if (i.opcode == Opcode::F2FP) return pack_handler(i);
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
