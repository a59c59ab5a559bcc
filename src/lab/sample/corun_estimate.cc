#include "lab/sample/corun_estimate.h"

#include <cmath>
#include <cstdint>
#include <utility>

#include "gpu/launch_totals.h"
#include "gpu/results_json.h"

namespace heddle::lab {

using nlohmann::ordered_json;

// CTAs of a launch are left out only while the program runs no other one, so that a launch after it
// starts later by what was left out.
CorunEstimate estimate_corun(const ordered_json& measured, const config::GpuSpec& gpu) {
  CorunEstimate estimate;
  gpu::LaunchTotals sum;
  const auto add = [&](const ordered_json& launch) {
    WholeLaunch whole = with_all_waves(launch);
    whole.launch["start_cycle"] =
        launch.at("start_cycle").get<std::uint64_t>() +
        static_cast<std::uint64_t>(std::llround(estimate.cycles.guessed()));
    estimate.cycles.add(whole.counters[0], 1);
    sum.add(gpu::kernel_from_json(whole.launch));
    return std::move(whole.launch);
  };
  estimate.kernels = ordered_json::array();
  for (const ordered_json& launch : measured.at("kernels")) estimate.kernels.push_back(add(launch));
  for (const ordered_json& launch : measured.at("repeated")) add(launch);
  estimate.totals = sum.json(gpu);
  estimate.totals["simulated"] = measured.at("totals").at("simulated");
  return estimate;
}

}  // namespace heddle::lab
