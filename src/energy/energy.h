// Energy as coefficients times counters: every share can be worked out by hand from the statistics
// beside it and the [energy] section of the GPU. It follows the run and never influences it.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "config/gpu_spec.h"
#include "gpu/kernel_result.h"

namespace heddle::energy {

// One consumer: what it took, and of which counters that is made.
struct Share {
  std::string_view name;  // "dram_read"
  std::string_view meaning;
  double nanojoules = 0;
};

// All consumers in a fixed order, static power last. The result may be one kernel's or the sum of
// several.
std::vector<Share> shares(const config::GpuSpec& gpu, const gpu::KernelResult& result);
double total(const std::vector<Share>& shares);  // nanojoules

}  // namespace heddle::energy
