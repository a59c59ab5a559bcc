#include <algorithm>

#include "tests/conformance/reference.h"

namespace heddle::conformance {

using U64 = std::uint64_t;

namespace {

Wide saturated(Wide v, unsigned bits, bool is_signed) {
  const Wide one = 1;
  return std::clamp(v, is_signed ? -(one << (bits - 1)) : Wide{0},
                    (one << (is_signed ? bits - 1 : bits)) - 1);
}

bool holds(const Name& name, Wide a, Wide b) {
  if (name.has("eq")) return a == b;
  if (name.has("ne")) return a != b;
  if (name.has("lt")) return a < b;
  if (name.has("le")) return a <= b;
  if (name.has("gt")) return a > b;
  return a >= b;
}

Wide calculate(const Name& name, const std::string& what, Wide a, Wide b) {
  if (what == "add") return a + b;
  if (what == "sub") return a - b;
  if (what == "absdiff") return std::max(a, b) - std::min(a, b);
  if (what == "min") return std::min(a, b);
  if (what == "max") return std::max(a, b);
  if (what == "avrg") return (a + b >= 0 ? a + b + 1 : a + b) >> 1;
  if (what == "set") return holds(name, a, b);
  const unsigned by = static_cast<unsigned>(name.has("clamp") ? std::min<Wide>(b, 32) : b % 32);
  Wide factor = 1;
  factor <<= by;
  if (what == "shl") return a * factor;
  return a >= 0 ? a / factor : -((-a + factor - 1) / factor);  // towards minus infinity
}

}  // namespace

Expected reference_video(const Name& name, const Operands& o) {
  std::string what = name.root();
  if (what.size() < 4 || what[0] != 'v') return {};
  what.erase(0, 1);
  unsigned lanes = 1;
  if (what.back() == '2' || what.back() == '4')
    lanes = static_cast<unsigned>(what.back() - '0'), what.pop_back();
  const bool is_set = what == "set";
  const std::string d = is_set ? "u32" : name.words[1], a = name.words[is_set ? 1 : 2],
                    b = name.words[is_set ? 2 : 3];
  if (lanes > 1) {
    const unsigned bits = 32 / lanes;
    const auto element = [&](const std::string& type, U64 word, unsigned e) {
      const Wide v = static_cast<Wide>(word >> (bits * e) & ((U64{1} << bits) - 1));
      return is_signed_type(type) && (v >> (bits - 1)) ? v - (Wide{1} << bits) : v;
    };
    Wide sum = static_cast<Wide>(o[2]);
    U64 out = 0;
    for (unsigned e = 0; e < lanes; ++e) {
      Wide v = calculate(name, what, element(a, o[0], e), element(b, o[1], e));
      if (name.has("sat")) v = saturated(v, bits, is_signed_type(d));
      sum += v;
      out |= (static_cast<U64>(v) & ((U64{1} << bits) - 1)) << (bits * e);
    }
    return exactly(name.has("add") ? bits_of("u32", sum) : out);
  }
  if (what == "mad") {
    const bool is_signed = is_signed_type(a) || is_signed_type(b);
    const std::string c = is_signed ? "s32" : "u32";
    Wide v = value_of(a, o[0]) * value_of(b, o[1]) + value_of(c, o[2]) + (name.has("po") ? 1 : 0);
    v >>= name.has("shr7") ? 7 : name.has("shr15") ? 15 : 0;
    return exactly(bits_of("u32", name.has("sat") ? saturated(v, 32, is_signed) : v));
  }
  Wide v = calculate(name, what, value_of(a, o[0]),
                     value_of(what == "shl" || what == "shr" ? "u32" : b, o[1]));
  if (name.has("sat")) v = saturated(v, 32, is_signed_type(d));
  if (o.size() == 2) return exactly(bits_of("u32", v));
  const std::string second = name.type();
  const Wide first = value_of(d, static_cast<U64>(v)), c = value_of(d, o[2]);
  return exactly(bits_of("u32", second == "add"   ? first + c
                                : second == "min" ? std::min(first, c)
                                                  : std::max(first, c)));
}

}  // namespace heddle::conformance
