// cvt: between all integer and floating-point types, with rounding, saturation and flushing.
#pragma GCC optimize("O3")
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "exec/isa/decode.h"
#include "exec/isa/small_float.h"

namespace heddle::exec {
namespace {

using ptx::Rounding;
using ptx::Type;
using U32 = std::uint32_t;
using U64 = std::uint64_t;

struct Half {
  std::uint16_t bits;
};
struct Brain {
  std::uint16_t bits;
};  // bf16

template <class T>
inline constexpr bool kFloating =
    std::is_floating_point_v<T> || std::is_same_v<T, Half> || std::is_same_v<T, Brain>;
template <class T>
using Cell = std::conditional_t<sizeof(T) == 8, U64, U32>;

template <class T>
T from_cell(U64 v) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, Brain>)
    return T{static_cast<std::uint16_t>(v)};
  else if constexpr (sizeof(T) == 8)
    return std::bit_cast<T>(v);
  else if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<float>(static_cast<U32>(v));
  else
    return static_cast<T>(v);
}
// Integers are extended to the whole register by their own sign.
template <class T>
U64 to_cell(T v) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, Brain>)
    return v.bits;
  else if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<U32>(v);
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<U64>(v);
  else
    return static_cast<U64>(
        static_cast<std::conditional_t<std::is_signed_v<T>, std::int64_t, U64>>(v));
}

struct Mode {
  Rounding rounding;
  bool sat, ftz;
};

template <class F>
F integral(F x, Rounding r) {
  switch (r) {
    case Rounding::rn:
    case Rounding::rni: return std::nearbyint(x);
    case Rounding::rz:
    case Rounding::rzi: return std::trunc(x);
    case Rounding::rm:
    case Rounding::rmi: return std::floor(x);
    case Rounding::rp:
    case Rounding::rpi: return std::ceil(x);
    default: return x;
  }
}
bool rounds_to_integral(Rounding r) { return r >= Rounding::rni; }

float widen(Half h) { return _mm_cvtss_f32(_mm_cvtph_ps(_mm_cvtsi32_si128(h.bits))); }
float widen(Brain b) { return std::bit_cast<float>(U32{b.bits} << 16); }

Half to_half(float x, Rounding r) {
  const __m128 v = _mm_set_ss(x);
  __m128i h;
  switch (r) {
    case Rounding::rz: h = _mm_cvtps_ph(v, _MM_FROUND_TO_ZERO); break;
    case Rounding::rm: h = _mm_cvtps_ph(v, _MM_FROUND_TO_NEG_INF); break;
    case Rounding::rp: h = _mm_cvtps_ph(v, _MM_FROUND_TO_POS_INF); break;
    default: h = _mm_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT); break;
  }
  if (x != x) return Half{0x7fff};
  return Half{static_cast<std::uint16_t>(_mm_extract_epi16(h, 0))};
}
Brain to_brain(float x, Rounding r) {
  return Brain{static_cast<std::uint16_t>(encode(kBrain, static_cast<double>(x), r))};
}
// Double to single with sticky rounding: an inexact result gets an odd last bit, so that a further
// rounding to fewer bits is correct.
float to_odd(double x) {
  const auto f = static_cast<float>(x);
  if (!std::isfinite(x) || static_cast<double>(f) == x) return f;
  U32 bits = std::bit_cast<U32>(f);
  if (std::fabs(static_cast<double>(f)) > std::fabs(x)) --bits;  // towards zero
  return std::bit_cast<float>(bits | 1);
}
float to_single(double x, Rounding r) {
  if (!is_directed(r)) return static_cast<float>(x);
  const DirectedRounding rounding{r};
  return pin(static_cast<float>(pin(x)));
}
// A double NaN keeps its sign and the upper bits of its payload, and becomes quiet, as on an H200;
// conversions to single precision do so on the host.
template <class D>
D narrowed_nan(double x) {
  constexpr int kFraction = std::is_same_v<D, Half> ? 10 : 7;
  const U64 bits = std::bit_cast<U64>(x);
  const U64 fraction = bits << 12 >> (64 - kFraction) | U64{1} << (kFraction - 1);
  constexpr U64 kExponent = 0x7fff >> kFraction << kFraction;
  return D{static_cast<std::uint16_t>(bits >> 63 << 15 | kExponent | fraction)};
}

template <class D>
D from_single(float x, const Mode& m);
template <>
Half from_single<Half>(float x, const Mode& m) {
  return to_half(x, m.rounding);
}
template <>
Brain from_single<Brain>(float x, const Mode& m) {
  return to_brain(x, m.rounding);
}

