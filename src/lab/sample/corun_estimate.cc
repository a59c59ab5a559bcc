#include "lab/sample/corun_estimate.h"

#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "gpu/launch_totals.h"
#include "gpu/results_json.h"
#include "lab/sample/plan.h"

namespace heddle::lab {

using nlohmann::ordered_json;

// CTAs of a launch are left out only while the program runs no other one, so that a launch after it
// starts later by what was left out.
CorunEstimate estimate_corun(const ordered_json& measured, const config::GpuSpec& gpu) {
  CorunEstimate estimate;
  gpu::LaunchTotals sum;
  std::map<std::pair<std::string, std::string>, Uncertainty> alike;  // by kernel and shape
  double guessed = 0;
  const auto add = [&](const ordered_json& launch) {
    WholeLaunch whole = with_all_waves(launch);
    whole.launch["start_cycle"] = launch.at("start_cycle").get<std::uint64_t>() +
                                  static_cast<std::uint64_t>(std::llround(guessed));
    guessed += whole.counters[0].guessed();
    const LaunchFacts facts = LaunchFacts::of(launch);
    alike[{facts.kernel, facts.shape}].add_alike(whole.counters[0], 1);
    sum.add(gpu::kernel_from_json(whole.launch));
    return std::move(whole.launch);
  };
  estimate.kernels = ordered_json::array();
  for (const ordered_json& launch : measured.at("kernels")) estimate.kernels.push_back(add(launch));
  for (const ordered_json& launch : measured.at("repeated")) add(launch);
  for (const auto& [launch, cycles] : alike) estimate.cycles.add(cycles, 1);
  estimate.totals = sum.json(gpu);
  estimate.totals["simulated"] = measured.at("totals").at("simulated");
  return estimate;
}

}  // namespace heddle::lab
