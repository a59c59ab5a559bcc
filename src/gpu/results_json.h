// The results of a device as JSON text: {"totals": {...}, "kernels": [...]}. Every kernel holds its
// launch, its headline figures and all statistics of the tables (heddle list stats); totals hold
// the same figures summed over all launches.
#pragma once

#include <string>

#include "gpu/device.h"

namespace heddle::gpu {

std::string results_json(const Device& device);
// Figures of all launches added up; no name, grid or details.
KernelResult sum_of(const std::vector<KernelResult>& results);

}  // namespace heddle::gpu
