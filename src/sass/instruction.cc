#include "sass/instruction.h"

#include <array>

#include "sass/encoding/form.h"

namespace heddle::sass {
namespace {

constexpr std::array kOpcodeNames{
#define HEDDLE_SASS_OPCODE(NAME) std::string_view(#NAME),
#include "sass/opcodes.inc"
#undef HEDDLE_SASS_OPCODE
};

}  // namespace

std::string_view opcode_name(Opcode opcode) {
  return kOpcodeNames[static_cast<std::size_t>(opcode)];
}

std::optional<Opcode> opcode_of(std::string_view name) {
  for (std::size_t i = 0; i < kOpcodeNames.size(); ++i) {
    if (kOpcodeNames[i] == name) return static_cast<Opcode>(i);
  }
  return std::nullopt;
}

std::optional<std::uint8_t> modifier_value(const Instruction& instruction, ModifierKind kind) {
  const auto& modifiers = instruction.form->modifiers;
  for (std::size_t i = 0; i < modifiers.size(); ++i) {
    if (modifiers[i].kind == kind) return instruction.modifiers[i];
  }
  return std::nullopt;
}

bool has_flag(const Instruction& instruction, std::string_view name) {
  const auto& modifiers = instruction.form->modifiers;
  for (std::size_t i = 0; i < modifiers.size(); ++i) {
    if (modifiers[i].kind == ModifierKind::flag && modifiers[i].name == name)
      return instruction.modifiers[i] != 0;
  }
  return false;
}

}  // namespace heddle::sass
