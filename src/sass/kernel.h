// Machine code of a kernel, ready to be launched.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "isa/kernel.h"
#include "sass/instruction.h"

namespace heddle::sass {

// `code` has no form when the instruction is not decoded: it is refused when it is reached.
struct KernelInstruction : isa::Instruction {
  Instruction code;
};

}  // namespace heddle::sass
