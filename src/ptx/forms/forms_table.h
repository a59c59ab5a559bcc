// The tables of accepted instruction forms, one file per family of the PTX manual's instruction set
// (PTX ISA 8.5, section 9.7). Everything that is in no table is refused.
//
// Modifiers, separated by blanks, in any order except that types keep theirs:
//   sat        must be there           lo|hi   one of several      cc?   may be left out
//   I, RND     a set: one of the modifiers that form_sets() lists
// Operands: the notation of operand_notation.h, which is that of the PTX manual.
#pragma once

#include <string_view>
#include <vector>

#include "ptx/instruction.h"

namespace heddle::ptx {

struct FormRow {
  std::string_view mnemonic;
  Opcode opcode;
  std::string_view modifiers;
  std::string_view operands;
};
struct FormSet {
  std::string_view name, members;
};

const std::vector<FormSet>& form_sets();
const std::vector<FormSet>& warpgroup_sets();  // a part of form_sets()
// All rows. The first row that fits an instruction decides.
const std::vector<FormRow>& form_rows();

// Parts of form_rows().
const std::vector<FormRow>& integer_rows();
const std::vector<FormRow>& video_rows();
const std::vector<FormRow>& float_rows();
const std::vector<FormRow>& half_rows();
const std::vector<FormRow>& data_rows();
const std::vector<FormRow>& memory_rows();
const std::vector<FormRow>& texture_rows();
const std::vector<FormRow>& matrix_rows();
const std::vector<FormRow>& warpgroup_rows();
const std::vector<FormRow>& async_rows();
const std::vector<FormRow>& control_rows();

}  // namespace heddle::ptx
