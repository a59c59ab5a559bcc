// The fields of isa::Instruction that follow from opcode and operands.
#pragma once

#include "ptx/instruction.h"

namespace heddle::ptx {

// `reads` lists the registers already.
void set_timing_fields(Instruction& instruction);

}  // namespace heddle::ptx
