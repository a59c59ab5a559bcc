// A launch's arguments, packed into the block of bytes that the kernel reads.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/kernel.h"

namespace heddle::cuda {

// arguments[i] points to the value of the i-th parameter. May be null for a kernel without
// parameters.
std::vector<std::uint8_t> pack_parameters(const isa::Kernel& kernel, const void* const* arguments);

// The block from `arguments`; if that is null, from `extra`, which contains pairs of
// CU_LAUNCH_PARAM_... and a value. False when a kernel with parameters gets neither.
bool gather_parameters(const isa::Kernel& kernel, void** arguments, void** extra,
                       std::vector<std::uint8_t>& block);

}  // namespace heddle::cuda
