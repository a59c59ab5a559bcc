// What the modifiers of an instruction name mean: "mad.lo.s32" has the modifiers "lo" and "s32".
#pragma once

#include <string_view>
#include <vector>

#include "ptx/forms/forms.h"

namespace heddle::ptx {

using Modifiers = std::vector<std::string_view>;

// Sets the fields of an instruction whose opcode and payload type are known.
void apply_modifiers(Instruction& instruction, std::string_view mnemonic,
                     const Modifiers& modifiers);

// Families with a file of their own.
bool apply_mbarrier_modifier(Mbarrier& mbarrier, std::string_view modifier);  // false: not one
void apply_matrix_modifiers(Instruction& instruction, const Modifiers& modifiers);
void apply_warpgroup_modifiers(Instruction& instruction, const Modifiers& modifiers);
OperandShape accumulator_or_a_shape(char letter, const Instruction& instruction);  // of wgmma
// The registers that a fragment {d}, {a}, {b}, {c} of the instruction has.
OperandShape fragment_shape(char letter, const Instruction& instruction);

// The unit that executes the instruction, as GPGPU-Sim's PTX mode classifies it.
OpClass class_of(const Instruction& instruction);

}  // namespace heddle::ptx
