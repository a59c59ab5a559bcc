// A row of the encoding tables, read: which bits are which field.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sass/encoding/row.h"
#include "sass/instruction.h"
#include "sass/word.h"

namespace heddle::sass {

inline constexpr int kNoBit = -1;
inline constexpr int kMnemonic = -1;

struct ModifierForm {
  ModifierKind kind = ModifierKind::flag;
  std::string name;  // of a flag
  BitField field;
  bool inverted = false;    // a flag that is set when its bit is 0
  int operand = kMnemonic;  // index of the operand that it belongs to
};

enum class ImmediateType : std::uint8_t { i32, u32, f32, f64, f16, h2, b2 };

struct OperandForm {
  OperandKind kind = OperandKind::text;
  bool written = false;   // a destination
  bool optional = false;  // left out of the listing when it is PT, RZ or 0
  bool hidden = false;    // left out of the listing
  bool after_blank = false;
  bool signed_value = false;  // immediate, offset
  std::uint8_t registers = 1;
  ImmediateType type = ImmediateType::i32;
  BitField field;  // number of the register, bits of the immediate or label
  int negate_bit = kNoBit;
  int absolute_bit = kNoBit;
  int invert_bit = kNoBit;  // also set: a complement when the flag X is set, otherwise a sign
  int reuse_bit = kNoBit;
  BitField bank, offset, uniform, descriptor;
  std::uint8_t descriptor_ahead = 0;  // the descriptor is that many registers after its field
  std::uint8_t offset_scale = 1;
  std::string text;  // a fixed word; what follows a memory's base register; gdesc[
};

struct EncodingForm {
  struct Condition {
    BitField field;
    std::uint64_t value = 0;
    bool power_of_two = false;
  };

  Opcode opcode{};
  std::string name;
  std::uint16_t code = 0;  // bit 91 and bits 11:0
  int first_architecture = 0;
  int last_architecture = 0;
  bool uniform_guard = false;
  std::vector<ModifierForm> modifiers;
  std::vector<OperandForm> operands;
  std::vector<Condition> conditions;
  InstructionWord covered;  // the bits that a column or the common fields name
};

// RZ as the base of this address is a register as any other: it is written, and the offset is
// signed. Otherwise the address has no base.
bool keeps_zero(const EncodingForm& form, const OperandForm& operand);

// The forms of a row, one for each opcode. A mistake in a row is a violated invariant.
std::vector<EncodingForm> forms_of(const Row& row);

}  // namespace heddle::sass
