#include "ptx/forms/operand_notation.h"

#include <array>

#include "base/diagnostics.h"
#include "ptx/forms/modifiers.h"

namespace heddle::ptx {

namespace {

using Role = OperandShape::Role;
using TypeOf = OperandPattern::TypeOf;

struct Piece {
  std::string_view text;
  bool optional = false;
};

// Cuts "d, [a, c]{, b}" at the commas outside of brackets.
std::vector<Piece> split(std::string_view notation) {
  std::vector<Piece> pieces;
  std::size_t at = 0;
  while (at < notation.size()) {
    Piece piece;
    piece.optional = notation.substr(at).starts_with("{,");
    at = notation.find_first_not_of(piece.optional ? "{, " : ", ", at);
    std::size_t end = at;
    for (int depth = 0; end < notation.size(); ++end) {
      const char c = notation[end];
      if (depth == 0 && (c == ',' || notation.substr(end).starts_with("{,"))) break;
      if (c == '{' || c == '[' || c == '(') ++depth;
      if (c == '}' || c == ']' || c == ')') --depth;
      if (depth < 0) break;  // the brace that ends an optional operand
    }
    piece.text = notation.substr(at, end - at);
    pieces.push_back(piece);
    at = piece.optional ? end + 1 : end;
  }
  return pieces;
}

bool cut_suffix(std::string_view& text, std::string_view suffix) {
  if (!text.ends_with(suffix)) return false;
  text.remove_suffix(suffix.size());
  return true;
}
bool cut_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

void set_type(OperandPattern& pattern, std::string_view name) {
  if (name == "atype") {
    pattern.type = TypeOf::second;
  } else if (name == "wide") {
    pattern.type = TypeOf::wide;
  } else {
    pattern.type = TypeOf::fixed;
    pattern.shape.type = type_named(name);
    check_invariant(pattern.shape.type != Type::none, "a form names an unknown type");
  }
}

// [a], [a:shared], [tex, c], [surf]
void parse_brackets(OperandPattern& pattern, std::string_view inside) {
  OperandShape& shape = pattern.shape;
  if (inside.starts_with("tex") || inside.starts_with("surf")) {
    shape.role = inside.find(',') == std::string_view::npos ? Role::handle : Role::texel;
    return;
  }
  if (inside.starts_with("tensorMap")) {
    shape.role = Role::tensor;
    return;
  }
  shape.role = Role::address;
  if (!cut_suffix(inside, ":shared")) return;
  shape.space = Space::shared;
  if (inside == "mbar") shape.place = CopySource::mbarrier;
}

// Operands whose name determines their role; false for other names.
bool parse_named(OperandPattern& pattern, std::string_view name) {
  struct Named {
    std::string_view name;
    Role role;
    Type type;
  };
  static constexpr std::array<Named, 8> kNamed = {
      {{"cache-policy", Role::hint, Type::b64},
       {"dPdx", Role::gradient, Type::f32},
       {"dPdy", Role::gradient, Type::f32},
       {"offsets", Role::offsets, Type::s32},
       {"im2colOffsets", Role::pixel_offsets, Type::b16},
       {"tgt", Role::label, Type::none},
       {"tlist", Role::table, Type::none},
       {"func", Role::call, Type::none}}};
  for (const Named& named : kNamed) {
    if (named.name != name) continue;
    pattern.shape.role = named.role;
    pattern.shape.type = named.type;
    pattern.type = TypeOf::fixed;
    return true;
  }
  return false;
}

OperandPattern parse_operand(std::string_view text) {
  OperandPattern pattern;
  OperandShape& shape = pattern.shape;
  if (parse_named(pattern, text)) return pattern;
  if (cut_prefix(text, "{!}")) {
    shape.role = Role::predicate;
    set_type(pattern, "pred");
    return pattern;
  }
  if (text.starts_with('[')) {
    parse_brackets(pattern, text.substr(1, text.size() - 2));
    return pattern;
  }
  if (text.starts_with('{')) {
    pattern.fragment = text[1];
    shape.or_descriptor = text.ends_with("/desc");
    return pattern;
  }
  if (cut_prefix(text, "unused ")) shape.role = Role::hint;
  const bool optional_pair = cut_suffix(text, "[|p]"), pair = cut_suffix(text, "[|q]");
  shape.sink = cut_suffix(text, "/_");
  shape.address_of = cut_suffix(text, "/var");
  shape.or_predicate = cut_suffix(text, "/pred");
  shape.relaxed = cut_suffix(text, "+");
  if (const std::size_t colon = text.find(':'); colon != std::string_view::npos) {
    const std::string_view type = text.substr(colon + 1);
    if (type == "imm") shape.role = Role::constant;
    set_type(pattern, type == "imm" ? "u32" : type);
    text = text.substr(0, colon);
  }
  shape.pack = cut_suffix(text, ".pack");
  shape.vector = cut_suffix(text, ".vec");
  shape.relaxed = shape.relaxed || shape.vector;
  if (text == "p") set_type(pattern, "pred");
  if (text != "d" && text != "p") return pattern;
  shape.sink = shape.sink || shape.vector;
  shape.role = optional_pair ? Role::destination_optional_pair
               : pair        ? Role::destination_pair
                             : Role::destination;
  return pattern;
}

Type twice_as_wide(Type t) {
  switch (t) {
    case Type::u16: return Type::u32;
    case Type::s16: return Type::s32;
    case Type::u32: return Type::u64;
    default: return Type::s64;
  }
}

}  // namespace

std::vector<OperandPattern> parse_operands(std::string_view notation) {
  std::vector<OperandPattern> patterns;
  for (const Piece& piece : split(notation)) {
    if (piece.text.starts_with('(')) continue;  // the parser reads a call's lists itself
    OperandPattern pattern = parse_operand(piece.text);
    pattern.with_cache_hint = piece.text == "cache-policy";
    pattern.shape.optional = piece.optional && !pattern.with_cache_hint;
    patterns.push_back(pattern);
  }
  return patterns;
}

OperandShape shape_of(const OperandPattern& pattern, const Instruction& instruction) {
  if (pattern.fragment) {
    OperandShape shape = fragment_shape(pattern.fragment, instruction);
    shape.or_descriptor = pattern.shape.or_descriptor;
    return shape;
  }
  OperandShape shape = pattern.shape;
  switch (pattern.type) {
    case TypeOf::fixed: break;
    case TypeOf::instruction: shape.type = instruction.type; break;
    case TypeOf::second: shape.type = instruction.source_type; break;
    case TypeOf::wide: shape.type = twice_as_wide(instruction.type); break;
  }
  return shape;
}

}  // namespace heddle::ptx
