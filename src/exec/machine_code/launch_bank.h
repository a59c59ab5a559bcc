// Constant bank 0 of a launch: what the driver writes there.
#pragma once

#include <cstdint>
#include <vector>

#include "exec/state/machine.h"

namespace heddle::exec {

std::vector<std::uint8_t> launch_bank(const Machine& machine);

}  // namespace heddle::exec
