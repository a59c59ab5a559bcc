// An instruction as text, as NVIDIA's disassembler writes it.
#pragma once

#include <string>

#include "sass/instruction.h"

namespace heddle::sass {

// "@!P0 LDG.E R0, [R2.64+0x10]"
std::string instruction_text(const Instruction& instruction);
// "B--:R-:W0:-:S04": the counters waited for, the read and the write counter, yield, stall cycles,
// in the notation of CuAssembler.
std::string control_text(const Control& control);

}  // namespace heddle::sass
