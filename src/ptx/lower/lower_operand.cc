#include <bit>

#include "ptx/lower/function_lowering.h"

namespace heddle::ptx {

namespace {
using Role = OperandShape::Role;
}

void FunctionLowering::lower_operand(Instruction& out, const AstOperand& operand,
                                     const OperandShape& shape) {
  if (shape.elements > 0) return lower_fragment(out, operand, shape);
  switch (shape.role) {
    case Role::destination:
    case Role::destination_pair:
    case Role::destination_optional_pair: return lower_destination(out, operand, shape);
    case Role::constant: return lower_constant(out, operand);
    case Role::address:
      return is_copy(out.opcode) ? lower_copy_address(out, operand, shape)
                                 : lower_address(out, operand);
    case Role::tensor:
      if (!is_copy(out.opcode)) return;  // a prefetch
      out.src[CopySource::global] = reg(operand.index);
      for (std::uint32_t i = 0; i < operand.count; ++i)
        out.src[CopySource::first_coordinate + i] =
            source(function_.vector_pool[static_cast<std::size_t>(operand.value) + i], Type::b32);
      return;
    case Role::texel:
    case Role::handle: return lower_texel(out, operand);
    case Role::gradient: return lower_axes(out, operand, Type::f32);
    case Role::offsets:
      if (operand.kind == AstOperand::Kind::none) return;
      out.as<TextureFetch>().has_offsets = true;
      return lower_axes(out, operand, Type::s32);
    case Role::pixel_offsets:
      if (!is_copy(out.opcode)) return;  // a prefetch
      for (std::uint32_t i = 0; i < operand.count; ++i)
        out.src[CopySource::first_offset + i] =
            source(function_.vector_pool[operand.index + i], Type::b16);
      return;
    case Role::predicate:
    case Role::source:
      check_invariant(src_ < out.src.size(), "an instruction has too many operands");
      return lower_source(out, operand, shape);
    case Role::label:
    case Role::call:
    case Role::table:
    case Role::hint: return;
  }
}

void FunctionLowering::lower_destination(Instruction& out, const AstOperand& operand,
                                         const OperandShape& shape) {
  if (operand.kind == AstOperand::Kind::vector) {
    if (shape.pack) out.vector = operand.count;
    for (std::uint32_t i = 0; i < operand.count; ++i) {
      const AstOperand& part = function_.vector_pool[operand.index + i];
      if (part.kind == AstOperand::Kind::reg) out.dst[i] = reg(part.index);
    }
  } else if (operand.kind == AstOperand::Kind::reg) {
    out.dst[0] = reg(operand.index);
    if (is_wide(operand)) out.dst[1] = reg(operand.index + 1);
  }
}

void FunctionLowering::lower_source(Instruction& out, const AstOperand& operand,
                                    const OperandShape& shape) {
  if (operand.kind == AstOperand::Kind::symbol && in_frame(operand.index)) {
    out.opcode = Opcode::local_address;
    out.address_offset =
        static_cast<std::int64_t>(address_of(operand.index, operand.at)) + operand.value;
    out.src[src_++] = local_frame();
    return;
  }
  if (operand.kind == AstOperand::Kind::vector) {
    OperandShape element = shape;
    if (shape.pack) {
      out.vector = operand.count;
      const std::uint32_t part = bytes_of(shape.type) / operand.count;
      element.type = part == 8 ? Type::b64 : part == 4 ? Type::b32 : Type::b16;
    }
    for (std::uint32_t i = 0; i < operand.count; ++i)
      out.src[src_++] = source(function_.vector_pool[operand.index + i], element.type);
    return;
  }
  if (operand.kind == AstOperand::Kind::special &&
      is_dynamic(static_cast<SpecialRegister>(operand.index))) {
    out.opcode = Opcode::read_special;
    out.special = static_cast<SpecialRegister>(operand.index);
    return;
  }
  if (operand.kind == AstOperand::Kind::none)
    ++src_;
  else
    out.src[src_++] = source(operand, shape.type);
  if (is_wide(operand)) out.src[src_++] = reg(operand.index + 1);
}

void FunctionLowering::lower_address(Instruction& out, const AstOperand& operand) {
  out.address_offset = operand.value;
  if (operand.index != kNoIndex) out.src[src_] = reg(operand.index);
  ++src_;
  if (operand.symbol != kNoIndex) {
    out.address_offset += static_cast<std::int64_t>(address_of(operand.symbol, operand.at));
    const Space space = unit_.variables[operand.symbol].space;
    if (in_frame(operand.symbol)) out.src[0] = local_frame();
    // A generic address by name is one of the variable's state space.
    const bool is_window = space == Space::shared || space == Space::local;
    // An array of arguments that are passed by their address has become local.
    const bool is_argument = out.space == Space::param && space == Space::local;
    if (space == Space::frame || is_argument || (out.space == Space::generic && is_window))
      out.space = space;
  } else if (out.space == Space::param && !function_.is_entry) {
    out.space = Space::frame;
  }
  if (out.space == Space::param && out.opcode == Opcode::st)
    fail(operand.at, "a kernel's parameters cannot be written");
  if (out.space == Space::frame) out.op_class = OpClass::alu;
}

Operand FunctionLowering::reg(std::uint32_t index) const {
  const Type type = function_.registers[index].type;
  Operand operand;
  operand.kind = type == Type::pred ? Operand::Kind::pred : Operand::Kind::reg;
  operand.bytes = type == Type::pred ? 0 : bytes_of(type) >= 8 ? 8 : 4;
  operand.reg = static_cast<std::uint16_t>(first_register_ + index);
  return operand;
}

Operand FunctionLowering::source(const AstOperand& operand, Type type) {
  const std::uint8_t bytes = bytes_of(type) == 8 ? 8 : 4;
  const auto value = static_cast<std::uint64_t>(operand.value);
  switch (operand.kind) {
    case AstOperand::Kind::reg: {
      Operand out = reg(operand.index);
      out.negated = operand.negated;
      return out;
    }
    case AstOperand::Kind::special:
      if (static_cast<SpecialRegister>(operand.index) == SpecialRegister::reserved_shared) {
        const bool size = operand.value == kReservedSharedSize;
        return constant(size ? kReservedSharedBytes : builder_.layout.reserved_shared + value,
                        bytes, operand.at);
      }
      return preset(operand, bytes);
    case AstOperand::Kind::function: return constant(function_address(operand), 8, operand.at);
    case AstOperand::Kind::symbol:
      return constant(address_of(operand.index, operand.at) + value, bytes, operand.at);
    case AstOperand::Kind::integer:
      return constant(type == Type::pred ? (value ? ~std::uint64_t{0} : 0) : value, bytes,
                      operand.at);
    case AstOperand::Kind::single: return constant(value, bytes, operand.at);
    case AstOperand::Kind::floating:
      if (bytes == 8) return constant(value, 8, operand.at);
      return constant(
          std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(value))), 4,
          operand.at);
    default: return {};
  }
}

