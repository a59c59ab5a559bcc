// What a GPU can do at most, computed from its parameters.
#pragma once

#include <string>

#include "config/gpu_spec.h"

namespace heddle::report {

// A table: sizes, residency limits, peak rates of issue, arithmetic, L2 and DRAM, and the hash of
// the configuration.
std::string gpu_summary(const config::GpuSpec& gpu);
// Why memory.partition_hash has no effect; empty when it has one, or is 0.
std::string dropped_hash(const config::GpuSpec& gpu);

}  // namespace heddle::report
