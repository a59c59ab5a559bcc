// The results of a device as JSON text: {"totals": {...}, "kernels": [...]}. Every kernel has its
// launch parameters, its main figures and all statistics (heddle list stats); totals are sums over
// all launches.
#pragma once

#include <string>

#include "gpu/device.h"

namespace heddle::gpu {

std::string results_json(const Device& device);
// The sums of all launches; without name, grid and details.
KernelResult sum_of(const std::vector<KernelResult>& results);

}  // namespace heddle::gpu
