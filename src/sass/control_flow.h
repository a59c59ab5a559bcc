// The control-flow graph of machine code: its loops, and where branches reconverge.
#pragma once

#include <cstdint>
#include <vector>

#include "sass/kernel.h"

namespace heddle::sass {

// Sets the loops of the kernel, and loop and reconvergence of its instructions. A call is a branch
// to its callee that also continues. indirect_branches: the attribute of .nv.info.
void mark_control_flow(Kernel& kernel, const std::vector<std::uint32_t>& indirect_branches);

}  // namespace heddle::sass
