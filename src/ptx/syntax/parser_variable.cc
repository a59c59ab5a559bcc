#include <algorithm>
#include <array>
#include <bit>

#include "ptx/syntax/declarations.h"
#include "ptx/syntax/parser.h"

namespace heddle::ptx {

namespace {
constexpr std::uint64_t kMaxVariableBytes = std::uint64_t{1} << 36;
constexpr std::uint64_t kMaxInitializedBytes = std::uint64_t{1} << 28;

// The key in AstUnit::variable_names of a variable that is declared in a function: no name of PTX.
std::string scoped_name(const AstVariable& variable, std::uint32_t index) {
  return variable.name + "@" + std::to_string(index);
}
}  // namespace

void Parser::parse_attribute(Declarator& declarator) {
  if (accept(".align")) {
    const TextPosition at = position();
    declarator.align = read_integer("an alignment", 1 << 20);
    if (!std::has_single_bit(declarator.align)) fail_at(at, "an alignment is a power of two");
  } else if (accept(".v2")) {
    declarator.vector = 2;
  } else if (accept(".v4")) {
    declarator.vector = 4;
  } else if (token_.is(".attribute")) {
    advance();
    require("(");
    do {  // all device memory is managed
      if (accept(".unified")) {
        require("(");
        do read_integer("a unique number", ~std::uint64_t{0});
        while (accept(","));
        require(")");
      } else if (!accept(".managed")) {
        fail("unknown attribute " + shown());
      }
    } while (accept(","));
    require(")");
  } else if (token_.is(".texref") || token_.is(".surfref") ||
             token_.is(".samplerref")) {  // the variable has no memory: its address is a handle
    if (declarator.space != Space::global) fail(shown() + " is only supported with .global");
    declarator.space = token_.is(".texref")    ? Space::texture
                       : token_.is(".surfref") ? Space::surface
                                               : Space::sampler;
    declarator.type = Type::b64;
    advance();
  } else {
    declarator.type = type_named(token_.text.substr(1));
    if (declarator.type == Type::none || declarator.type == Type::pred)
      fail("a variable cannot have the type " + shown());
    advance();
  }
}

Parser::Declarator Parser::parse_declarator(Space space, Linkage linkage) {
  Declarator declarator;
  declarator.space = space;
  declarator.linkage = linkage;
  while (token_.is_dotted() && declarator.type == Type::none) parse_attribute(declarator);
  if (declarator.type == Type::none) fail("expected a type, found " + shown());
  if (accept(".ptr")) {  // attributes of a pointer parameter; no effect
    while (token_.is_dotted()) {
      if (accept(".align"))
        read_integer("an alignment", 1 << 20);
      else
        advance();
    }
  }
  return declarator;
}

void Parser::parse_variables(Space space, Linkage linkage) {
  const Declarator declarator = parse_declarator(space, linkage);
  do {
    if (token_.is_word() && peek().is("<"))
      parse_numbered_variables(declarator);
    else
      parse_variable(declarator);
  } while (accept(","));
  require(";");
}

// name<N>: scalars or vectors name0 to name(N-1).
void Parser::parse_numbered_variables(const Declarator& declarator) {
  AstVariable variable;
  variable.at = position();
  const std::string prefix(read_word("a name"));
  require("<");
  const std::uint64_t count = read_count("variables", kMaxNumberedVariables);
  numbered_variables_ += count;
  if (numbered_variables_ > kMaxNumberedVariables)
    fail_at(variable.at, "this module declares more than " + std::to_string(kMaxNumberedVariables) +
                             " variables by name<N>");
  if (is_opaque(declarator.space))
    fail_at(variable.at, "texture, sampler and surface references have no name<N>");
  variable.space = declarator.space;
  variable.linkage = declarator.linkage;
  variable.type = declarator.type;
  variable.bytes = bytes_of(declarator.type) * declarator.vector;
  variable.align = declarator.align ? declarator.align : variable.bytes;
  for (std::uint64_t n = 0; n < count; ++n) {
    variable.name = prefix + std::to_string(n);
    add_variable(variable);
  }
}

// ".tex .u32 t;" of PTX 1.x is ".global .texref t;" in later versions.
void Parser::parse_texture_references(Linkage linkage) {
  Declarator declarator;
  declarator.space = Space::texture;
  declarator.linkage = linkage;
  if (!accept(".u32") && !accept(".u64"))
    fail("a texture of the .tex space is .u32 or .u64, not " + shown());
  declarator.type = Type::b64;
  do parse_variable(declarator);
  while (accept(","));
  require(";");
}

std::uint32_t Parser::parse_variable(const Declarator& declarator) {
  return add_variable(read_variable(declarator));
}

AstVariable Parser::read_variable(const Declarator& declarator) {
  AstVariable variable;
  variable.at = position();
  variable.name = std::string(read_word("a name"));
  variable.space = declarator.space;
  variable.linkage = declarator.linkage;
  variable.type = declarator.type;
  const std::uint64_t element = bytes_of(declarator.type) * declarator.vector;
  variable.align = declarator.align ? declarator.align : element;

  std::vector<std::uint64_t> dims;
  std::uint64_t count = declarator.vector;
  while (accept("[")) {
    std::uint64_t length = 0;
    if (!token_.is("]"))
      length = read_integer("an array length", kMaxVariableBytes);
    else if (!dims.empty())
      fail("only the first dimension may be without a length");
    else
      variable.unsized = true;
    require("]");
    dims.push_back(length);
    if (length != 0 && count > kMaxVariableBytes / length) fail("this array is too large");
    if (!(variable.unsized && dims.size() == 1)) count *= length;
  }
  if (declarator.vector > 1) dims.push_back(declarator.vector);
  const bool reference = is_opaque(declarator.space);
  if (reference && !dims.empty())
    fail_at(variable.at, "arrays of texture, sampler and surface references are not supported");
  if (reference && function_ != kNoIndex && scope_ != kNoIndex)
    fail_at(variable.at, "texture, sampler and surface references must be outside functions");
  variable.bytes = variable.unsized ? 0 : count * bytes_of(declarator.type);
  if (variable.bytes > kMaxVariableBytes) fail_at(variable.at, "this variable is too large");
  if (accept("="))
    variable.space == Space::sampler ? parse_sampler_fields(variable)
                                     : parse_initializer(variable, dims);
  if (variable.unsized && variable.linkage != Linkage::external && variable.bytes == 0 &&
      variable.space != Space::frame && variable.space != Space::param) {
    fail_at(variable.at, "the array '" + variable.name + "' has no length");
  }
  return variable;
}

// The global or constant variable of this function's scopes with this name, or kNoIndex.
std::uint32_t Parser::variable_named(std::string_view name) {
  const Entity* const entity = find(name);
  if (!entity || entity->kind != Entity::Kind::variable) return kNoIndex;
  return unit_.variables[entity->index].function == kNoIndex ? entity->index : kNoIndex;
}

std::uint32_t Parser::add_variable(AstVariable variable) {
  const auto index = static_cast<std::uint32_t>(unit_.variables.size());
  if (function_ != kNoIndex && scope_ != kNoIndex) {
    // Global and constant variables live as long as the module; only their names have a scope.
    const bool is_global = variable.space == Space::global || variable.space == Space::constant;
    variable.function = is_global ? kNoIndex : function_;
    if (is_global) unit_.variable_names.emplace(scoped_name(variable, index), index);
    unit_.variables.push_back(std::move(variable));
    // The scope refers to the name, so the name is kept.
    name_store_.push_back(unit_.variables.back().name);
    declare(name_store_.back(), {Entity::Kind::variable, index}, unit_.variables.back().at);
    return index;
  }
  if (unit_.function_names.contains(variable.name))
    fail_at(variable.at, "'" + variable.name + "' is already a function");
  const auto [place, added] = unit_.variable_names.try_emplace(variable.name, index);
  if (!added) {
    AstVariable& before = unit_.variables[place->second];
    const bool declaration = variable.linkage == Linkage::external,
               was_declaration = before.linkage == Linkage::external;
    if (before.space != variable.space)
      fail_at(variable.at, "'" + variable.name + "' was declared in another state space");
    if (!declaration && !was_declaration)
      fail_at(variable.at, "'" + variable.name + "' is declared twice");
    if (!declaration) before = std::move(variable);
    return place->second;
  }
  unit_.variables.push_back(std::move(variable));
  return index;
}

// = { addr_mode_0 = clamp_to_border, filter_mode = nearest }
void Parser::parse_sampler_fields(AstVariable& variable) {
  static constexpr std::array<std::string_view, 5> kAddressing = {
      "wrap", "mirror", "clamp_ogl", "clamp_to_edge", "clamp_to_border"};
  if (variable.linkage == Linkage::external)
    fail("an external variable cannot have an initial value");
  require("{");
  do {
    const TextPosition at = position();
    const std::string field(read_word("a field of a sampler"));
    require("=");
    const TextPosition value_at = position();
    if (field == "force_unnormalized_coords") {
      variable.sampler.force_unnormalized = read_integer("0 or 1", 1) != 0;
    } else if (field == "filter_mode") {
      const std::string_view mode = read_word("nearest or linear");
      if (mode != "nearest" && mode != "linear") fail_at(value_at, "a filter is nearest or linear");
      variable.sampler.linear_filter = mode == "linear";
    } else if (field.starts_with("addr_mode_") && field.size() == 11 && field[10] >= '0' &&
               field[10] <= '2') {
      const auto found =
          std::find(kAddressing.begin(), kAddressing.end(), read_word("an address mode"));
      if (found == kAddressing.end())
        fail_at(value_at,
                "an address mode is wrap, mirror, clamp_ogl, clamp_to_edge or clamp_to_border");
      variable.sampler.address[static_cast<std::size_t>(field[10] - '0')] =
          static_cast<SamplerFields::Addressing>(found - kAddressing.begin());
    } else {
      fail_at(at, "a sampler has no field '" + field.substr(0, 80) + "'");
    }
  } while (accept(","));
  require("}");
}

void Parser::parse_initializer(AstVariable& variable, const std::vector<std::uint64_t>& dims) {
  if (variable.space != Space::global && variable.space != Space::constant)
    fail("only global and constant variables have initial values");
  if (variable.linkage == Linkage::external)
    fail("an external variable cannot have an initial value");
  if (variable.bytes > kMaxInitializedBytes) fail("this initialized variable is too large");
  if (dims.empty()) {
    const bool braced = accept("{");
    parse_initial_value(variable, 0);
    if (braced) require("}");
  } else {
    parse_initializer_list(variable, dims, 0, 0);
  }
  if (variable.unsized) {
    std::uint64_t row = bytes_of(variable.type);
    for (std::size_t i = 1; i < dims.size(); ++i) row *= dims[i];
    variable.bytes = row ? (variable.initial.size() + row - 1) / row * row : 0;
    variable.unsized = false;
  }
  if (variable.initial.size() > variable.bytes)
    fail("more initial values than '" + variable.name + "' has elements");
  variable.initial.resize(variable.bytes);
}

void Parser::parse_initializer_list(AstVariable& variable, const std::vector<std::uint64_t>& dims,
                                    std::size_t level, std::uint64_t first) {
  require("{");
  std::uint64_t span = 1;
  for (std::size_t i = level + 1; i < dims.size(); ++i) span *= dims[i];
  std::uint64_t element = first;
  while (!token_.is("}")) {
    if (token_.is("{")) {
      if (level + 1 >= dims.size()) fail("more nested braces than dimensions");
      if (span != 0) element = first + (element - first + span - 1) / span * span;
      parse_initializer_list(variable, dims, level + 1, element);
      element += span;
    } else {
      parse_initial_value(variable, element++);
    }
    if (!accept(",")) break;
  }
  require("}");
}

void Parser::parse_initial_value(AstVariable& variable, std::uint64_t element) {
  const std::uint64_t bytes = bytes_of(variable.type), offset = element * bytes;
  if (offset + bytes > kMaxInitializedBytes ||
      (!variable.unsized && offset + bytes > variable.bytes)) {
    fail("more initial values than '" + variable.name + "' has elements");
  }
  if (token_.is_word() && !token_.is("WARP_SZ")) return parse_initial_address(variable, offset, 0);
  if (token_.kind == Token::Kind::integer &&
      peek().is("(")) {  // 0xff00(symbol): one byte of an address
    const std::uint64_t mask = token_.value;
    advance();
    require("(");
    parse_initial_address(variable, offset, mask);
    return require(")");
  }
  const ConstantValue value = parse_constant();
  std::uint64_t bits = value.bits;
  if (variable.type == Type::f64)
    bits = std::bit_cast<std::uint64_t>(value.as_double());
  else if (variable.type == Type::f32 && value.kind == ConstantValue::Kind::single)
    bits = value.bits;
  else if (variable.type == Type::f32)
    bits = std::bit_cast<std::uint32_t>(static_cast<float>(value.as_double()));
  else if (value.kind != ConstantValue::Kind::integer)
    fail("'" + variable.name + "' needs integer values");
  store_initial(variable, offset, bits, bytes);
}

void Parser::store_initial(AstVariable& variable, std::uint64_t offset, std::uint64_t bits,
                           std::uint64_t bytes) {
  if (variable.initial.size() < offset + bytes) variable.initial.resize(offset + bytes);
  for (std::uint64_t i = 0; i < bytes && i < 8; ++i)
    variable.initial[offset + i] = static_cast<std::uint8_t>(bits >> (8 * i));
}

// symbol, symbol+4, generic(symbol)+4; with a mask: one byte of that address, which continues the
// previous relocation.
void Parser::parse_initial_address(AstVariable& variable, std::uint64_t offset,
                                   std::uint64_t mask) {
  const TextPosition at = position();
  Variable::Relocation relocation{offset, "", false,
                                  static_cast<std::uint8_t>(mask ? 1 : bytes_of(variable.type))};
  std::string_view name = read_word("a variable");
  if (name == "generic" && accept("(")) {
    relocation.generic = true;
    name = read_word("a variable");
    require(")");
  }
  const std::uint32_t local = variable_named(name);
  relocation.symbol =
      local == kNoIndex ? std::string(name) : scoped_name(unit_.variables[local], local);
  std::uint64_t addend = 0;
  if (token_.is("+") || token_.is("-")) addend = parse_unary().bits;
  if (const auto function = unit_.function_names.find(relocation.symbol);
      function != unit_.function_names.end()) {
    unit_.pointed.insert(function->second);
  } else {
    const auto symbol = unit_.variable_names.find(relocation.symbol);
    if (symbol == unit_.variable_names.end())
      fail_at(at, "'" + relocation.symbol.substr(0, 80) + "' is not declared");
    const Space space = unit_.variables[symbol->second].space;
    if (space != Space::global && space != Space::constant)
      fail_at(at, "only addresses of global and constant variables can be stored");
  }
  if (mask == 0) {
    if (relocation.bytes != 8 && relocation.bytes != 4)
      fail_at(at, "an address needs 4 or 8 bytes");
    store_initial(variable, offset, addend, relocation.bytes);
    variable.relocations.push_back(std::move(relocation));
    return;
  }
  const auto byte = static_cast<std::uint64_t>(std::countr_zero(mask) / 8);
  if (bytes_of(variable.type) != 1 || mask != std::uint64_t{0xff} << (8 * byte))
    fail_at(at, "unsupported mask of an address");
  store_initial(variable, offset, addend >> (8 * byte), 1);
  if (byte == 0) return variable.relocations.push_back(std::move(relocation));
  if (variable.relocations.empty() || variable.relocations.back().symbol != relocation.symbol ||
      variable.relocations.back().bytes != byte ||
      variable.relocations.back().offset + byte != offset) {
    fail_at(at, "the bytes of an address must follow each other");
  }
  ++variable.relocations.back().bytes;
}

}  // namespace heddle::ptx