Operand FunctionLowering::constant(std::uint64_t bits, std::uint8_t bytes, TextPosition at) {
  if (bytes == 4) bits &= 0xffffffffu;
  auto& words = builder_.kernel.constants;
  const auto [place, added] = builder_.constant_rows.try_emplace(
      {bits, bytes}, static_cast<std::uint16_t>(words.size() / kWarpSize));
  if (added) {
    if (words.size() / kWarpSize > 0xfff0) fail(at, "too many different constants in one kernel");
    for (int lane = 0; lane < kWarpSize; ++lane) {
      words.push_back(static_cast<std::uint32_t>(bits));
      if (bytes == 8) words.push_back(static_cast<std::uint32_t>(bits >> 32));
    }
  }
  Operand operand;
  operand.kind = Operand::Kind::constant;
  operand.bytes = bytes;
  operand.row = place->second;
  return operand;
}

std::uint64_t FunctionLowering::function_address(const AstOperand& operand) const {
  const FunctionRef function = find_definition(builder_.ast, ref_.unit, operand.index);
  if (function.unit == kNoIndex)
    fail(operand.at, "the function '" + unit_.functions[operand.index].name +
                         "' is not defined: it has no address");
  return address_of_function(builder_.ast, function);
}

Operand FunctionLowering::local_frame() {
  AstOperand special;
  special.kind = AstOperand::Kind::special;
  special.index = static_cast<std::uint32_t>(SpecialRegister::local_frame);
  return preset(special, 4);
}

Operand FunctionLowering::preset(const AstOperand& operand, std::uint8_t bytes) {
  auto& presets = builder_.kernel.preset_registers;
  const auto number = static_cast<std::uint32_t>(operand.value);
  const auto [place, added] = builder_.preset_index.try_emplace(
      {operand.index * 64 + number, bytes}, static_cast<std::uint32_t>(presets.size()));
  if (added) {
    std::uint16_t row = 0;
    if (!presets.empty())
      row = static_cast<std::uint16_t>(presets.back().row + presets.back().bytes / 4);
    presets.push_back({static_cast<SpecialRegister>(operand.index), row, number, bytes});
  }
  Operand out;
  out.kind = Operand::Kind::reg;
  out.bytes = bytes;
  out.row = presets[place->second].row;
  return out;
}

std::uint64_t FunctionLowering::address_of(std::uint32_t index, TextPosition at) const {
  const AstVariable& variable = unit_.variables[index];
  if (is_placed(variable.space)) {
    const auto found = builder_.addresses.find(variable.linked_name);
    if (found == builder_.addresses.end())
      fail(at, "the variable '" + variable.name + "' is not defined");
    return found->second.value;
  }
  const auto found = builder_.layout.offsets.find({ref_.unit, index});
  if (found == builder_.layout.offsets.end())
    fail(at, "the variable '" + variable.name + "' is not defined");
  return found->second;
}

}  // namespace heddle::ptx
