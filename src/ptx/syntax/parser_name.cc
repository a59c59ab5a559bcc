// Names in a function: scopes, registers, and numbered names (%r<100>).
#include <charconv>

#include "ptx/syntax/parser.h"

namespace heddle::ptx {

namespace {
constexpr std::uint64_t kMaxRegisters = std::uint64_t{1} << 24;
}  // namespace

void Parser::open_scope() {
  if (scopes_.size() >= (1u << 20)) fail("too many scopes");
  Scope scope;
  scope.parent = scopes_.empty() ? kNoIndex : scope_;
  scopes_.push_back(std::move(scope));
  scope_ = static_cast<std::uint32_t>(scopes_.size() - 1);
}

void Parser::parse_registers() {
  const RegisterShape shape = parse_register_shape();
  do {
    const TextPosition at = position();
    const std::string_view name = read_word("a register name");
    if (!accept("<")) {
      declare(name, add_register(shape, name), at);
      continue;
    }
    scopes_[scope_].ranges.push_back({name, read_count("registers", kMaxRegisters), shape});
  } while (accept(","));
  require(";");
}

// .v4 .f32
Parser::RegisterShape Parser::parse_register_shape() {
  RegisterShape shape;
  const TextPosition at = position();
  shape.elements = accept(".v2") ? 2 : accept(".v4") ? 4 : 1;
  if (!token_.is_dotted()) fail("expected a register type, found " + shown());
  shape.type = type_named(token_.text.substr(1));
  if (shape.type == Type::none) fail("unknown register type " + shown());
  if (shape.elements > 1 && (shape.type == Type::pred || shape.bytes() > 16))
    fail_at(at, "a vector register has numbers of together at most 128 bits");
  advance();
  return shape;
}

// N> of a name<N>: the names name0 to name(N-1).
std::uint64_t Parser::read_count(std::string_view what, std::uint64_t limit) {
  if (token_.kind != Token::Kind::integer)
    fail("expected a number of " + std::string(what) + ", found " + shown());
  const std::uint64_t count = token_.value;
  if (count > limit) fail("too many " + std::string(what));
  advance();
  require(">");
  return count;
}

// A vector is adjacent registers.
Parser::Entity Parser::add_register(const RegisterShape& shape, std::string_view name) {
  Entity entity{shape.elements > 1 ? Entity::Kind::vector : Entity::Kind::reg,
                add_register(shape.type, name), shape.elements};
  for (std::uint8_t n = 1; n < shape.elements; ++n) add_register(shape.type, name);
  return entity;
}

std::uint32_t Parser::add_register(Type type, std::string_view name) {
  const std::size_t first = name.find_first_of("0123456789");
  std::uint16_t digits = 0;
  if (first != std::string_view::npos)
    std::from_chars(name.data() + first, name.data() + name.size(), digits);
  function().registers.push_back({type, digits});
  if (type == Type::b128) function().registers.push_back({Type::b64, digits});  // its upper half
  return static_cast<std::uint32_t>(function().registers.size() - (type == Type::b128 ? 2 : 1));
}

void Parser::declare(std::string_view name, Entity entity, TextPosition at) {
  if (!scopes_[scope_].names.try_emplace(name, entity).second) {
    fail_at(at, "'" + std::string(name.substr(0, 80)) + "' is declared twice");
  }
}

// %r12 belongs to %r<100>, and %r1_2 to %r1_<5>: the prefix may end before any trailing digit.
const Parser::Entity* Parser::find_in_range(Scope& scope, std::string_view name) {
  std::uint64_t index = 0, weight = 1;
  for (std::size_t split = name.size(); split > 1 && name.size() - split < 9;) {
    const char digit = name[--split];
    if (digit < '0' || digit > '9') break;
    index += weight * static_cast<std::uint64_t>(digit - '0');
    weight *= 10;
    if (digit == '0' && split + 1 < name.size()) continue;  // no leading zeros
    for (const RegisterRange& range : scope.ranges) {
      if (range.prefix != name.substr(0, split) || index >= range.count) continue;
      return &scope.names.try_emplace(name, add_register(range.shape, name)).first->second;
    }
  }
  return nullptr;
}

const Parser::Entity* Parser::find(std::string_view name) {
  for (std::uint32_t s = scope_; s != kNoIndex; s = scopes_[s].parent) {
    const auto found = scopes_[s].names.find(name);
    if (found != scopes_[s].names.end()) return &found->second;
    if (const Entity* entity = find_in_range(scopes_[s], name)) return entity;
  }
  return nullptr;
}

}  // namespace heddle::ptx
