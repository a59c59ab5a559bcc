// Which preset can run what another GPU cannot.
#pragma once

#include <functional>
#include <string>

#include "config/gpu_spec.h"

namespace heddle::config {

// Of the presets that fit, one of the lowest compute capability, the first by name; empty: none.
// Reads every preset.
std::string fitting_preset(const std::function<bool(const GpuSpec&)>& fits);

}  // namespace heddle::config
