// The constant banks of machine code, as instructions see them.
#pragma once

#include "exec/state/machine.h"

namespace heddle::exec {

// Reads bytes at an offset of a bank. False, and zeros, when they are not all in the bank.
bool read_constant(const Machine& machine, std::uint32_t bank, std::uint64_t offset, void* to,
                   std::size_t bytes);

}  // namespace heddle::exec
