
#include "tests/conformance/reference.h"

namespace heddle::conformance {

using U64 = std::uint64_t;

namespace {

bool bit(U64 v, Wide i) { return i >= 0 && i < 64 && (v >> static_cast<int>(i) & 1); }

Expected shift(const Name& name, const Operands& o) {
  const std::string type = name.type();
  const unsigned width = width_in_bits(type);
  const Wide by = static_cast<Wide>(o[1] & 0xffffffff);
  U64 out = 0;
  for (unsigned i = 0; i < width; ++i) {
    const Wide from = name.root() == "shl" ? static_cast<Wide>(i) - by : static_cast<Wide>(i) + by;
    const bool sign = is_signed_type(type) && bit(o[0], width - 1);
    out |= U64{from >= static_cast<Wide>(width) ? sign : from < 0 ? false : bit(o[0], from)} << i;
  }
  return exactly(out);
}
Expected funnel(const Name& name, const Operands& o) {
  const U64 n = name.has("clamp") ? std::min<U64>(o[2] & 0xffffffff, 32) : o[2] & 31;
  U64 out = 0;
  for (unsigned i = 0; i < 32; ++i) {
    const Wide from =
        name.has("l") ? static_cast<Wide>(32 + i) - static_cast<Wide>(n) : static_cast<Wide>(i + n);
    out |= U64{from < 32 ? bit(o[0], from) : bit(o[1], from - 32)} << i;
  }
  return exactly(out);
}
// Evaluates a lookup table bit by bit; the table is the constant in the statement.
Expected table(const Name& name, const Operands& o) {
  const U64 lut = std::stoull(name.words.back(), nullptr, 0);
  U64 out = 0;
  for (unsigned i = 0; i < 32; ++i) {
    const unsigned place = (o[0] >> i & 1) * 4 + (o[1] >> i & 1) * 2 + (o[2] >> i & 1);
    out |= (lut >> place & 1) << i;
  }
  if (!name.has("and") && !name.has("or")) return exactly(out);
  const bool with = o[3] ^ U64 { name.has("not") }, holds = out != 0;
  return exactly(name.has("and") ? holds && with : holds || with);
}
Expected field(const Name& name, const Operands& o) {
  const std::string type = name.type();
  const unsigned width = width_in_bits(type);
  // PTX allows 0 to 255. An H200 takes the low 8 bits for 32-bit words, all for 64-bit words.
  const auto number = [&](U64 v) { return v & (width == 64 ? 0xffffffff : 0xff); };
  if (name.root() == "bfe") {
    const U64 pos = number(o[1]), len = number(o[2]);
    const U64 last = std::min<U64>(pos + len - 1, width - 1);
    const bool sign = is_signed_type(type) && len != 0 && bit(o[0], last);
    U64 out = 0;
    for (unsigned i = 0; i < width; ++i)
      out |= U64{i < len && pos + i < width ? bit(o[0], pos + i) : sign} << i;
    return exactly(out);
  }
  const U64 pos = number(o[2]), len = number(o[3]);
  U64 out = o[1];
  for (unsigned i = 0; i < len && pos + i < width; ++i) {
    out &= ~(U64{1} << (pos + i));
    out |= U64{bit(o[0], i)} << (pos + i);
  }
  return exactly(out);
}
Expected permute(const Name& name, const Operands& o) {
  const std::string mode = name.type();
  const unsigned s = o[2] & 3;
  U64 out = 0;
  for (unsigned i = 0; i < 4; ++i) {
    unsigned from = 0;
    bool replicate = false;
    if (mode == "f4e")
      from = s + i;
    else if (mode == "b4e")
      from = (8 + s - i) & 7;
    else if (mode == "rc8")
      from = s;
    else if (mode == "ecl")
      from = std::max(i, s);
    else if (mode == "ecr")
      from = std::min(i, s);
    else if (mode == "rc16")
      from = 2 * (s & 1) + (i & 1);
    else
      from = o[2] >> (4 * i) & 7, replicate = o[2] >> (4 * i + 3) & 1;
    U64 byte = (from < 4 ? o[0] >> (8 * from) : o[1] >> (8 * (from - 4))) & 0xff;
    if (replicate) byte = byte >> 7 ? 0xff : 0;
    out |= byte << (8 * i);
  }
  return exactly(out);
}
Expected find_nth(const Operands& o) {
  const auto n = static_cast<std::int32_t>(o[2]);
  const int base = static_cast<int>(o[1]);
  if (n == 0) return exactly(bit(o[0], base) ? o[1] : 0xffffffff);
  int seen = 0;
  for (int i = base; i >= 0 && i < 32; i += n > 0 ? 1 : -1) {
    if (bit(o[0], i) && ++seen == (n > 0 ? n : -static_cast<std::int64_t>(n)))
      return exactly(static_cast<U64>(i));
  }
  return exactly(0xffffffff);
}
Expected dot(const Name& name, const Operands& o) {
  const bool two = name.root() == "dp2a";
  const std::string a_type = name.type(1), b_type = name.type(0);
  Wide sum = value_of("u32", o[2]);
  for (unsigned i = 0; i < (two ? 2u : 4u); ++i) {
    const std::string wide = a_type.substr(0, 1) + (two ? "16" : "8"),
                      small = b_type.substr(0, 1) + "8";
    const unsigned at = two && name.has("hi") ? i + 2 : i;
    sum += value_of(wide, o[0] >> ((two ? 16 : 8) * i)) * value_of(small, o[1] >> (8 * at));
  }
  return exactly(bits_of("u32", sum));
}
Expected find_leading(const Name& name, const Operands& o) {
  const std::string type = name.type();
  const int width = static_cast<int>(width_in_bits(type));
  const bool sign = is_signed_type(type) && bit(o[0], width - 1);
  for (int i = width - 1; i >= 0; --i) {
    if (bit(o[0], i) != sign)
      return exactly(static_cast<U64>(name.has("shiftamt") ? width - 1 - i : i));
  }
  return exactly(0xffffffff);
}
Expected extend(const Name& name, const Operands& o) {
  const U64 n = name.has("clamp") ? o[1] & 0xffffffff : o[1] & 31;
  U64 out = 0;
  for (unsigned i = 0; i < 32; ++i) {
    const bool sign = is_signed_type(name.type()) && n > 0 && bit(o[0], static_cast<Wide>(n) - 1);
    out |= U64{i < n ? bit(o[0], i) : sign} << i;
  }
  return exactly(out);
}
Expected mask_of_ones(const Name& name, const Operands& o) {
  const bool clamp = name.has("clamp");
  const U64 pos = clamp ? o[0] & 0xffffffff : o[0] & 31,
            len = clamp ? o[1] & 0xffffffff : o[1] & 31;
  U64 out = 0;
  for (U64 i = 0; i < 32; ++i) out |= U64{i >= pos && i - pos < len} << i;
  return exactly(out);
}

Expected counting(const Name& name, const Operands& o) {
  const unsigned width = width_in_bits(name.type());
  U64 ones = 0, zeros = 0, reversed = 0;
  bool leading = true;
  for (unsigned i = width; i-- > 0;) {
    ones += bit(o[0], i);
    leading = leading && !bit(o[0], i);
    zeros += leading;
    reversed |= U64{bit(o[0], i)} << (width - 1 - i);
  }
  return exactly(name.root() == "popc" ? ones : name.root() == "clz" ? zeros : reversed);
}
Expected bitwise(const Name& name, const Operands& o) {
  const U64 all = name.type() == "pred" ? 1 : bits_of("u" + name.type().substr(1), -1);
  if (name.root() == "and") return exactly(o[0] & o[1]);
  if (name.root() == "or") return exactly(o[0] | o[1]);
  if (name.root() == "xor") return exactly(o[0] ^ o[1]);
  return exactly(name.root() == "not" ? ~o[0] & all : (o[0] & all) == 0);
}
Expected select(const Name& name, const Operands& o) {
  if (name.root() == "selp") return exactly(o[2] ? o[0] : o[1]);
  if (name.type() == "s32") return exactly(value_of("s32", o[2]) >= 0 ? o[0] : o[1]);
  if (is_nan_of("f32", o[2])) return exactly(o[1]);
  const U64 c = name.has("ftz") ? flushed("f32", o[2]) : o[2];
  return exactly(number_of("f32", c) >= 0 ? o[0] : o[1]);
}
Expected pack(const Name& name, const Operands& o) {
  if (name.root() == "unpack") return exactly(o[0] >> 32);
  const unsigned part = width_in_bits(name.type()) / static_cast<unsigned>(o.size());
  U64 out = 0;
  for (std::size_t i = 0; i < o.size(); ++i) out |= o[i] << (part * i);
  return exactly(out);
}

}  // namespace

Expected reference_logic(const Name& name, const Operands& o) {
  const std::string& root = name.root();
  if (root == "and" || root == "or" || root == "xor" || root == "not" || root == "cnot")
    return bitwise(name, o);
  if (root == "shl" || root == "shr") return shift(name, o);
  if (root == "shf") return funnel(name, o);
  if (root == "lop3") return table(name, o);
  if (root == "bfe" || root == "bfi") return field(name, o);
  if (root == "prmt") return permute(name, o);
  if (root == "fns") return find_nth(o);
  if (root == "dp4a" || root == "dp2a") return dot(name, o);
  if (root == "bfind") return find_leading(name, o);
  if (root == "szext") return extend(name, o);
  if (root == "bmsk") return mask_of_ones(name, o);
  if (root == "popc" || root == "clz" || root == "brev") return counting(name, o);
  if (root == "selp" || root == "slct") return select(name, o);
  if (root == "mov" || root == "unpack") return pack(name, o);
  return {};
}

}  // namespace heddle::conformance
