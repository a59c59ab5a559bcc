// From a kernel of machine code to decoded instructions.
#pragma once

#include <memory>

#include "exec/state/decoded_instruction.h"
#include "sass/kernel.h"

namespace heddle::exec {

// An instruction that cannot be executed is refused when it is reached.
std::shared_ptr<const DecodedKernel> decode_machine_code(const sass::Kernel& kernel);

}  // namespace heddle::exec
