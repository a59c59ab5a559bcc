// The notation of encoding rows (row.h), split into its parts.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sass/encoding/form.h"
#include "sass/word.h"

namespace heddle::sass {

struct ModifierText {
  std::string_view name;
  BitField field;
  bool inverted = false;
};

// What the characters around the name of an operand say.
struct OperandMarks {
  bool negatable = false, absolute = false, complement = false, logical_not = false;
  bool optional = false, hidden = false, after_blank = false, quoted = false, written = false;
  bool memory = false, constant = false, in_descriptor = false;
};

struct OperandText : OperandMarks {
  std::string_view name;
  BitField field;        // of an operand at bits of its own
  int not_bit = kNoBit;  // P@BITS/NOT; also the sign of R@BITS/SIGN/ABSOLUTE/REUSE
  int absolute_bit = kNoBit;
  int reuse_bit = kNoBit;
  std::string_view type;     // f32
  std::string_view literal;  // memory: .64 after the base register; gdesc[
  std::uint8_t registers = 0;
  std::uint8_t registers_ahead = 0;  // desc[UR+1]: the register after that in the field
  std::vector<OperandText> parts;    // of memory
  std::vector<ModifierText> modifiers;
};

struct ConditionText {
  enum class Kind : std::uint8_t {
    equal,
    power_of_two,
    from_architecture,
    below_architecture,
    uniform_guard,
    no_reuse
  };
  Kind kind = Kind::equal;
  BitField field;
  std::uint64_t value = 0;
};

std::vector<ModifierText> modifier_texts(std::string_view column);
std::vector<OperandText> operand_texts(std::string_view column);
std::vector<ConditionText> condition_texts(std::string_view column);

}  // namespace heddle::sass
