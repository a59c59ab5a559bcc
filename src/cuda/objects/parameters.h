// A launch's arguments, laid out as the kernel reads them.
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/kernel.h"

namespace heddle::cuda {

// arguments[i] points at the value of the i-th parameter. A kernel without parameters may be given
// none.
std::vector<std::uint8_t> pack_parameters(const ptx::Kernel& kernel, const void* const* arguments);

// The block from pointers to each argument, or, where there are none, from what `extra` describes:
// pairs of CU_LAUNCH_PARAM_... and a value. False when a kernel with parameters gets neither.
bool gather_parameters(const ptx::Kernel& kernel, void** arguments, void** extra,
                       std::vector<std::uint8_t>& block);

}  // namespace heddle::cuda
