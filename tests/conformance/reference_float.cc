#include <bit>
#include <cfenv>
#include <cmath>

#include "tests/conformance/reference.h"

namespace heddle::conformance {

using U64 = std::uint64_t;

namespace {

std::string rounding_of(const Name& name) {
  for (const char* r : {"rz", "rm", "rp"})
    if (name.has(r)) return r;
  return "rn";
}

double as_double(const std::string& type, U64 bits) {
  return type == "f64"
             ? std::bit_cast<double>(bits)
             : static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
}
U64 as_bits(const std::string& type, double v) {
  return type == "f64" ? std::bit_cast<U64>(v)
                       : std::bit_cast<std::uint32_t>(static_cast<float>(v));
}

Expected nan_result(const std::string& type) {
  // PTX defines the NaN of single precision and of halves, but not the payload of a double's NaN.
  return type == "f64" ? Expected{Expected::Kind::nan} : exactly(nan_of(type));
}

// x + y exactly: the rounded sum and its error.
U64 rounded_sum(const std::string& type, Quad x, Quad y, const std::string& rounding) {
  const Quad sum = x + y;
  if (sum == 0) {
    const bool both_negative =
        std::signbit(static_cast<double>(x)) && std::signbit(static_cast<double>(y));
    const bool zeros = x == 0 && y == 0;
    const bool negative =
        (zeros && both_negative) ||
        (rounding == "rm" &&
         !(zeros && std::signbit(static_cast<double>(x)) == std::signbit(static_cast<double>(y))));
    return round_to(type, negative ? -Quad{0} : Quad{0}, 0, rounding);
  }
  const Quad part = sum - x, lost = (x - (sum - part)) + (y - part);
  return round_to(type, sum, lost, rounding);
}

// add, sub, mul and fma of finite numbers.
U64 exact_operation(const Name& name, const std::string& type, const Operands& o) {
  const std::string rounding = rounding_of(name);
  const Quad a = number_of(type, o[0]), b = number_of(type, o[1]);
  if (name.root() == "mul") return round_to(type, a * b, 0, rounding);
  if (name.root() == "add") return rounded_sum(type, a, b, rounding);
  if (name.root() == "sub") return rounded_sum(type, a, -b, rounding);
  return rounded_sum(type, a * b, number_of(type, o[2]), rounding);
}

// The same operation on doubles, for infinities and NaNs.
double plain_operation(const Name& name, const std::string& type, const Operands& o) {
  const double a = as_double(type, o[0]), b = as_double(type, o[1]);
  if (name.root() == "mul") return a * b;
  if (name.root() == "add") return a + b;
  if (name.root() == "sub") return a - b;
  return std::fma(a, b, as_double(type, o[2]));
}

template <class F>
double host_operation(const std::string& root, double a, double b) {
  volatile F x = static_cast<F>(a), y = static_cast<F>(b), out;
  if (root == "div")
    out = x / y;
  else if (root == "rcp")
    out = F{1} / x;
  else
    out = std::sqrt(x);
  return static_cast<double>(out);
}
// div, rcp and sqrt, with the host's rounding modes.
U64 rounded_by_host(const Name& name, const std::string& type, const Operands& o) {
  const std::string r = rounding_of(name);
  const int saved = std::fegetround();
  std::fesetround(r == "rz"   ? FE_TOWARDZERO
                  : r == "rm" ? FE_DOWNWARD
                  : r == "rp" ? FE_UPWARD
                              : FE_TONEAREST);
  const double a = as_double(type, o[0]), b = o.size() > 1 ? as_double(type, o[1]) : 0;
  const double value = type == "f64" ? host_operation<double>(name.root(), a, b)
                                     : host_operation<float>(name.root(), a, b);
  std::fesetround(saved);
  return as_bits(type, value);
}

Expected finished(const Name& name, const std::string& type, U64 bits) {
  if (name.has("sat")) {
    if (is_nan_of(type, bits) || is_negative(type, bits)) return exactly(0);
    const U64 one = round_to(type, 1, 0, "rn");
    return exactly(bits > one ? one : name.has("ftz") ? flushed(type, bits) : bits);
  }
  if (is_nan_of(type, bits)) return nan_result(type);
  return exactly(name.has("ftz") ? flushed(type, bits) : bits);
}

Expected extreme(const Name& name, const std::string& type, U64 a, U64 b) {
  const U64 sign = is_negative(type, a) != is_negative(type, b) ? nan_of(type) + 1 : 0;
  if (name.has("abs")) a &= nan_of(type), b &= nan_of(type);
  const bool a_nan = is_nan_of(type, a), b_nan = is_nan_of(type, b);
  if ((a_nan && b_nan) || (name.has("NaN") && (a_nan || b_nan))) return nan_result(type);
  const auto ordered = [&](U64 v) {  // -0 before +0
    const Quad n = number_of(type, v);
    return n == 0 ? std::pair<Quad, int>{0, is_negative(type, v) ? 0 : 1}
                  : std::pair<Quad, int>{n, 0};
  };
  U64 out;
  if (a_nan || b_nan)
    out = a_nan ? b : a;
  else
    out = (ordered(a) < ordered(b)) == (name.root() == "min") ? a : b;
  return exactly(name.has("xorsign") ? (out & nan_of(type)) | sign : out);
}

// Bounds of the PTX manual for the approximate functions: relative and absolute error.
struct Bound {
  double relative, absolute;
};
Bound bound_of(const Name& name, const std::string& type, double x, double reference) {
  const std::string& root = name.root();
  if (type == "f64") return name.has("ftz") ? Bound{0x1p-19, 0} : Bound{0x1p-32, 0};
  if (root == "div") return {0x1p-22, 0};
  if (root == "rcp") return {0x1p-23, 0};
  if (root == "sqrt" || root == "rsqrt") return {0x1.2p-23, 0};
  if (root == "ex2") return {0x1p-22, 0};
  if (root == "lg2") return x > 0.5 && x < 2 ? Bound{0, 0x1p-22} : Bound{0x1p-22, 0};
  if (root == "tanh") return {0x1p-11, 0};
  return {0, std::fabs(x) <= 2 * M_PI ? 0x1.7p-21 : std::fabs(reference) > 2 ? 0 : 0x1p-14};
}
double function_of(const Name& name, double a, double b) {
  const std::string& root = name.root();
  if (root == "div") return a / b;
  if (root == "rcp") return 1 / a;
  if (root == "sqrt") return std::sqrt(a);
  if (root == "rsqrt") return 1 / std::sqrt(a);
  if (root == "ex2") return std::exp2(a);
  if (root == "lg2") return std::log2(a);
  if (root == "sin") return std::sin(a);
  if (root == "cos") return std::cos(a);
  return std::tanh(a);
}
Expected approximately(const Name& name, const std::string& type, const Operands& o) {
  double a = as_double(type, o[0]), b = o.size() > 1 ? as_double(type, o[1]) : 0;
  if (type == "f64" && name.has("ftz")) {  // reads the upper word
    a = as_double(type, o[0] & 0xffffffff00000000);
    if (std::fabs(a) < 0x1p-1022) a = std::copysign(0.0, a);
  }
  const bool circular = name.root() == "sin" || name.root() == "cos";
  if (circular && std::isfinite(a) && std::fabs(a) > 100 * M_PI) return {Expected::Kind::open};
  const double size = std::fabs(b);
  if (name.root() == "div" && name.has("approx") && size > 0x1p126 && std::isfinite(b) &&
      !std::isnan(a)) {
    return std::isinf(a)
               ? nan_result(type)
               : exactly((is_negative(type, o[0]) != is_negative(type, o[1])) ? 0x80000000 : 0);
  }
  const double reference = function_of(name, a, b);
  if (std::isnan(reference))
    return type == "f64" ? Expected{Expected::Kind::nan} : nan_result(type);
  if (std::isinf(reference) || reference == 0) return exactly(as_bits(type, reference));
  const Bound bound = bound_of(name, type, a, reference);
  const double tiny = type == "f64"     ? (name.has("ftz") ? 0x1p-1022 : 0)
                      : name.has("ftz") ? 0x1p-126
                                        : 0x1p-148;
  const double error = std::fabs(reference) * bound.relative + bound.absolute + tiny;
  Expected out{Expected::Kind::range};
  out.low = reference - error, out.high = reference + error;
  const double largest = type == "f64" ? 0x1.fffffffffffffp1023 : 0x1.fffffep127;
  if (out.high > largest) out.high = __builtin_inf();
  if (out.low < -largest) out.low = -__builtin_inf();
  return out;
}

}  // namespace

// Also computes halves, one element at a time (reference_half.cc).
Expected reference_arithmetic(const Name& name, const std::string& type, Operands o) {
  const std::string& root = name.root();
  const U64 sign = nan_of(type) + 1;
  const bool ftz = name.has("ftz") && type != "f64";
  if (ftz)
    for (U64& v : o) v = flushed(type, v);
  // PTX does not define the NaN of abs and neg: these are those of an H200.
  if ((root == "abs" || root == "neg") && is_nan_of(type, o[0]))
    return exactly(type == "f64" ? o[0] | U64{1} << 51 : nan_of(type));
  if (root == "abs") return exactly(o[0] & (sign - 1));
  if (root == "neg") return exactly(o[0] ^ sign);
  if (root == "copysign") return exactly((o[0] & sign) | (o[1] & (sign - 1)));
  if (root == "min" || root == "max") {
    const Expected two = extreme(name, type, o[0], o[1]);
    return o.size() == 3 ? extreme(name, type, two.bits, o[2]) : two;
  }
  if (name.has("approx") || name.has("full")) return approximately(name, type, o);
  // The result is below the least normal number before it is rounded.
  if (root == "rcp" && ftz && (o[0] & (sign - 1)) > 0x7e800000 && !is_nan_of(type, o[0]))
    return exactly(o[0] & sign);
  if (root == "div" || root == "rcp" || root == "sqrt")
    return finished(name, type, rounded_by_host(name, type, o));
  if (root != "add" && root != "sub" && root != "mul" && root != "fma" && root != "mad") return {};
  bool finite = true;
  for (U64 v : o) finite = finite && (v & (sign - 1)) < infinity_of(type);
  if (finite) return finished(name, type, exact_operation(name, type, o));
  if (type == "f32" || type == "f64")
    return finished(name, type, as_bits(type, plain_operation(name, type, o)));
  Operands doubles;
  for (U64 v : o)
    doubles.push_back(std::bit_cast<U64>(
        is_nan_of(type, v) ? __builtin_nan("") : static_cast<double>(number_of(type, v))));
  const double special = plain_operation(name, "f64", doubles);
  return finished(
      name, type,
      std::isnan(special) ? nan_of(type) : infinity_of(type) | (special < 0 ? sign : 0));
}

Expected reference_float(const Name& name, const Operands& o) {
  if (name.type() == "f32x2") {
    Operands low, high;
    for (U64 v : o) low.push_back(v & 0xffffffff), high.push_back(v >> 32);
    return exactly(reference_arithmetic(name, "f32", low).bits |
                   reference_arithmetic(name, "f32", high).bits << 32);
  }
  if (name.type() != "f32" && name.type() != "f64") return {};
  return reference_arithmetic(name, name.type(), o);
}

}  // namespace heddle::conformance
