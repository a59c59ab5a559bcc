#include <utility>

#include "ptx/syntax/parser.h"

namespace heddle::ptx {

namespace {
using Role = OperandShape::Role;

std::string quoted(std::string_view name) { return "'" + std::string(name.substr(0, 80)) + "'"; }

bool has_generic_address(Space s) {
  return s == Space::global || s == Space::constant || s == Space::shared || s == Space::local;
}

// Of cp.async.bulk.tensor.4d.
std::uint32_t tensor_dimensions(std::string_view name) {
  return static_cast<std::uint32_t>(name[name.find("d.", name.find(".tensor")) - 1] - '0');
}

std::uint32_t special_bytes(std::uint32_t index) {
  const auto special = static_cast<SpecialRegister>(index);
  return special == SpecialRegister::clock64 || special == SpecialRegister::globaltimer ||
                 special == SpecialRegister::current_graph
             ? 8
             : 4;
}
}  // namespace

// Matches the operands with the form's shapes and checks each. Afterwards there is one operand for
// each shape: an absent one is Kind::none, and the second operand of a pair follows the first.
void Parser::check_operands(AstInstruction& instruction, const InstructionForm& form,
                            std::string_view name) {
  auto& operands = function().operands;
  std::vector<AstOperand> given(operands.begin() + instruction.first_operand, operands.end());
  operands.resize(instruction.first_operand);
  std::size_t next = 0;
  const auto counts_elements = [](const AstOperand& o) {
    return o.kind == AstOperand::Kind::vector || o.kind == AstOperand::Kind::texel;
  };
  const bool has_pair = given.size() > 1 && given[1].count == 1 && !counts_elements(given[1]);
  std::size_t missing = form.operands.size() + (has_pair ? 1 : 0);
  if (given.size() > missing) fail_at(instruction.at, "too many operands for " + quoted(name));
  missing -= given.size();
  for (const OperandShape& shape : form.operands) {
    if (shape.role == Role::table) continue;
    if (shape.optional && missing > 0) {
      --missing;
      operands.emplace_back();
      continue;
    }
    if (next == given.size()) fail_at(instruction.at, "too few operands for " + quoted(name));
    AstOperand operand = given[next++];
    const bool pair_allowed =
        shape.role == Role::destination_pair || shape.role == Role::destination_optional_pair;
    check_operand(operand, shape, form, name);
    operands.push_back(operand);
    if (!pair_allowed) {
      if (has_pair && next == 1) fail_at(given[1].at, quoted(name) + " has one destination");
      continue;
    }
    AstOperand second;
    if (has_pair) {
      second = given[next++];
      second.count = 0;
      if (second.kind != AstOperand::Kind::sink) check_register(second, Type::pred, false, name);
    }
    operands.push_back(second);
  }
  if (next != given.size()) fail_at(instruction.at, "too many operands for " + quoted(name));
  instruction.operand_count =
      static_cast<std::uint8_t>(operands.size() - instruction.first_operand);
}

bool Parser::is_float_register(const AstOperand& operand) {
  return operand.kind == AstOperand::Kind::single || operand.kind == AstOperand::Kind::floating ||
         (operand.kind == AstOperand::Kind::reg &&
          is_float(function().registers[operand.index].type));
}

void Parser::check_operand(AstOperand& operand, const OperandShape& shape,
                           const InstructionForm& form, std::string_view name) {
  if (operand.kind == AstOperand::Kind::vector && operand.negated)
    fail_at(operand.at, "only predicates can be negated with '!'");
  const bool is_scalar_form = (shape.vector || shape.pack) && form.prototype.vector == 1;
  if (operand.kind == AstOperand::Kind::vector && operand.count == 1 && is_scalar_form)
    operand = function().vector_pool[operand.index];  // ld.global.b32 {%r1}, as Triton writes it
  if (operand.kind == AstOperand::Kind::vector) return check_vector(operand, shape, form, name);
  if (shape.or_descriptor && operand.kind == AstOperand::Kind::reg)
    return check_register(operand, Type::b64, false, name);
  if (shape.elements > 1)
    fail_at(operand.at,
            quoted(name) + " needs " + std::to_string(shape.elements) + " registers {...} here");
  if (operand.negated && shape.role != Role::predicate && shape.type != Type::pred &&
      !shape.or_predicate)
    fail_at(operand.at, "only predicates can be negated with '!'");
  if (operand.part_unit && form.prototype.opcode != Opcode::video)
    fail_at(operand.at, quoted(name) + " does not accept parts of registers");
  switch (shape.role) {
    case Role::destination:
    case Role::destination_pair:
    case Role::destination_optional_pair:
      if (shape.vector && form.prototype.vector > 1)
        fail_at(operand.at, quoted(name) + " needs a vector {...} here");
      if (operand.negated) fail_at(operand.at, "a destination cannot be negated");
      if (operand.kind == AstOperand::Kind::sink && (shape.sink || shape.role != Role::destination))
        return;
      return check_register(operand, shape.type, shape.relaxed, name);
    case Role::predicate:
      if (operand.kind == AstOperand::Kind::integer) return;
      return check_register(operand, Type::pred, false, name);
    case Role::constant:
      if (operand.kind != AstOperand::Kind::integer)
        fail_at(operand.at, quoted(name) + " needs an integer constant here");
      return;
    case Role::address: return check_address(operand, shape, form, name);
    case Role::tensor:
    case Role::texel:
    case Role::handle: return check_texel(operand, shape, form, name);
    case Role::gradient:
      if (axes_of(form.prototype.as<TextureFetch>().geometry) > 1)
        fail_at(operand.at, quoted(name) + " needs a gradient {...} here");
      return check_scalar_source(operand, shape, name);
    case Role::offsets:
      if (axes_of(form.prototype.as<TextureFetch>().geometry) > 1 || is_float_register(operand)) {
        fail_at(operand.at, quoted(name) +
                                " needs offsets {...} here; depth comparison is not supported, "
                                "because CUDA cannot set its reference");
      }
      return check_scalar_source(operand, shape, name);
    case Role::pixel_offsets: fail_at(operand.at, quoted(name) + " needs offsets {...} here");
    case Role::hint: return check_scalar_source(operand, shape, name);
    case Role::source:
      if (shape.or_predicate && operand.kind == AstOperand::Kind::reg &&
          function().registers[operand.index].type == Type::pred)
        return;
      if (operand.negated && shape.type != Type::pred)
        fail_at(operand.at, "only predicates can be negated with '!'");
      if (shape.vector && form.prototype.vector > 1)
        fail_at(operand.at, quoted(name) + " needs a vector {...} here");
      return check_scalar_source(operand, shape, name);
    case Role::label:
    case Role::call:
    case Role::table: return;
  }
}

void Parser::check_scalar_source(const AstOperand& operand, const OperandShape& shape,
                                 std::string_view name) {
  if (shape.type == Type::b128 && operand.kind != AstOperand::Kind::reg)
    fail_at(operand.at, quoted(name) + " needs a register here");
  switch (operand.kind) {
    case AstOperand::Kind::reg: return check_register(operand, shape.type, shape.relaxed, name);
    case AstOperand::Kind::integer:
      if (shape.type == Type::pred || !is_float(shape.type)) return;
      if (bytes_of(shape.type) < 4 || shape.type == Type::f16x2 || shape.type == Type::bf16x2)
        return;  // the bits of the value
      fail_at(operand.at, quoted(name) + " needs a floating constant here");
    case AstOperand::Kind::single:
    case AstOperand::Kind::floating:
      if (shape.type == Type::f32 || shape.type == Type::f64) return;
      if (operand.kind == AstOperand::Kind::single && shape.type == Type::b32) return;
      if (operand.kind == AstOperand::Kind::floating && shape.type == Type::b64) return;
      fail_at(operand.at, quoted(name) + " cannot take a floating constant here");
    case AstOperand::Kind::special:
      if (is_dynamic(static_cast<SpecialRegister>(operand.index)) && !name.starts_with("mov.")) {
        fail_at(operand.at, "this special register can only be read with mov");
      }
      if (shape.type == Type::pred) break;
      if (static_cast<SpecialRegister>(operand.index) == SpecialRegister::gridid &&
          bytes_of(shape.type) >= 4)
        return;
      if (special_bytes(operand.index) == 8 ? bytes_of(shape.type) == 8 : bytes_of(shape.type) <= 4)
        return;
      fail_at(operand.at, "the width of this special register does not fit " + quoted(name));
    case AstOperand::Kind::function:
      if (!shape.address_of || is_float(shape.type) || bytes_of(shape.type) != 8)
        fail_at(operand.at, quoted(name) + " cannot take the address of a function");
      return;
    case AstOperand::Kind::symbol:
      if (!shape.address_of)
        fail_at(operand.at, quoted(name) + " cannot take the address of a variable");
      if (shape.type == Type::pred || is_float(shape.type) || bytes_of(shape.type) < 4) break;
      return;
    default: break;
  }
  fail_at(operand.at, "this operand does not fit " + quoted(name));
}

void Parser::check_register(const AstOperand& operand, Type type, bool relaxed,
                            std::string_view name) {
  if (operand.kind != AstOperand::Kind::reg)
    fail_at(operand.at, quoted(name) + " needs a register here");
  const Type own = function().registers[operand.index].type;
  const std::string have = "the register's type ." + std::string(name_of(own));
  if ((own == Type::pred) != (type == Type::pred))
    fail_at(operand.at, have + " does not fit " + quoted(name));
  if (relaxed ? bytes_of(own) < bytes_of(type) : bytes_of(own) != bytes_of(type)) {
    fail_at(operand.at, have + " does not fit " + quoted(name));
  }
}

void Parser::check_vector(AstOperand& operand, const OperandShape& shape,
                          const InstructionForm& form, std::string_view name) {
  const bool destination = shape.role == Role::destination;
  if (operand.is_special && form.prototype.opcode != Opcode::mov_vector)
    fail_at(operand.at, "this special register needs a component: .x, .y or .z");
  OperandShape element = shape;
  if (shape.elements > 0) {
    if (operand.count != shape.elements)
      fail_at(operand.at,
              quoted(name) + " needs " + std::to_string(shape.elements) + " registers here");
  } else if (shape.pack) {
    if (operand.count != 2 && operand.count != 4)
      fail_at(operand.at, "mov packs two or four elements");
    const std::uint32_t bytes = bytes_of(shape.type) / operand.count;
    const Type whole = form.prototype.type;
    if (whole != Type::b16 && whole != Type::b32 && whole != Type::b64 && whole != Type::b128) {
      fail_at(operand.at, "only mov.b16, mov.b32, mov.b64 and mov.b128 pack and unpack");
    }
    if (bytes == 0) fail_at(operand.at, "too many elements for " + quoted(name));
    if (whole == Type::b128 && operand.count != 2)
      fail_at(operand.at, "mov.b128 packs two elements of 64 bits");
    element.type = bytes == 1   ? Type::b8
                   : bytes == 2 ? Type::b16
                   : bytes == 8 ? Type::b64
                                : Type::b32;
    element.relaxed = bytes == 1;
  } else if (shape.role == Role::gradient || shape.role == Role::offsets) {
    const Geometry geometry = form.prototype.as<TextureFetch>().geometry;
    const bool cube = geometry == Geometry::cube || geometry == Geometry::acube;
    if (shape.role == Role::offsets && cube)
      fail_at(operand.at, "fetches from cubes have no offsets");
    const std::uint32_t axes = axes_of(geometry);
    const std::string what =
        shape.role == Role::gradient ? " elements of a gradient here" : " offsets here";
    if (operand.count != axes && operand.count != 4)
      fail_at(operand.at, quoted(name) + " needs " + std::to_string(axes) + what);
    operand.count = static_cast<std::uint8_t>(axes);
  } else if (shape.role == Role::pixel_offsets) {
    const std::uint32_t pixels = tensor_dimensions(name) - 2;
    if (operand.count != pixels)
      fail_at(operand.at, quoted(name) + " needs " + std::to_string(pixels) + " offsets here");
  } else if (!shape.vector || form.prototype.vector == 1) {
    fail_at(operand.at, quoted(name) + " does not accept a vector here");
  } else if (operand.count != form.prototype.vector) {
    fail_at(operand.at,
            quoted(name) + " needs " + std::to_string(form.prototype.vector) + " elements here");
  }
  element.address_of = false;
  for (std::uint32_t i = 0; i < operand.count; ++i) {
    const AstOperand& part = function().vector_pool[operand.index + i];
    if (part.negated) fail_at(part.at, "only predicates can be negated with '!'");
    if (!destination)
      check_scalar_source(part, element, name);
    else if (part.kind != AstOperand::Kind::sink || shape.elements > 0)
      check_register(part, element.type, element.relaxed, name);
  }
}

void Parser::check_address(AstOperand& operand, const OperandShape& shape,
                           const InstructionForm& form, std::string_view name) {
  if (operand.is_element) {
    if (operand.kind == AstOperand::Kind::symbol)
      operand.symbol = std::exchange(operand.index, kNoIndex);
    operand.kind = AstOperand::Kind::address;
  }
  if (operand.kind != AstOperand::Kind::address)
    fail_at(operand.at, quoted(name) + " needs an address [...] here");
  const Space named = shape.space == Space::none ? form.prototype.space : shape.space;
  if (operand.index != kNoIndex) {
    const Type own = function().registers[operand.index].type;
    if (own == Type::pred || is_float(own) || bytes_of(own) < 4)
      fail_at(operand.at, "this register cannot hold an address");
    if (bytes_of(own) < 8 &&
        (named == Space::generic ||
         named == Space::global)) {  // clang's constant pointers may have 32 bits
      fail_at(operand.at, "a 32-bit address of " +
                              std::string(named == Space::generic ? "generic" : "global") +
                              " memory: only 64-bit addresses are supported");
    }
  }
  if (operand.symbol == kNoIndex) return;
  const AstVariable& variable = unit_.variables[operand.symbol];
  const bool fits = named == variable.space ||
                    (named == Space::param && variable.space == Space::frame) ||
                    (named == Space::generic && form.prototype.opcode != Opcode::prefetch &&
                     has_generic_address(variable.space)) ||
                    (named == Space::generic && variable.space == Space::global);
  if (!fits)
    fail_at(operand.at, "'" + variable.name + "' is not in the state space of " + quoted(name));
}

void Parser::check_handle(std::uint32_t symbol, std::uint32_t index, Space wanted,
                          TextPosition at) {
  if (symbol != kNoIndex) {
    const AstVariable& variable = unit_.variables[symbol];
    const std::string directive = wanted == Space::surface   ? ".surfref"
                                  : wanted == Space::sampler ? ".samplerref"
                                                             : ".texref";
    if (variable.space != wanted) fail_at(at, "'" + variable.name + "' is not a " + directive);
    return;
  }
  if (index == kNoIndex) fail_at(at, "a number is not a texture or surface");
  const Type own = function().registers[index].type;
  if (own == Type::pred || is_float(own) || bytes_of(own) != 8)
    fail_at(at, "this register cannot hold a handle");
}

void Parser::check_texel(const AstOperand& operand, const OperandShape& shape,
                         const InstructionForm& form, std::string_view name) {
  if (shape.role == Role::tensor) {
    const std::uint32_t needed = tensor_dimensions(name);
    const bool in_register = operand.index != kNoIndex && operand.symbol == kNoIndex &&
                             bytes_of(function().registers[operand.index].type) == 8;
    if (operand.kind != AstOperand::Kind::texel || operand.count != needed || !in_register ||
        operand.has_sampler)
      fail_at(operand.at, quoted(name) + " needs [tensor map, {coordinates}] here: a register of " +
                              "64 bits and " + std::to_string(needed) + " of 32 bits");
    OperandShape coordinate;
    coordinate.type = Type::s32;
    for (std::uint32_t i = 0; i < needed; ++i)
      check_scalar_source(function().vector_pool[static_cast<std::size_t>(operand.value) + i],
                          coordinate, name);
    return;
  }
  const bool bare = shape.role == Role::handle;
  if (operand.kind != (bare ? AstOperand::Kind::address : AstOperand::Kind::texel)) {
    fail_at(operand.at,
            quoted(name) + (bare ? " needs [handle] here" : " needs [handle, {coordinates}] here"));
  }
  if (bare && operand.value != 0) fail_at(operand.at, "a texture or surface cannot have an offset");
  Space wanted = name.starts_with("su") ? Space::surface : Space::texture;
  const bool asks_sampler =
      form.prototype.opcode == Opcode::txq && asks_a_sampler(form.prototype.as<TextureQuery>());
  // Under texmode_independent a sampler answers; otherwise the texture answers all queries but
  // force_unnormalized_coords.
  if (asks_sampler && unit_.independent_samplers)
    wanted = Space::sampler;
  else if (asks_sampler && name.find("force_unnormalized") != std::string_view::npos)
    fail_at(operand.at, quoted(name) + " needs .target texmode_independent");
  check_handle(operand.symbol, operand.index, wanted, operand.at);
  if (operand.has_sampler) {
    const AstOperand& sampler =
        function().vector_pool[static_cast<std::size_t>(operand.value) + operand.count];
    const bool samples =
        form.prototype.opcode == Opcode::tex || form.prototype.opcode == Opcode::tld4;
    if (!samples || !unit_.independent_samplers)
      fail_at(sampler.at, "a separate sampler needs tex or tld4 and .target texmode_independent");
    const bool named = sampler.kind == AstOperand::Kind::symbol,
               held = sampler.kind == AstOperand::Kind::reg;
    if ((!named && !held) || sampler.value != 0)
      fail_at(sampler.at, quoted(name) + " needs a .samplerref here");
    check_handle(named ? sampler.index : kNoIndex, held ? sampler.index : kNoIndex, Space::sampler,
                 sampler.at);
  }
  if (bare) return;
  const Geometry geometry = geometry_of(form.prototype);
  const std::uint32_t needed = coordinates_of(geometry);
  if (operand.count != needed && operand.count != 4) {  // old compilers always write four
    fail_at(operand.at, quoted(name) + " needs " + std::to_string(needed) +
                            (needed == 1 ? " coordinate" : " coordinates"));
  }
  OperandShape element;
  for (std::uint32_t i = 0; i < operand.count; ++i) {
    const AstOperand& part = function().vector_pool[static_cast<std::size_t>(operand.value) + i];
    const bool is_integer =
        (i == 0 && has_layers(geometry)) || form.prototype.source_type != Type::f32;
    element.type = is_integer ? Type::b32 : Type::f32;
    if (i < needed) check_scalar_source(part, element, name);
  }
}

}  // namespace heddle::ptx
