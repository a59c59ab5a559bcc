// A decoded instruction: what it is, its modifiers, its operands and its control word. It is a
// plain value; `form` is the row of the encoding tables that it was decoded with.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "isa/control_word.h"
#include "sass/modifiers.h"
#include "sass/word.h"

namespace heddle::sass {

struct EncodingForm;  // encoding/form.h

enum class Opcode : std::uint16_t {
#define HEDDLE_SASS_OPCODE(NAME) NAME,
#include "sass/opcodes.inc"
#undef HEDDLE_SASS_OPCODE
};
std::string_view opcode_name(Opcode opcode);
std::optional<Opcode> opcode_of(std::string_view name);

inline constexpr int kRegisters = 254, kUniformRegisters = 63;  // R254 does not exist
inline constexpr std::uint8_t kZeroRegister = 255;              // RZ
inline constexpr std::uint8_t kZeroUniformRegister = 63;        // URZ
inline constexpr std::uint8_t kTruePredicate = 7;               // PT, UPT

enum class OperandKind : std::uint8_t {
  reg,                // R0 to R253, RZ
  uniform,            // UR0 to UR62, URZ
  predicate,          // P0 to P6, PT
  uniform_predicate,  // UP0 to UP6, UPT
  barrier,            // B0 to B15, convergence barriers
  scoreboard,         // SB0 to SB5
  scoreboards,        // a set of them, {5,0}: bit n of the index is SBn
  special,            // SR_TID.X
  immediate,
  constant,  // c[bank][register + offset]
  memory,    // [register + uniform register + offset], desc[uniform register][...]
  label,     // the address of an instruction
  shape,     // of a texture: 1D, ARRAY_2D
  text       // a fixed word of the listing, as PR
};

struct Operand {
  OperandKind kind = OperandKind::text;
  std::uint8_t index = kZeroRegister;           // number of the register; base of memory, constant
  std::uint8_t uniform = kZeroUniformRegister;  // memory: the uniform register that is added
  std::uint8_t descriptor = kZeroUniformRegister;  // memory: the uniform register in desc[]
  std::uint8_t bank = 0;                           // constant
  bool negated = false;                            // -R2; !P2
  bool absolute = false;                           // |R2|
  bool inverted = false;                           // ~R2
  bool reuse = false;                              // the register stays in the reuse cache
  std::int64_t value = 0;  // immediate (its bits), offset in bytes, or address of a label
};

using Control = isa::ControlWord;  // its reuse bits and thresholds are operands here

struct Guard {
  bool uniform = false;
  std::uint8_t predicate = kTruePredicate;
  bool negated = false;
};

struct Instruction {
  static constexpr std::size_t kMostModifiers = 12;
  static constexpr std::size_t kMostOperands = 10;

  const EncodingForm* form = nullptr;
  Opcode opcode{};
  Guard guard;
  Control control;
  std::array<std::uint8_t, kMostModifiers> modifiers{};  // parallel to form->modifiers
  std::array<Operand, kMostOperands> operands{};         // parallel to form->operands
};

// The first modifier of this kind; nothing when the form has none.
std::optional<std::uint8_t> modifier_value(const Instruction& instruction, ModifierKind kind);
template <class Modifier>
std::optional<Modifier> modifier_of(const Instruction& instruction) {
  const auto value = modifier_value(instruction, kKindOf<Modifier>);
  return value ? std::optional(static_cast<Modifier>(*value)) : std::nullopt;
}
// Whether the uniform datapath executes it: its name begins with U.
inline bool is_uniform(const Instruction& instruction) {
  return opcode_name(instruction.opcode).starts_with('U');
}
// Whether the single-bit modifier is set: has_flag(instruction, "X").
bool has_flag(const Instruction& instruction, std::string_view name);

}  // namespace heddle::sass
