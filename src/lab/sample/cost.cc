#include "lab/sample/cost.h"

#include <algorithm>

#include "lab/sample/pass.h"
#include "lab/sample/plan.h"

namespace heddle::lab {
namespace {

using nlohmann::ordered_json;

// Of threads: some seconds of simulation.
constexpr std::uint64_t kProbeInstructions = 16'000'000;
constexpr double kShortest_s = 1e-6;

}  // namespace

double RunCost::full_seconds() const {
  return host_seconds + static_cast<double>(instructions) / instructions_per_second();
}

double RunCost::sampled_seconds() const {
  const double untimed = 1 - static_cast<double>(timed_instructions) /
                                 std::max(1.0, static_cast<double>(instructions));
  return functional_seconds + host_seconds + untimed * (functional_seconds - host_seconds) +
         static_cast<double>(timed_instructions) / instructions_per_second();
}

RunCost estimate_cost(const RunRequest& given) {
  RunRequest request = given;
  RunCost cost;
  const SamplePass pass = plan_sample(request);
  if ((cost.interrupted = pass.interrupted)) return cost;
  cost.whole = pass.whole;
  cost.launches = pass.plan->launches().size();
  cost.instructions = pass.plan->instructions();
  cost.timed_launches = pass.plan->timed_launches();
  cost.timed_instructions = pass.plan->timed_instructions();
  cost.functional_seconds = pass.seconds;
  cost.host_seconds = std::max(0.0, pass.seconds - pass.kernel_seconds);
  RunRequest probe = given;
  probe.input = request.input;
  probe.progress = false;
  probe.timed.limit_instructions = kProbeInstructions;
  const RunOutcome outcome = run_quietly(probe, cost.interrupted);
  if (cost.interrupted) return cost;
  cost.probe_instructions = outcome.figures.total.warp_instructions;
  cost.probe_seconds = std::max(
      kShortest_s, outcome.results.value(ordered_json::json_pointer("/host/timed_seconds"), 0.0));
  return cost;
}

}  // namespace heddle::lab
