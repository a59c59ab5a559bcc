#include "lab/sample/corun_estimate.h"

#include <algorithm>
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

namespace {

// Launches of one kernel and shape.
struct Alike {
  Uncertainty omitted;
  double launches = 0, cycles = 0, squares = 0;  // sums over them
  Uncertainty of_sample() const {
    Uncertainty of;
    const double variance = launches > 1 ? (squares - cycles * cycles / launches) / (launches - 1)
                                         : 0;  // one launch says nothing of others
    of.add(cycles, launches * std::max(0.0, variance), launches - 1, 0);
    return of;
  }
};

}  // namespace

// CTAs of a launch are left out only while the program runs no other one, so that a launch after it
// starts later by what was left out.
CorunEstimate estimate_corun(const ordered_json& measured, const config::GpuSpec& gpu) {
  CorunEstimate estimate;
  gpu::LaunchTotals sum;
  std::map<std::pair<std::string, std::string>, Alike> kinds;  // by kernel and shape
  double guessed = 0;
  const auto add = [&](const ordered_json& launch) {
    WholeLaunch whole = with_all_waves(launch);
    whole.launch["start_cycle"] = launch.at("start_cycle").get<std::uint64_t>() +
                                  static_cast<std::uint64_t>(std::llround(guessed));
    guessed += whole.counters[0].guessed();
    const LaunchFacts facts = LaunchFacts::of(launch);
    Alike& alike = kinds[{facts.kernel, facts.shape}];
    const auto cycles = whole.launch.at("cycles").get<double>();
    alike.omitted.add_alike(whole.counters[0], 1);
    alike.launches += 1;
    alike.cycles += cycles;
    alike.squares += cycles * cycles;
    sum.add(gpu::kernel_from_json(whole.launch));
    return std::move(whole.launch);
  };
  estimate.kernels = ordered_json::array();
  for (const ordered_json& launch : measured.at("kernels")) estimate.kernels.push_back(add(launch));
  for (const ordered_json& launch : measured.at("repeated")) add(launch);
  for (const auto& [kind, alike] : kinds) {
    estimate.cycles.add(alike.omitted, 1);
    estimate.repetitions.add(alike.of_sample(), 1);
  }
  estimate.totals = sum.json(gpu);
  estimate.totals["simulated"] = measured.at("totals").at("simulated");
  return estimate;
}

}  // namespace heddle::lab
