#include <cmath>

#include "tests/conformance/reference.h"

namespace heddle::conformance {

using U64 = std::uint64_t;

namespace {

// ex2 and tanh of halves: error bounds of the PTX manual, but for tanh of bf16: the manual has
// 2^-8, an H200 is off by 2^-7.65 at 1.
Expected approximately(const Name& name, const std::string& type, U64 bits) {
  if (name.has("ftz")) bits = flushed(type, bits);
  if (is_nan_of(type, bits)) return exactly(nan_of(type));
  const bool brain = type == "bf16", ex2 = name.root() == "ex2";
  const double x = static_cast<double>(number_of(type, bits)),
               reference = ex2 ? std::exp2(x) : std::tanh(x);
  const double relative = ex2 ? (brain ? 0x1p-7 : 0x1.1p-10) : (brain ? 0x1p-7 : 0),
               absolute = !ex2 && !brain ? 0x1p-10 : 0;
  if (std::isinf(reference)) return exactly(infinity_of(type));
  const double tiny = name.has("ftz") ? 0x1p-126 : brain ? 0x1p-133 : 0x1p-24;
  const double error = std::fabs(reference) * relative + absolute + tiny;
  Expected out{Expected::Kind::range};
  out.low = reference - error, out.high = reference + error;
  if (reference > (brain ? 0x1.fep127 : 65504.0)) out.high = __builtin_inf();
  return out;
}

Expected one(const Name& name, const std::string& type, const Operands& o) {
  if (name.has("approx")) return approximately(name, type, o[0]);
  Expected out = reference_arithmetic(name, type, o);
  if (out.kind == Expected::Kind::bits && name.has("relu") && is_negative(type, out.bits))
    out.bits = 0;
  return out;
}

}  // namespace

Expected reference_half(const Name& name, const Operands& o) {
  const std::string type = name.type();
  if (!type.starts_with("f16") && !type.starts_with("bf16")) return {};
  if (!type.ends_with("x2")) return one(name, type, o);
  const std::string half = type.substr(0, type.size() - 2);
  Operands low, high;
  for (U64 v : o) low.push_back(v & 0xffff), high.push_back(v >> 16 & 0xffff);
  Expected a = one(name, half, low);
  const Expected b = one(name, half, high);
  if (a.kind == Expected::Kind::bits && b.kind == Expected::Kind::bits)
    return exactly(a.bits | b.bits << 16);
  const auto as_range = [&](const Expected& e, double& from, double& to) {
    from = e.low, to = e.high;
    if (e.kind != Expected::Kind::bits) return;
    from = to =
        is_nan_of(half, e.bits) ? __builtin_nan("") : static_cast<double>(number_of(half, e.bits));
  };
  Expected out{Expected::Kind::range};
  as_range(a, out.low, out.high);
  as_range(b, out.low_upper, out.high_upper);
  return out;
}

}  // namespace heddle::conformance
