// Floating-point formats of at most 19 bits: encoding with rounding, and decoding.
#pragma once

#include <cmath>

#include "exec/isa/float_bits.h"

namespace heddle::exec {

struct SmallFormat {
  int exponent_bits, fraction_bits;
  std::uint32_t largest;        // finite value, without its sign
  std::uint32_t infinity, nan;  // infinity: the result of an overflow where the format has none
};
inline constexpr SmallFormat kHalf{5, 10, 0x7bff, 0x7c00, 0x7fff},
    kBrain{8, 7, 0x7f7f, 0x7f80, 0x7fff}, kTensor32{8, 10, 0x3fbff, 0x3fc00, 0x3ffff},
    kE4m3{4, 3, 0x7e, 0x7e, 0x7f}, kE5m2{5, 2, 0x7b, 0x7c, 0x7f};

// Rounds once. A value that is itself rounded must have been rounded to odd.
inline std::uint32_t encode(const SmallFormat& f, double x, ptx::Rounding rounding,
                            bool satfinite = false) {
  using ptx::Rounding;
  if (x != x) return f.nan;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const bool negative = bits >> 63;
  const std::uint32_t sign = negative ? std::uint32_t{1} << (f.exponent_bits + f.fraction_bits) : 0;
  if (std::isinf(x)) return sign | (satfinite ? f.largest : f.infinity);
  const int exponent = static_cast<int>(bits >> 52 & 2047);
  const std::uint64_t significand =
      (bits & 0xfffffffffffffull) | (exponent ? std::uint64_t{1} << 52 : 0);
  const int biased = (exponent ? exponent : 1) - 1023 + (1 << (f.exponent_bits - 1)) - 1;
  const int below = biased < 1 ? 1 - biased : 0;  // the missing bits of a subnormal
  const int drop = std::min(52 - f.fraction_bits + below, 63);
  std::uint64_t kept = significand >> drop;
  const std::uint64_t rest = significand & ((std::uint64_t{1} << drop) - 1),
                      half = std::uint64_t{1} << (drop - 1);
  switch (rounding) {
    case Rounding::rz: break;
    case Rounding::rm: kept += negative && rest; break;
    case Rounding::rp: kept += !negative && rest; break;
    case Rounding::rna: kept += rest >= half; break;
    default: kept += rest > half || (rest == half && (kept & 1)); break;
  }
  // The leading one of a normal number adds one to the exponent field.
  const std::uint64_t out =
      kept + (biased >= 1 ? static_cast<std::uint64_t>(biased - 1) << f.fraction_bits : 0);
  if (out <= f.largest) return sign | static_cast<std::uint32_t>(out);
  const bool inwards = rounding == Rounding::rz || (rounding == Rounding::rm && !negative) ||
                       (rounding == Rounding::rp && negative);
  return sign | (satfinite || inwards ? f.largest : f.infinity);
}

inline float decode_half(std::uint32_t h) {
  return _mm_cvtss_f32(_mm_cvtph_ps(_mm_cvtsi32_si128(static_cast<int>(h & 0xffff))));
}
inline float decode_brain(std::uint32_t b) { return std::bit_cast<float>(b << 16); }
inline float decode_e5m2(std::uint32_t v) { return decode_half((v & 0xff) << 8); }
inline float decode_e4m3(std::uint32_t v) {
  if ((v & 0x7f) == 0x7f) return std::bit_cast<float>(kCanonicalNan);
  const int exponent = static_cast<int>(v >> 3 & 15), fraction = static_cast<int>(v & 7);
  const float size = exponent ? std::ldexp(static_cast<float>(8 + fraction), exponent - 10)
                              : std::ldexp(static_cast<float>(fraction), -9);
  return v & 0x80 ? -size : size;
}

// a + b, with an odd last bit when it is inexact, so that a further rounding to fewer bits is
// correct.
inline double sum_to_odd(double a, double b) {
  const double sum = a + b;
  if (!std::isfinite(sum)) return sum;
  const double part = sum - a, error = (a - (sum - part)) + (b - part);
  if (error == 0) return sum;
  auto bits = std::bit_cast<std::uint64_t>(sum);
  if (std::signbit(error) != std::signbit(sum)) --bits;  // towards zero
  return std::bit_cast<double>(bits | 1);
}

// The two formats that have arithmetic instructions.
struct HalfFloat {
  static constexpr const SmallFormat& format = kHalf;
  static constexpr std::uint32_t one = 0x3c00;
  static float decode(std::uint32_t v) { return decode_half(v); }
  static std::uint32_t flush(std::uint32_t v) {
    return (v & 0x7c00) == 0 ? v & 0x8000 : v & 0xffff;
  }
};
struct BrainFloat {
  static constexpr const SmallFormat& format = kBrain;
  static constexpr std::uint32_t one = 0x3f80;
  static float decode(std::uint32_t v) { return decode_brain(v); }
  static std::uint32_t flush(std::uint32_t v) {
    return (v & 0x7f80) == 0 ? v & 0x8000 : v & 0xffff;
  }
};

}  // namespace heddle::exec