template <class D, class S>
D float_to_float(S s, const Mode& m) {
  if constexpr (std::is_same_v<S, Half> || std::is_same_v<S, Brain>) {
    if constexpr (std::is_same_v<D, S>) {
      const float x = rounds_to_integral(m.rounding) ? integral(widen(s), m.rounding) : widen(s);
      return from_single<D>(m.sat ? saturate(x) : x, Mode{Rounding::rn, false, false});
    } else if constexpr (std::is_same_v<D, float> && std::is_same_v<S, Half>) {
      return float_to_float<D>(canonical(widen(s)), m);
    } else {
      return float_to_float<D>(widen(s), m);
    }
  } else {
    S x = s;
    if constexpr (std::is_same_v<S, float>)
      if (m.ftz) x = flush(x);
    if (rounds_to_integral(m.rounding)) x = integral(x, m.rounding);
    if (m.sat) x = saturate(x);
    if constexpr (std::is_same_v<D, S>) {
      // Without a modifier an H200 only moves single precision.
      if constexpr (std::is_same_v<D, float>)
        return m.ftz || rounds_to_integral(m.rounding) ? canonical(x) : x;
      else
        return x;
    } else if constexpr (std::is_same_v<D, double>) {
      if constexpr (std::is_same_v<S, float>)
        if (m.ftz) x = canonical(x);
      return static_cast<double>(x);
    } else if constexpr (std::is_same_v<D, float>) {
      const float f = to_single(x, m.rounding);
      return m.ftz ? flush(f) : f;
    } else if constexpr (std::is_same_v<S, double>) {
      return x != x ? narrowed_nan<D>(x) : from_single<D>(to_odd(x), m);
    } else {
      return from_single<D>(x, m);
    }
  }
}

// Rounds, then clamps. A NaN becomes zero, except between 64-bit types, where it becomes the value
// with only the top bit set.
template <class D, class S>
D float_to_integer(S s, const Mode& m) {
  if constexpr (std::is_same_v<S, Half> || std::is_same_v<S, Brain>) {
    return float_to_integer<D>(widen(s), m);
  } else {
    S x = s;
    if constexpr (std::is_same_v<S, float>)
      if (m.ftz) x = flush(x);
    if (x != x)
      return sizeof(D) == 8 || sizeof(S) == 8 ? static_cast<D>(U64{1} << (8 * sizeof(D) - 1))
                                              : D{0};
    x = integral(x, m.rounding == Rounding::none ? Rounding::rzi : m.rounding);
    constexpr S low = static_cast<S>(std::numeric_limits<D>::min());
    // The first value above the range is a power of two, which every type holds.
    const S end = std::ldexp(S{1}, std::numeric_limits<D>::digits);
    if (x < low) return std::numeric_limits<D>::min();
    if (x >= end) return std::numeric_limits<D>::max();
    return static_cast<D>(x);
  }
}

template <class D, class S>
D integer_to_float(S s, const Mode& m) {
  if constexpr (std::is_same_v<D, Half> || std::is_same_v<D, Brain>) {
    // 64-bit integers can be inexact in double: the last bits are kept sticky.
    double x = static_cast<double>(s);
    if constexpr (sizeof(S) == 8) {
      const U64 size = s < S{0} ? U64{0} - static_cast<U64>(s) : static_cast<U64>(s);
      const double sized = static_cast<double>(
          size >> 11 << 11 | (size & 0x7ff && size >> 52 ? U64{1} << 11 : size & 0x7ff));
      x = s < S{0} ? -sized : sized;
    }
    return from_single<D>(to_odd(m.sat ? saturate(x) : x), m);
  } else {
    D x;
    if (is_directed(m.rounding)) {
      const DirectedRounding rounding{m.rounding};
      x = pin(static_cast<D>(pin(s)));
    } else {
      x = static_cast<D>(s);
    }
    return m.sat ? saturate(x) : x;
  }
}

template <class D, class S>
D integer_to_integer(S s, const Mode& m) {
  if (!m.sat) return static_cast<D>(s);
  if (std::cmp_less(s, std::numeric_limits<D>::min())) return std::numeric_limits<D>::min();
  if (std::cmp_greater(s, std::numeric_limits<D>::max())) return std::numeric_limits<D>::max();
  return static_cast<D>(s);
}

template <class D, class S>
D convert(S s, const Mode& m) {
  if constexpr (kFloating<S> && kFloating<D>)
    return float_to_float<D>(s, m);
  else if constexpr (kFloating<S>)
    return float_to_integer<D>(s, m);
  else if constexpr (kFloating<D>)
    return integer_to_float<D>(s, m);
  else
    return integer_to_integer<D>(s, m);
}

