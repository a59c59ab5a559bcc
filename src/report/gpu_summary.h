// What a GPU can do at most, computed from its parameters.
#pragma once

#include <string>

#include "config/gpu_spec.h"

namespace heddle::report {

// A table: sizes, residency limits, peak rates of issue, arithmetic, L2 and DRAM, and the hash of
// the configuration.
std::string gpu_summary(const config::GpuSpec& gpu);

}  // namespace heddle::report
