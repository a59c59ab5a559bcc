// A launch's arguments, laid out as the kernel reads them.
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/kernel.h"

namespace heddle::cuda {

// arguments[i] points at the value of the i-th parameter. A kernel without parameters may be given none.
std::vector<std::uint8_t> pack_parameters(const ptx::Kernel& kernel, const void* const* arguments);

}  // namespace heddle::cuda
