#include <charconv>

#include "ptx/syntax/parser.h"

namespace heddle::ptx {

Parser::Parser(std::string_view text, AstUnit& unit, std::vector<std::string>* refusals)
    : unit_(unit), lexer_(text, unit.name), refusals_(refusals) {
  advance();
}

void Parser::advance() {
  if (ahead_) {
    token_ = *ahead_;
    ahead_.reset();
  } else {
    token_ = lexer_.next();
  }
}

const Token& Parser::peek() {
  if (!ahead_) ahead_ = lexer_.next();
  return *ahead_;
}

bool Parser::accept(std::string_view text) {
  if (!token_.is(text)) return false;
  advance();
  return true;
}

void Parser::require(std::string_view text) {
  if (!accept(text)) fail("expected '" + std::string(text) + "', found " + shown());
}

std::string_view Parser::read_word(std::string_view what) {
  if (!token_.is_word()) fail("expected " + std::string(what) + ", found " + shown());
  const std::string_view text = token_.text;
  advance();
  return text;
}

std::uint64_t Parser::read_integer(std::string_view what, std::uint64_t limit) {
  const TextPosition at = position();
  const ConstantValue value = parse_constant();
  if (value.kind != ConstantValue::Kind::integer) fail_at(at, "expected " + std::string(what));
  if (value.bits > limit) fail_at(at, std::string(what) + " is out of range");
  return value.bits;
}

std::string Parser::shown() const {
  if (token_.kind == Token::Kind::end) return "the end of the text";
  return "'" + std::string(token_.text.substr(0, 80)) + "'";
}

void Parser::fail_at(TextPosition at, const std::string& message) const {
  throw UserError(unit_.where(at), message);
}

void Parser::parse_module() {
  if (!token_.is(".version")) fail("PTX must begin with .version, found " + shown());
  while (token_.kind != Token::Kind::end) {
    if (accept(";")) continue;
    parse_or_skip([this] { parse_directive(); }, false);
  }
}

void Parser::parse_directive() {
  if (!token_.is_dotted()) fail("expected a directive, found " + shown());
  if (token_.is(".version")) return parse_version();
  if (token_.is(".target")) return parse_target();
  if (token_.is(".file")) return parse_file();
  if (token_.is(".section")) return skip_section();
  if (accept(".address_size")) {
    if (read_integer("the address size", ~std::uint64_t{0}) != 64)
      fail("only 64-bit addresses are supported");
    return;
  }
  if (token_.is(".pragma")) return parse_pragma(nullptr, false);
  if (token_.is(".loc")) return parse_loc();
  if (accept(".alias")) return parse_alias();
  const Linkage linkage = parse_linkage();
  if (accept(".entry")) return parse_function(linkage, true);
  if (accept(".func")) return parse_function(linkage, false);
  if (accept(".global")) return parse_variables(Space::global, linkage);
  if (accept(".const")) return parse_variables(Space::constant, linkage);
  if (accept(".shared")) return parse_variables(Space::shared, linkage);
  if (accept(".local")) return parse_variables(Space::local, linkage);
  if (accept(".tex")) return parse_texture_references(linkage);
  fail("the directive " + shown() + " is not supported at module scope");
}

void Parser::parse_version() {
  advance();
  const TextPosition at = position();
  if (token_.kind != Token::Kind::double_bits)
    fail("expected a version such as 7.0, found " + shown());
  ConstantValue version;
  version.kind = ConstantValue::Kind::floating;
  version.bits = token_.value;
  const std::string text(token_.text);
  advance();
  if (version.as_double() < 1.0 || version.as_double() >= 10.0) {
    fail_at(at, "PTX ISA " + text + " is not supported; 1.0 to 9.x are");
  }
  older_ = version.as_double() < 2.0;
}

void Parser::parse_target() {
  advance();
  do {
    const TextPosition at = position();
    const std::string_view target = read_word("a target");
    if (target.starts_with("sm_1") && target.size() == 5) older_ = true;  // sm_10 to sm_13
    if (target == "texmode_independent") {
      unit_.independent_samplers = true;
      continue;
    }
    if (target == "debug" || target == "texmode_unified" || target == "map_f64_to_f32") continue;
    if (!target.starts_with("sm_") && !target.starts_with("compute_"))
      fail_at(at, "unknown target '" + std::string(target.substr(0, 40)) + "'");
    const std::string_view digits = target.substr(target.find('_') + 1);
    std::from_chars(digits.data(), digits.data() + digits.size(), unit_.target);
  } while (accept(","));
}

void Parser::parse_file() {
  advance();
  const auto number = static_cast<std::uint32_t>(read_integer("a file number", 0xffffffff));
  if (token_.kind != Token::Kind::string) fail("expected a file name, found " + shown());
  unit_.files[number] = std::string(token_.text);
  advance();
  while (accept(",")) read_integer("a time stamp or size", ~std::uint64_t{0});
}

// .alias name, definition;
void Parser::parse_alias() {
  const auto function_named = [&] {
    const TextPosition at = position();
    const std::string name(read_word("a function name"));
    const auto found = unit_.function_names.find(name);
    if (found == unit_.function_names.end() || unit_.functions[found->second].is_entry)
      fail_at(at, "'" + name.substr(0, 80) + "' is not a function");
    return found->second;
  };
  const TextPosition at = position();
  const std::uint32_t alias = function_named();
  require(",");
  const std::uint32_t definition = function_named();
  require(";");
  if (unit_.functions[alias].is_defined)
    fail_at(at, "'" + unit_.functions[alias].name + "' is defined and cannot be an alias");
  if (!unit_.functions[definition].is_defined)
    fail_at(at, "'" + unit_.functions[definition].name + "' is not defined before this .alias");
  unit_.functions[alias].alias_of = definition;
}

// DWARF debug information is not used.
void Parser::skip_section() {
  advance();
  while (token_.kind != Token::Kind::end && !token_.is("{")) advance();
  int open = 0;
  do {
    if (token_.kind == Token::Kind::end) fail("this section is never closed");
    if (token_.is("{")) ++open;
    if (token_.is("}")) --open;
    advance();
  } while (open > 0);
}

void Parser::skip_statement() {
  while (!token_.is(";")) {
    if (token_.kind == Token::Kind::end) fail("expected ';', found the end of the text");
    advance();
  }
  advance();
}

// Skips the rest of a refused statement; outside functions, of a refused function with its body.
void Parser::skip_refused(bool in_body) {
  int open = 0;
  while (token_.kind != Token::Kind::end) {
    if (in_body && open == 0 && token_.is("}")) return;
    const bool closes = token_.is("}");
    if (token_.is("{")) ++open;
    if (closes) --open;
    const bool ends = (token_.is(";") && open <= 0) || (closes && open <= 0 && !in_body);
    advance();
    if (ends) break;
  }
  if (in_body) return;
  if (function_ < unit_.functions.size()) {  // the refused statement ended its body
    AstFunction& lost = function();
    lost.is_defined = false;
    lost.code.clear();
    lost.calls.clear();
  }
  function_ = kNoIndex;
  scope_ = kNoIndex;
}

Linkage Parser::parse_linkage() {
  Linkage linkage = Linkage::internal;
  while (true) {
    if (accept(".visible"))
      linkage = Linkage::visible;
    else if (accept(".weak") || accept(".common"))
      linkage = Linkage::weak;
    else if (accept(".extern"))
      linkage = Linkage::external;
    else
      return linkage;
  }
}

}  // namespace heddle::ptx
