// How many CTAs of a launch an SM holds, and what limits them.
#pragma once

#include <cstdint>

#include "config/gpu_spec.h"
#include "exec/state/launch.h"

namespace heddle::sm {

// The largest number of CTAs of a launch that are resident on one SM, and the resource that limits
// it.
struct Occupancy {
  int ctas = 0;
  int warps = 0;
  const char* limiter = "";
};
Occupancy occupancy(const config::GpuSpec& spec, const exec::Launch& launch,
                    std::uint32_t registers_per_thread);
// Registers that a CTA of so many threads, padded to whole warps, occupies.
std::uint64_t registers_of_cta(std::uint64_t threads, std::uint32_t registers_per_thread);
// Registers per thread after spilling: `live`, or fewer where a CTA with `live` registers per
// thread does not fit an SM.
std::uint32_t registers_after_spilling(const config::GpuSpec& spec, const exec::Launch& launch,
                                       std::uint32_t live);

}  // namespace heddle::sm
