// Values of all integer and floating-point types, converted with rounding, saturation and flushing.
#pragma once

#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "exec/isa/small_float.h"

namespace heddle::exec {

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
using Cell = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

template <class T>
T from_cell(std::uint64_t v) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, Brain>)
    return T{static_cast<std::uint16_t>(v)};
  else if constexpr (sizeof(T) == 8)
    return std::bit_cast<T>(v);
  else if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<float>(static_cast<std::uint32_t>(v));
  else
    return static_cast<T>(v);
}
// Integers are extended to the whole register by their own sign.
template <class T>
std::uint64_t to_cell(T v) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, Brain>)
    return v.bits;
  else if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<std::uint32_t>(v);
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<std::uint64_t>(v);
  else
    return static_cast<std::uint64_t>(
        static_cast<std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>(v));
}

struct ConversionMode {
  ptx::Rounding rounding;
  bool sat, ftz;
};

template <class F>
F integral(F x, ptx::Rounding r) {
  switch (r) {
    case ptx::Rounding::rn:
    case ptx::Rounding::rni: return std::nearbyint(x);
    case ptx::Rounding::rz:
    case ptx::Rounding::rzi: return std::trunc(x);
    case ptx::Rounding::rm:
    case ptx::Rounding::rmi: return std::floor(x);
    case ptx::Rounding::rp:
    case ptx::Rounding::rpi: return std::ceil(x);
    default: return x;
  }
}
inline bool rounds_to_integral(ptx::Rounding r) { return r >= ptx::Rounding::rni; }

inline float widen(Half h) { return _mm_cvtss_f32(_mm_cvtph_ps(_mm_cvtsi32_si128(h.bits))); }
inline float widen(Brain b) { return std::bit_cast<float>(std::uint32_t{b.bits} << 16); }

inline Half to_half(float x, ptx::Rounding r) {
  const __m128 v = _mm_set_ss(x);
  __m128i h;
  switch (r) {
    case ptx::Rounding::rz: h = _mm_cvtps_ph(v, _MM_FROUND_TO_ZERO); break;
    case ptx::Rounding::rm: h = _mm_cvtps_ph(v, _MM_FROUND_TO_NEG_INF); break;
    case ptx::Rounding::rp: h = _mm_cvtps_ph(v, _MM_FROUND_TO_POS_INF); break;
    default: h = _mm_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT); break;
  }
  if (x != x) return Half{0x7fff};
  return Half{static_cast<std::uint16_t>(_mm_extract_epi16(h, 0))};
}
inline Brain to_brain(float x, ptx::Rounding r) {
  return Brain{static_cast<std::uint16_t>(encode(kBrain, static_cast<double>(x), r))};
}
// Double to single with sticky rounding: an inexact result gets an odd last bit, so that a further
// rounding to fewer bits is correct.
inline float to_odd(double x) {
  const auto f = static_cast<float>(x);
  if (!std::isfinite(x) || static_cast<double>(f) == x) return f;
  std::uint32_t bits = std::bit_cast<std::uint32_t>(f);
  if (std::fabs(static_cast<double>(f)) > std::fabs(x)) --bits;  // towards zero
  return std::bit_cast<float>(bits | 1);
}
inline float to_single(double x, ptx::Rounding r) {
  if (!is_directed(r)) return static_cast<float>(x);
  const DirectedRounding rounding{r};
  return pin(static_cast<float>(pin(x)));
}
// A double NaN keeps its sign and the upper bits of its payload, and becomes quiet, as on an H200;
// conversions to single precision do so on the host.
template <class D>
D narrowed_nan(double x) {
  constexpr int kFraction = std::is_same_v<D, Half> ? 10 : 7;
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t fraction = bits << 12 >> (64 - kFraction) | std::uint64_t{1}
                                                                      << (kFraction - 1);
  constexpr std::uint64_t kExponent = 0x7fff >> kFraction << kFraction;
  return D{static_cast<std::uint16_t>(bits >> 63 << 15 | kExponent | fraction)};
}

template <class D>
D from_single(float x, const ConversionMode& m);
template <>
inline Half from_single<Half>(float x, const ConversionMode& m) {
  return to_half(x, m.rounding);
}
template <>
inline Brain from_single<Brain>(float x, const ConversionMode& m) {
  return to_brain(x, m.rounding);
}

template <class D, class S>
D float_to_float(S s, const ConversionMode& m) {
  if constexpr (std::is_same_v<S, Half> || std::is_same_v<S, Brain>) {
    if constexpr (std::is_same_v<D, S>) {
      const float x = rounds_to_integral(m.rounding) ? integral(widen(s), m.rounding) : widen(s);
      return from_single<D>(m.sat ? saturate(x) : x,
                            ConversionMode{ptx::Rounding::rn, false, false});
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
D float_to_integer(S s, const ConversionMode& m) {
  if constexpr (std::is_same_v<S, Half> || std::is_same_v<S, Brain>) {
    return float_to_integer<D>(widen(s), m);
  } else {
    S x = s;
    if constexpr (std::is_same_v<S, float>)
      if (m.ftz) x = flush(x);
    if (x != x)
      return sizeof(D) == 8 || sizeof(S) == 8
                 ? static_cast<D>(std::uint64_t{1} << (8 * sizeof(D) - 1))
                 : D{0};
    x = integral(x, m.rounding == ptx::Rounding::none ? ptx::Rounding::rzi : m.rounding);
    constexpr S low = static_cast<S>(std::numeric_limits<D>::min());
    // The first value above the range is a power of two, which every type holds.
    const S end = std::ldexp(S{1}, std::numeric_limits<D>::digits);
    if (x < low) return std::numeric_limits<D>::min();
    if (x >= end) return std::numeric_limits<D>::max();
    return static_cast<D>(x);
  }
}

template <class D, class S>
D integer_to_float(S s, const ConversionMode& m) {
  if constexpr (std::is_same_v<D, Half> || std::is_same_v<D, Brain>) {
    // 64-bit integers can be inexact in double: the last bits are kept sticky.
    double x = static_cast<double>(s);
    if constexpr (sizeof(S) == 8) {
      const std::uint64_t size = s < S{0} ? std::uint64_t{0} - static_cast<std::uint64_t>(s)
                                          : static_cast<std::uint64_t>(s);
      const double sized = static_cast<double>(
          size >> 11 << 11 | (size & 0x7ff && size >> 52 ? std::uint64_t{1} << 11 : size & 0x7ff));
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
D integer_to_integer(S s, const ConversionMode& m) {
  if (!m.sat) return static_cast<D>(s);
  if (std::cmp_less(s, std::numeric_limits<D>::min())) return std::numeric_limits<D>::min();
  if (std::cmp_greater(s, std::numeric_limits<D>::max())) return std::numeric_limits<D>::max();
  return static_cast<D>(s);
}

template <class D, class S>
D convert(S s, const ConversionMode& m) {
  if constexpr (kFloating<S> && kFloating<D>)
    return float_to_float<D>(s, m);
  else if constexpr (kFloating<S>)
    return float_to_integer<D>(s, m);
  else if constexpr (kFloating<D>)
    return integer_to_float<D>(s, m);
  else
    return integer_to_integer<D>(s, m);
}

}  // namespace heddle::exec
