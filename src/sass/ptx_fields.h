// Memory instructions in the terms of PTX.
#pragma once

#include "sass/kernel.h"

namespace heddle::sass {

// Sets opcode, type and operation where an instruction of PTX accesses memory in the same way.
void set_ptx_fields(KernelInstruction& instruction);

}  // namespace heddle::sass
