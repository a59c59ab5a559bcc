// The figures of a program of a sampled co-run, estimated from its launches.
#pragma once

#include <vector>

#include <nlohmann/json.hpp>

#include "config/gpu_spec.h"
#include "lab/sample/waves.h"

namespace heddle::lab {

struct CorunEstimate {
  nlohmann::ordered_json totals;   // of all repetitions
  nlohmann::ordered_json kernels;  // of the first one, as if all their waves had been timed
  Uncertainty cycles;              // of all repetitions: of what was not timed
  // Of all launches, as a sample of more repetitions: how far launches that are alike differ.
  Uncertainty repetitions;
};
// measured: of the program, as its process wrote it (cuda/capture/corun.h).
CorunEstimate estimate_corun(const nlohmann::ordered_json& measured, const config::GpuSpec& gpu);

}  // namespace heddle::lab