// Registers may be wider than the types: sources are truncated, results extended.
template <class D, class S>
void cvt(Warp& w, const DecodedInstruction& r, U32 mask) {
  const ptx::Instruction& i = ptx_of(r);
  const Mode mode{i.rounding, i.sat, i.ftz};
  const std::uint8_t* lanes = row(w, r.src[0]);
  const std::size_t source_bytes = r.src[0].bytes;
  alignas(64) U64 result[kWarpSize];
  for (std::size_t l = 0; l < kWarpSize; ++l) {
    Cell<S> cell;
    std::memcpy(&cell, lanes + l * source_bytes, sizeof(S) < sizeof cell ? 4 : sizeof cell);
    result[l] = to_cell(convert<D>(from_cell<S>(cell), mode));
  }
  if (r.dst_bytes[0] == 8) return store_lanes<8>(w.bases[0] + r.dst[0], result, mask);
  alignas(64) U32 narrow[kWarpSize];
  for (std::size_t l = 0; l < kWarpSize; ++l) narrow[l] = static_cast<U32>(result[l]);
  store_lanes<4>(w.bases[0] + r.dst[0], narrow, mask);
}

// The most frequent conversions, with vector instructions.
void widen_signed(Warp& w, const DecodedInstruction& r, U32 m) {
  lane_op<std::int64_t, std::int32_t>(w, r, m, [](std::int32_t x) { return std::int64_t{x}; });
}
void widen_unsigned(Warp& w, const DecodedInstruction& r, U32 m) {
  lane_op<U64, U32>(w, r, m, [](U32 x) { return U64{x}; });
}
void narrow(Warp& w, const DecodedInstruction& r, U32 m) {
  lane_op<U32, U64>(w, r, m, [](U64 x) { return static_cast<U32>(x); });
}
void signed_to_single(Warp& w, const DecodedInstruction& r, U32 m) {
  vector_op<std::int32_t, 1>(w, r, m, [](auto x) { return _mm256_cvtepi32_ps((__m256i)x); });
}
Handler common(const ptx::Instruction& i) {
  if (i.sat || i.src[0].kind == ptx::Operand::Kind::pred) return nullptr;
  const bool from32 = i.src[0].bytes == 4, to64 = i.dst[0].bytes == 8;
  const bool d64 = i.type == Type::u64 || i.type == Type::s64,
             d32 = i.type == Type::u32 || i.type == Type::s32;
  if (d64 && to64 && from32 && i.source_type == Type::s32) return widen_signed;
  if (d64 && to64 && from32 && i.source_type == Type::u32) return widen_unsigned;
  if (d32 && !to64 && !from32 && (i.source_type == Type::u64 || i.source_type == Type::s64))
    return narrow;
  if (i.type == Type::f32 && i.source_type == Type::s32 && from32 && !to64 &&
      !is_directed(i.rounding))
    return signed_to_single;
  return nullptr;
}

template <class D>
Handler from(Type s) {
  switch (s) {
    case Type::u8:
    case Type::b8: return cvt<D, std::uint8_t>;
    case Type::s8: return cvt<D, std::int8_t>;
    case Type::u16:
    case Type::b16: return cvt<D, std::uint16_t>;
    case Type::s16: return cvt<D, std::int16_t>;
    case Type::u32:
    case Type::b32: return cvt<D, U32>;
    case Type::s32: return cvt<D, std::int32_t>;
    case Type::u64:
    case Type::b64: return cvt<D, U64>;
    case Type::s64: return cvt<D, std::int64_t>;
    case Type::f16: return cvt<D, Half>;
    case Type::bf16: return cvt<D, Brain>;
    case Type::f32: return cvt<D, float>;
    case Type::f64: return cvt<D, double>;
    default: return nullptr;
  }
}

}  // namespace

Handler convert_handler(const ptx::Instruction& i) {
  if (Handler h = packed_convert_handler(i)) return h;
  if (Handler h = common(i)) return h;
  switch (i.type) {
    case Type::u8:
    case Type::b8: return from<std::uint8_t>(i.source_type);
    case Type::s8: return from<std::int8_t>(i.source_type);
    case Type::u16:
    case Type::b16: return from<std::uint16_t>(i.source_type);
    case Type::s16: return from<std::int16_t>(i.source_type);
    case Type::u32:
    case Type::b32: return from<U32>(i.source_type);
    case Type::s32: return from<std::int32_t>(i.source_type);
    case Type::u64:
    case Type::b64: return from<U64>(i.source_type);
    case Type::s64: return from<std::int64_t>(i.source_type);
    case Type::f16: return from<Half>(i.source_type);
    case Type::bf16: return from<Brain>(i.source_type);
    case Type::f32: return from<float>(i.source_type);
    case Type::f64: return from<double>(i.source_type);
    default: return nullptr;
  }
}

}  // namespace heddle::exec
