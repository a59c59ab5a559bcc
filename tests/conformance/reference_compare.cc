#include <cmath>

#include "tests/conformance/reference.h"

namespace heddle::conformance {

using U64 = std::uint64_t;

namespace {

bool holds(const std::string& op, const std::string& type, U64 a, U64 b, bool ftz) {
  if (is_float_type(type)) {
    if (ftz) a = flushed(type, a), b = flushed(type, b);
    const bool unordered = is_nan_of(type, a) || is_nan_of(type, b);
    if (op == "nan" || op == "num") return unordered == (op == "nan");
    if (unordered) return op.size() == 3;  // equ, neu, ltu, ...
    const Quad x = number_of(type, a), y = number_of(type, b);
    const std::string plain = op.substr(0, 2);
    return plain == "eq"   ? x == y
           : plain == "ne" ? x != y
           : plain == "lt" ? x < y
           : plain == "le" ? x <= y
           : plain == "gt" ? x > y
                           : x >= y;
  }
  const bool unsigned_op = op == "lo" || op == "ls" || op == "hi" || op == "hs";
  const std::string as = unsigned_op || type[0] == 'b' ? "u" + type.substr(1) : type;
  const Wide x = value_of(as, a), y = value_of(as, b);
  if (op == "eq") return x == y;
  if (op == "ne") return x != y;
  if (op == "lt" || op == "lo") return x < y;
  if (op == "le" || op == "ls") return x <= y;
  if (op == "gt" || op == "hi") return x > y;
  return x >= y;
}
bool combined(const Name& name, bool value, const Operands& o) {
  if (o.size() < 3) return value;
  const bool c = (o[2] != 0) != name.has("not");
  return name.has("and") ? value && c : name.has("or") ? value || c : value != c;
}
std::string operator_of(const Name& name) {
  for (const std::string& word : name.words) {
    for (const char* op : {"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu",
                           "ltu", "leu", "gtu", "geu", "num", "nan"}) {
      if (word == op) return word;
    }
  }
  return "";
}
U64 yes_of(const std::string& type) {
  if (type == "f32") return 0x3f800000;
  if (type.starts_with("f16")) return 0x3c00;
  if (type.starts_with("bf16")) return 0x3f80;
  return type.ends_with("16") ? 0xffff : 0xffffffff;
}

Expected set(const Name& name, const Operands& o) {
  const std::string from = name.type(), to = name.type(1), op = operator_of(name);
  if (!from.ends_with("x2"))
    return exactly(combined(name, holds(op, from, o[0], o[1], name.has("ftz")), o) ? yes_of(to)
                                                                                   : 0);
  const std::string half = from.substr(0, from.size() - 2);
  const U64 yes = to.ends_with("x2") ? yes_of(half) : 0xffff;
  U64 out = 0;
  for (unsigned shift : {0u, 16u}) {
    if (combined(name,
                 holds(op, half, o[0] >> shift & 0xffff, o[1] >> shift & 0xffff, name.has("ftz")),
                 o))
      out |= yes << shift;
  }
  return exactly(out);
}

Expected property(const Name& name, const Operands& o) {
  const std::string type = name.type(), what = name.words[1];
  const bool nan = is_nan_of(type, o[0]);
  const U64 size = o[0] & nan_of(type);
  const bool infinite = size == infinity_of(type),
             subnormal = size != 0 && flushed(type, size) == 0;
  if (what == "finite") return exactly(!nan && !infinite);
  if (what == "infinite") return exactly(infinite);
  if (what == "number") return exactly(!nan);
  if (what == "notanumber") return exactly(nan);
  if (what == "subnormal") return exactly(subnormal);
  return exactly(!nan && !infinite && !subnormal);  // zeros are normal
}

}  // namespace

Expected reference_compare(const Name& name, const Operands& o) {
  if (name.root() == "testp") return property(name, o);
  if (name.root() == "set") return set(name, o);
  if (name.root() != "setp") return {};
  std::string type = name.type();
  U64 a = o[0], b = o[1];
  if (type.ends_with("x2")) {
    type.resize(type.size() - 2);
    const unsigned shift = name.has("upper") ? 16 : 0;
    a = a >> shift & 0xffff, b = b >> shift & 0xffff;
  }
  const bool value = holds(operator_of(name), type, a, b, name.has("ftz"));
  return exactly(combined(name, name.has("second") ? !value : value, o));
}

}  // namespace heddle::conformance
