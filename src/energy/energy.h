// Energy as the sum of coefficients times counters. Every share can be computed by hand from the
// statistics in the same result and the [energy] section of the GPU. It does not influence the run.
#pragma once

#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "config/gpu_spec.h"
#include "gpu/kernel_result.h"

namespace heddle::energy {

// The energy of one consumer, and the counters from which it is computed.
struct Share {
  std::string_view name;  // "dram_read"
  std::string_view meaning;
  double nanojoules = 0;
};

// All consumers in a fixed order, static power last. `result` is of one kernel or the sum of
// several.
std::vector<Share> shares(const config::GpuSpec& gpu, const gpu::KernelResult& result);
double total(const std::vector<Share>& shares);  // nanojoules
// Adds "energy" to the JSON of a kernel or of totals, unless it was computed without timing.
void put_energy(nlohmann::ordered_json& into, const config::GpuSpec& gpu,
                const gpu::KernelResult& result);

}  // namespace heddle::energy
