// Rounds __float128 values to other formats: the 113 bits are handled as an integer and rounded
// once, in any direction.
#include <algorithm>
#include <cstring>

#include "tests/conformance/reference.h"

namespace heddle::conformance {

namespace {

using U64 = std::uint64_t;
__extension__ using U128 = unsigned __int128;

struct FloatFormat {
  int precision, least_exponent, exponent_bits;
  U64 largest;  // finite, without sign
};
FloatFormat format_of(const std::string& type) {
  if (type.starts_with("bf16")) return {8, -126, 8, 0x7f7f};
  if (type.starts_with("f16")) return {11, -14, 5, 0x7bff};
  if (type == "tf32") return {11, -126, 8, 0x3fbff};
  if (type.starts_with("e4m3")) return {4, -6, 4, 0x7e};
  if (type.starts_with("e5m2")) return {3, -14, 5, 0x7b};
  if (type == "f64") return {53, -1022, 11, 0x7fefffffffffffff};
  return {24, -126, 8, 0x7f7fffff};
}
int fraction_bits(const FloatFormat& f) { return f.precision - 1; }
U64 sign_bit(const FloatFormat& f) { return U64{1} << (f.exponent_bits + fraction_bits(f)); }

}  // namespace

U64 infinity_of(const std::string& type) {
  return format_of(type).largest + (type.starts_with("e4m3") ? 0 : 1);
}
bool is_negative(const std::string& type, U64 bits) { return bits & sign_bit(format_of(type)); }
bool is_nan_of(const std::string& type, U64 bits) {
  const FloatFormat f = format_of(type);
  const U64 size = bits & (sign_bit(f) - 1);
  return type.starts_with("e4m3") ? size == 0x7f : size > f.largest + 1;
}
U64 nan_of(const std::string& type) { return sign_bit(format_of(type)) - 1; }
U64 flushed(const std::string& type, U64 bits) {
  const FloatFormat f = format_of(type);
  const U64 size = bits & (sign_bit(f) - 1);
  return size >> fraction_bits(f) ? bits : bits & sign_bit(f);
}

Quad number_of(const std::string& type, U64 bits) {
  const FloatFormat f = format_of(type);
  const U64 size = bits & (sign_bit(f) - 1);
  const auto exponent = static_cast<int>(size >> fraction_bits(f));
  const U64 significand =
      (size & ((U64{1} << fraction_bits(f)) - 1)) | (exponent ? U64{1} << fraction_bits(f) : 0);
  Quad value = static_cast<Quad>(significand);
  int scale = (exponent ? exponent - 1 : 0) + f.least_exponent - fraction_bits(f);
  if (size == f.largest + 1 && !type.starts_with("e4m3"))
    return static_cast<Quad>(is_negative(type, bits) ? -__builtin_inf() : __builtin_inf());
  for (; scale > 0; --scale) value *= 2;
  for (; scale < 0; ++scale) value /= 2;
  return is_negative(type, bits) ? -value : value;
}

U64 round_to(const std::string& type, Quad high, Quad low, const std::string& rounding) {
  const FloatFormat f = format_of(type);
  U128 raw;
  std::memcpy(&raw, &high, sizeof raw);
  const bool negative = raw >> 127;
  const auto exponent = static_cast<int>(raw >> 112 & 0x7fff);
  U128 significand = raw & ((U128{1} << 112) - 1);
  if (exponent == 0x7fff)
    return significand ? nan_of(type) : infinity_of(type) | (negative ? sign_bit(f) : 0);
  if (exponent) significand |= U128{1} << 112;
  significand <<= 2;  // two bits for `low`
  if (low != 0) significand += (low < 0) == negative ? 1 : static_cast<U128>(-1);
  const int top = exponent - 16383;  // the exponent of bit 114
  const int last = std::max(top, f.least_exponent) - (f.precision - 1);
  int drop = last - (top - 114);
  if (drop > 120) drop = 120;
  U128 kept = significand >> drop;
  const U128 rest = significand & ((U128{1} << drop) - 1), half = U128{1} << (drop - 1);
  if (rounding == "rm")
    kept += negative && rest;
  else if (rounding == "rp")
    kept += !negative && rest;
  else if (rounding == "rna")
    kept += rest >= half;
  else if (rounding != "rz")
    kept += rest > half || (rest == half && (kept & 1));
  const int field =
      std::max(top, f.least_exponent) - f.least_exponent;  // the leading one of `kept` adds 1
  const U128 out = kept + (static_cast<U128>(field) << fraction_bits(f));
  const bool inwards =
      rounding == "rz" || (rounding == "rm" && !negative) || (rounding == "rp" && negative);
  const U64 size = out <= f.largest ? static_cast<U64>(out)
                   : inwards        ? f.largest
                                    : infinity_of(type);
  return size | (negative ? sign_bit(f) : 0);
}

}  // namespace heddle::conformance
