#include <cmath>

#include "tests/conformance/reference.h"

namespace heddle::conformance {

using U64 = std::uint64_t;

namespace {

std::string integral_rounding_of(const Name& name) {
  for (const char* r : {"rz", "rm", "rp", "rna", "rni", "rzi", "rmi", "rpi"})
    if (name.has(r)) return r;
  return "rn";
}

// Rounds a finite number to an integral value: truncates its magnitude when it has a fraction.
Quad integral(Quad v, const std::string& rounding) {
  const Quad size = v < 0 ? -v : v;
  if (size >= static_cast<Quad>(0x1p112)) return v;
  const Wide whole = static_cast<Wide>(size);
  const Quad rest = size - static_cast<Quad>(whole);
  bool up = false;
  if (rounding == "rni" || rounding == "rn")
    up = rest > 0.5 || (rest == 0.5 && whole % 2 == 1);
  else if (rounding == "rmi" || rounding == "rm")
    up = v < 0 && rest > 0;
  else if (rounding == "rpi" || rounding == "rp")
    up = v > 0 && rest > 0;
  const Quad out = static_cast<Quad>(whole + up);
  return std::signbit(static_cast<double>(v)) ? -out : out;
}

Expected to_integer(const Name& name, const std::string& to, const std::string& from, U64 bits) {
  if (name.has("ftz")) bits = flushed(from, bits);
  // A NaN becomes 0; PTX does not define it between 64-bit types.
  if (is_nan_of(from, bits))
    return to.ends_with("64") || from == "f64" ? Expected{Expected::Kind::open} : exactly(0);
  Wide low = 0, high = 1;
  high = (high << (width_in_bits(to) - (is_signed_type(to) ? 1 : 0))) - 1;
  if (is_signed_type(to)) low = -high - 1;
  const bool infinite = (bits & nan_of(from)) == infinity_of(from);
  if (infinite) return exactly(bits_of(to, is_negative(from, bits) ? low : high));
  const Quad value = integral(number_of(from, bits), integral_rounding_of(name));
  if (value < static_cast<Quad>(low)) return exactly(bits_of(to, low));
  if (value > static_cast<Quad>(high)) return exactly(bits_of(to, high));
  return exactly(bits_of(to, static_cast<Wide>(value)));
}

U64 saturated(const std::string& type, U64 bits) {
  if (is_nan_of(type, bits) || is_negative(type, bits)) return 0;
  const U64 one = round_to(type, 1, 0, "rn");
  return bits > one ? one : bits;
}

// PTX does not define most NaNs: these are those of an H200.
Expected converted_nan(const Name& name, const std::string& to, const std::string& from, U64 bits) {
  if (name.has("sat")) return exactly(0);
  if (to == "f64") return {Expected::Kind::nan};
  const bool moves = name.words.size() == 3;  // no modifier
  if (to == "f32" && moves && from == "f32") return exactly(bits);
  if (to == "f32" && moves && from == "bf16") return exactly(bits << 16);
  if (from == "f64") {  // the sign and the upper bits of the payload, quiet
    const unsigned width = width_in_bits(to), exponent = to == "f16" ? 5 : 8,
                   fraction = width - 1 - exponent;
    return exactly((bits >> 63 << (width - 1)) | infinity_of(to) | (U64{1} << (fraction - 1)) |
                   (bits << 12 >> (64 - fraction)));
  }
  if (to != "tf32") return exactly(nan_of(to));
  if (name.has("relu")) return exactly(0x7fffffff);
  if (!name.has("rna")) return exactly(0x7fffe000);
  if (name.has("satfinite")) return exactly((bits & 0xffffe000) - 0x2000);
  return exactly((bits + 0x1000) & 0xffffe000);
}

Expected to_float(const Name& name, const std::string& to, const std::string& from, U64 bits) {
  const std::string rounding = integral_rounding_of(name);
  if (name.has("ftz") && from == "f32") bits = flushed(from, bits);
  U64 out;
  if (is_nan_of(from, bits)) return converted_nan(name, to, from, bits);
  Quad value = number_of(from, bits);
  const bool infinite = (bits & nan_of(from)) == infinity_of(from);
  if (rounding.ends_with("i") && !infinite) value = integral(value, rounding);
  out = round_to(to, value, 0, rounding);
  const U64 sign = nan_of(to) + 1;
  if (name.has("relu") && is_negative(to, out)) out = 0;
  if (name.has("satfinite") && (out & (sign - 1)) >= infinity_of(to) && !to.starts_with("e4m3"))
    out = (out & sign) | (infinity_of(to) - 1);
  if (name.has("sat")) out = saturated(to, out);
  if (name.has("ftz") && to == "f32") out = flushed(to, out);
  return exactly(to == "tf32" ? out << 13 : out);
}

Expected from_integer(const Name& name, const std::string& to, const std::string& from, U64 bits) {
  return exactly(
      round_to(to, static_cast<Quad>(value_of(from, bits)), 0, integral_rounding_of(name)));
}

Expected packed_integers(const Name& name, const Operands& o) {
  const bool filled = o.size() == 3;
  const std::string to = name.type(filled ? 2 : 1);
  const unsigned bits = to.ends_with("16") ? 16 : to.ends_with("4") ? 4 : 8;
  Wide high = (1 << (is_signed_type(to) ? bits - 1 : bits)) - 1,
       low = is_signed_type(to) ? -high - 1 : 0;
  const auto cut = [&](U64 v) {
    return static_cast<U64>(std::min(std::max(value_of("s32", v), low), high)) &
           ((U64{1} << bits) - 1);
  };
  return exactly((cut(o[0]) << bits | cut(o[1]) | (filled ? o[2] << (2 * bits) : 0)) & 0xffffffff);
}

Expected pair(const Name& name, const Operands& o) {
  const std::string from = name.type(), to = name.type(1);
  const std::string half = to.substr(0, to.size() - 2),
                    element = from.ends_with("x2") ? from.substr(0, from.size() - 2) : from;
  const unsigned to_bits = to[0] == 'e' ? 8 : 16, from_bits = element[0] == 'e' ? 8 : 16;
  U64 upper = o[0], lower = o.size() > 1 ? o[1] : o[0];
  if (from.ends_with("x2"))
    upper = o[0] >> from_bits & ((1u << from_bits) - 1), lower = o[0] & ((1u << from_bits) - 1);
  return exactly(to_float(name, half, element, upper).bits << to_bits |
                 to_float(name, half, element, lower).bits);
}

}  // namespace

Expected reference_convert(const Name& name, const Operands& o) {
  if (name.root() != "cvt") return {};
  if (name.has("pack")) return packed_integers(name, o);
  const std::string from = name.type(), to = name.type(1);
  if (to.ends_with("x2")) return pair(name, o);
  if (is_float_type(from) && (is_float_type(to) || to == "tf32"))
    return to_float(name, to, from, o[0]);
  if (is_float_type(from)) return to_integer(name, to, from, o[0]);
  if (is_float_type(to)) return from_integer(name, to, from, o[0]);
  Wide v = value_of(from, o[0]);
  if (name.has("sat")) {
    Wide high = 1, low = 0;
    high = (high << (width_in_bits(to) - (is_signed_type(to) ? 1 : 0))) - 1;
    if (is_signed_type(to)) low = -high - 1;
    v = std::min(std::max(v, low), high);
  }
  return exactly(bits_of(to, v));
}

}  // namespace heddle::conformance
