#include "sass/decode.h"

#include <bit>
#include <optional>

#include <fmt/format.h>

#include "sass/encoding/form.h"
#include "sass/encoding/table.h"
#include "sass/special_registers.h"

namespace heddle::sass {
namespace {

constexpr int kHighestScoreboard = 5;

std::uint16_t code_of(const InstructionWord& word) {
  return static_cast<std::uint16_t>(word.bits(91, 91) << 12 | word.bits(11, 0));
}

bool fits(const EncodingForm& form, const InstructionWord& word) {
  for (const EncodingForm::Condition& condition : form.conditions) {
    const std::uint64_t value = condition.field.of(word);
    if (condition.power_of_two ? !std::has_single_bit(value) : value != condition.value)
      return false;
  }
  return true;
}

// The first bit that is set although the form does not name it.
std::optional<int> unnamed_bit(const EncodingForm& form, const InstructionWord& word) {
  const InstructionWord rest{word.low & ~form.covered.low, word.high & ~form.covered.high};
  if (rest.low != 0) return std::countr_zero(rest.low);
  if (rest.high != 0) return 64 + std::countr_zero(rest.high);
  return std::nullopt;
}

Control control_of(const InstructionWord& word) {
  Control control;
  control.stall_cycles = static_cast<std::uint8_t>(word.bits(108, 105));
  control.yield = !word.bit(109);
  control.write_barrier = static_cast<std::uint8_t>(word.bits(112, 110));
  control.read_barrier = static_cast<std::uint8_t>(word.bits(115, 113));
  control.wait_mask = static_cast<std::uint8_t>(word.bits(121, 116));
  return control;
}

Guard guard_of(const EncodingForm& form, const InstructionWord& word) {
  return {form.uniform_guard, static_cast<std::uint8_t>(word.bits(14, 12)), word.bit(15)};
}

bool read_bit(const InstructionWord& word, int bit) { return bit != kNoBit && word.bit(bit); }

// The reuse bits of the control word count only where the warp may go on issuing: another warp's
// reads would replace the register.
bool reuses(const OperandForm& form, const InstructionWord& word) {
  constexpr int kMayGoOn = 109, kFirstReuse = 122;
  return read_bit(word, form.reuse_bit) && (form.reuse_bit < kFirstReuse || word.bit(kMayGoOn));
}

std::int64_t number_of(const BitField& field, const InstructionWord& word, bool is_signed) {
  const std::uint64_t value = field.of(word);
  return is_signed ? sign_extended(value, field.width()) : static_cast<std::int64_t>(value);
}

// Without a base register the offset is an address, unless a uniform register is added. Those of
// matrices in shared memory are signed from sm_80 on.
bool has_signed_offset(const EncodingForm& all, const OperandForm& form, const Operand& operand) {
  if (!form.signed_value) return false;
  if (form.kind == OperandKind::constant || operand.index != kZeroRegister) return true;
  if (all.opcode == Opcode::LDSM || all.opcode == Opcode::STSM) return all.first_architecture >= 80;
  return form.uniform.count > 0 || keeps_zero(all, form);
}

// What is wrong with an operand; nullptr when nothing is.
const char* read_operand(const EncodingForm& all, const OperandForm& form,
                         const InstructionWord& word, bool complements, std::uint64_t address,
                         Operand& operand) {
  operand.kind = form.kind;
  operand.negated = read_bit(word, form.negate_bit);
  operand.absolute = read_bit(word, form.absolute_bit);
  operand.reuse = reuses(form, word);
  if (form.invert_bit != kNoBit && (complements || form.negate_bit == kNoBit)) {
    operand.inverted = word.bit(form.invert_bit);
    operand.negated = false;
  }
  switch (form.kind) {
    case OperandKind::immediate:
      operand.value = number_of(form.field, word, form.signed_value) * form.offset_scale;
      return nullptr;
    case OperandKind::label:
      operand.value = static_cast<std::int64_t>(address + kInstructionBytes) +
                      number_of(form.field, word, true) * form.offset_scale;
      return nullptr;
    case OperandKind::constant:
      operand.bank = static_cast<std::uint8_t>(form.bank.of(word));
      [[fallthrough]];
    case OperandKind::memory:
      if (form.field.count > 0) operand.index = static_cast<std::uint8_t>(form.field.of(word));
      if (form.uniform.count > 0)
        operand.uniform = static_cast<std::uint8_t>(form.uniform.of(word));
      if (form.descriptor.count > 0)
        operand.descriptor =
            static_cast<std::uint8_t>(form.descriptor.of(word) + form.descriptor_ahead);
      if (form.offset.count > 0)
        operand.value =
            number_of(form.offset, word, has_signed_offset(all, form, operand)) * form.offset_scale;
      return operand.index == kRegisters ? "register R254" : nullptr;
    case OperandKind::text: return nullptr;
    default: operand.index = static_cast<std::uint8_t>(form.field.of(word)); break;
  }
  if (form.kind == OperandKind::reg && operand.index == kRegisters) return "register R254";
  const bool has_faces = operand.index == 3 || operand.index == 7;
  if (form.kind == OperandKind::shape && (operand.index == 6 || (form.signed_value && has_faces)))
    return "a shape that it cannot load from";
  if (form.kind == OperandKind::scoreboard && operand.index > kHighestScoreboard)
    return "a dependence counter that does not exist";
  return nullptr;
}

// RZ where the instruction has no form without a register: coordinates of surfaces, atomics with a
// result from sm_80 to sm_89, and on sm_90 a base of 64 bits beside a uniform register.
bool lacks_base(const EncodingForm& all, const OperandForm& form, const Operand& operand,
                int architecture) {
  if (form.kind != OperandKind::memory || form.field.count == 0) return false;
  if (operand.index != kZeroRegister) return false;
  switch (all.opcode) {
    case Opcode::SULD:
    case Opcode::SUST:
    case Opcode::SURED: return true;
    case Opcode::STAS:
    case Opcode::REDAS: return form.text == ".64";
    case Opcode::ATOM:
    case Opcode::ATOMG:
      if (architecture < 90) return keeps_zero(all, form);
      [[fallthrough]];
    default: return architecture >= 90 && form.text == ".64" && !keeps_zero(all, form);
  }
}

std::variant<Instruction, NotDecoded> decode_as(const EncodingForm& form,
                                                const InstructionWord& word, int architecture,
                                                std::uint64_t address) {
  Instruction instruction;
  instruction.form = &form;
  instruction.opcode = form.opcode;
  instruction.guard = guard_of(form, word);
  instruction.control = control_of(word);
  bool complements = false;
  for (std::size_t i = 0; i < form.modifiers.size(); ++i) {
    const ModifierForm& modifier = form.modifiers[i];
    std::uint64_t value = modifier.field.of(word);
    if (modifier.inverted) value ^= 1;
    if (modifier.kind == ModifierKind::flag)
      complements = complements || (value != 0 && modifier.name == "X");
    else if (!modifier_name(modifier.kind, value).known)
      return NotDecoded{fmt::format("{} with modifier value {} in bit {}", form.name, value,
                                    modifier.field.ranges[0].first)};
    instruction.modifiers[i] = static_cast<std::uint8_t>(value);
  }
  for (std::size_t i = 0; i < form.operands.size(); ++i) {
    if (const char* problem = read_operand(form, form.operands[i], word, complements, address,
                                           instruction.operands[i]))
      return NotDecoded{fmt::format("{} with {}", form.name, problem)};
    if (lacks_base(form, form.operands[i], instruction.operands[i], architecture))
      return NotDecoded{fmt::format("{} without a register in its address", form.name)};
  }
  for (const Operand& operand : instruction.operands) {
    if (operand.kind == OperandKind::special && !has_special_register(architecture, operand.index))
      return NotDecoded{fmt::format("{} with special register {}", form.name, operand.index)};
  }
  return instruction;
}

}  // namespace

std::variant<Instruction, NotDecoded> decode(const InstructionWord& word, int architecture,
                                             std::uint64_t address) {
  const std::uint16_t code = code_of(word);
  NotDecoded refusal{fmt::format("opcode {:#x} of sm_{}", code, architecture)};
  for (const EncodingForm* form : forms_with_code(architecture, code)) {
    if (!fits(*form, word)) {
      refusal.reason = fmt::format("{} with fields that have no meaning together", form->name);
      continue;
    }
    const auto bit = unnamed_bit(*form, word);
    if (!bit) return decode_as(*form, word, architecture, address);
    refusal.reason = fmt::format("{} with bit {} set", form->name, *bit);
  }
  return refusal;
}

}  // namespace heddle::sass
