#include <algorithm>
#include <array>

#include "tests/conformance/reference.h"

namespace heddle::conformance {

using U64 = std::uint64_t;

unsigned width_in_bits(const std::string& type) {
  if (type.ends_with("x2") && type[0] != 'e') return 32;
  if (type == "n" || type.ends_with("32")) return 32;
  if (type.ends_with("64")) return 64;
  return type.ends_with("16") || type.starts_with("e") ? 16 : type == "pred" ? 1 : 8;
}
bool is_signed_type(const std::string& type) { return type[0] == 's'; }

Wide value_of(const std::string& type, U64 bits) {
  const unsigned width = width_in_bits(type);
  const Wide one = 1;
  const Wide value = static_cast<Wide>(bits) & ((one << width) - 1);
  return is_signed_type(type) && (value >> (width - 1)) ? value - (one << width) : value;
}
U64 bits_of(const std::string& type, Wide value) {
  const unsigned width = width_in_bits(type);
  return static_cast<U64>(value) & (width == 64 ? ~U64{0} : (U64{1} << width) - 1);
}

namespace {

__extension__ using UnsignedWide = unsigned __int128;

std::string doubled(const std::string& type) {
  return type.substr(0, 1) + (type.ends_with("16") ? "32" : "64");
}
Wide clamp_to(const std::string& type, Wide v) {
  const Wide one = 1, width = width_in_bits(type);
  const Wide low = is_signed_type(type) ? -(one << static_cast<int>(width - 1)) : 0;
  const Wide high = (one << static_cast<int>(is_signed_type(type) ? width - 1 : width)) - 1;
  return std::clamp(v, low, high);
}
// Division by a power of two, rounded towards minus infinity.
Wide shifted(Wide v, unsigned by) { return v >> by; }

// A sum of `width` bits with carry in; sets the carry. A difference is a + ~b + carry.
Wide carried(Wide a, Wide b, unsigned width, Wide& carry) {
  const Wide sum = a + b + carry;
  carry = sum >> width;
  return sum & ((static_cast<Wide>(1) << width) - 1);
}

// chain.sub.madc.lo.addc.u32: three operations on %a %b %c; %c %e %a; %d %e %b. Each but the last
// writes the carry.
Expected carry_chain(const Name& name, const Operands& o) {
  const std::string type = name.type(), plain = "u" + type.substr(1);
  const unsigned width = width_in_bits(type);
  const auto value = [&](std::size_t i) { return value_of(plain, o[i]); };
  const auto inverted = [&](Wide v) { return value_of(plain, ~static_cast<U64>(v)); };
  std::array<std::array<Wide, 3>, 3> operands{
      {{value(0), value(1), value(2)}, {value(2), value(3), value(0)}, {0, value(3), value(1)}}};
  Wide result = 0, carry = 0;
  std::size_t word = 1;
  for (std::array<Wide, 3>& with : operands) {
    const std::string operation = name.words[word++];
    const bool subtracts = operation.starts_with("sub"), multiplies = operation.starts_with("mad");
    if (!operation.ends_with("c")) carry = subtracts;
    if (&with == &operands.back()) with[0] = result;
    if (!multiplies) {
      result = carried(with[0], subtracts ? inverted(with[1]) : with[1], width, carry);
      continue;
    }
    const U64 a = static_cast<U64>(with[0]), b = static_cast<U64>(with[1]);
    const UnsignedWide product =
        static_cast<UnsignedWide>(value_of(type, a)) * static_cast<UnsignedWide>(value_of(type, b));
    const bool high = name.words[word++] == "hi";
    result = carried(value_of(plain, static_cast<U64>(product >> (high ? width : 0))), with[2],
                     width, carry);
  }
  return exactly(bits_of(plain, result));
}

Expected pairs(const Name& name, const Operands& o) {
  const std::string half = name.type().substr(0, 3);
  U64 out = 0;
  for (unsigned shift : {0u, 16u}) {
    const Wide a = value_of(half, o[0] >> shift), b = value_of(half, o[1] >> shift);
    Wide v = name.root() == "add" ? a + b : name.root() == "min" ? std::min(a, b) : std::max(a, b);
    if (name.has("relu")) v = std::max<Wide>(v, 0);
    out |= bits_of(half, v) << shift;
  }
  return exactly(out);
}

Wide low24(const std::string& type, U64 bits) {
  const Wide v = static_cast<Wide>(bits & 0xffffff);
  return is_signed_type(type) && (v >> 23) ? v - (1 << 24) : v;
}

}  // namespace

Expected reference_integer(const Name& name, const Operands& o) {
  const std::string type = name.type(), root = name.root();
  if (root == "chain") return carry_chain(name, o);
  if (type == "u16x2" || type == "s16x2") return pairs(name, o);
  if (type.size() < 3 || (type[0] != 'u' && type[0] != 's') || name.words.size() < 2) return {};
  const auto v = [&](std::size_t i) { return value_of(type, o[i]); };
  const unsigned width = width_in_bits(type);
  const auto wrap = [&](Wide x) {
    return exactly(bits_of(type, name.has("sat") ? clamp_to(type, x) : x));
  };
  if (root == "add") return wrap(v(0) + v(1));
  if (root == "sub") return wrap(v(0) - v(1));
  if (root == "min" || root == "max") {
    const Wide m = root == "min" ? std::min(v(0), v(1)) : std::max(v(0), v(1));
    return wrap(name.has("relu") ? std::max<Wide>(m, 0) : m);
  }
  // PTX does not define the quotient and the remainder of a division by zero.
  if (root == "div") return v(1) == 0 ? Expected{Expected::Kind::open} : wrap(v(0) / v(1));
  if (root == "rem") return v(1) == 0 ? Expected{Expected::Kind::open} : wrap(v(0) % v(1));
  if (root == "abs") return wrap(v(0) < 0 ? -v(0) : v(0));
  if (root == "neg") return wrap(-v(0));
  if (root == "sad") return wrap(v(2) + (v(0) < v(1) ? v(1) - v(0) : v(0) - v(1)));
  if (root == "mul24" || root == "mad24") {
    const Wide product = low24(type, o[0]) * low24(type, o[1]);
    const Wide part =
        value_of(type, bits_of(type, name.has("hi") ? shifted(product, 16) : product));
    return wrap(root == "mul24" ? part : part + v(2));
  }
  if (root == "mul" || root == "mad") {
    if (name.has("wide")) {
      const std::string wide = doubled(type);
      return exactly(bits_of(wide, v(0) * v(1) + (root == "mad" ? value_of(wide, o[2]) : 0)));
    }
    Wide part;
    if (name.has("hi") && type == "u64")
      part = static_cast<Wide>((static_cast<UnsignedWide>(o[0]) * o[1]) >> 64);
    else
      part = name.has("hi") ? shifted(v(0) * v(1), width)
                            : static_cast<Wide>(static_cast<UnsignedWide>(v(0)) *
                                                static_cast<UnsignedWide>(v(1)));
    return wrap(value_of(type, bits_of(type, part)) + (root == "mad" ? v(2) : 0));
  }
  return {};
}

}  // namespace heddle::conformance
