#include "config/fitting_preset.h"

#include <limits>

#include "config/config.h"

namespace heddle::config {

std::string fitting_preset(const std::function<bool(const GpuSpec&)>& fits) {
  constexpr std::uint32_t kMajor = 10;
  std::string best;
  std::uint32_t lowest = std::numeric_limits<std::uint32_t>::max();
  for (const std::string& name : preset_names()) {  // in alphabetical order
    const GpuSpec gpu = load_gpu(name);
    const std::uint32_t capability = gpu.compute_major * kMajor + gpu.compute_minor;
    if (capability >= lowest || !fits(gpu)) continue;
    lowest = capability;
    best = name;
  }
  return best;
}

}  // namespace heddle::config
