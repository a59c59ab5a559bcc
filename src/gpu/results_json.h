// The results of a device as JSON: {"totals": {...}, "kernels": [...]}. Every kernel holds its
// launch, its headline figures and all statistics of the tables (heddle list stats); totals hold
// the same figures summed over all launches.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "gpu/device.h"

namespace heddle::gpu {

nlohmann::ordered_json results_json(const Device& device);
std::string results_text(const Device& device);  // the same, printed
// Figures of all launches added up; no name, grid or details.
KernelResult sum_of(const std::vector<KernelResult>& results);

}  // namespace heddle::gpu
