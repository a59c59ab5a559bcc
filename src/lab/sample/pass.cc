#include "lab/sample/pass.h"

#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "lab/sample/plan.h"
#include "lab/standard_input.h"

namespace heddle::lab {
namespace {

void refuse_others(const RunRequest& request) {
  const char* const other = request.functional            ? "--functional times nothing"
                            : !request.timed.everything() ? "--kernels, --skip and limits choose "
                                                            "launches themselves"
                            : request.from_launch > 1     ? "--from-launch skips launches"
                            : request.watch.details       ? "details are not estimated"
                            : request.watch.interval > 0  ? "a time series is not estimated"
                            : !request.watch.timeline_path.empty() || !request.warp_logs.empty()
                                ? "a timeline is not estimated"
                            : request.watch.first_warp || request.watch.cta_sharing
                                ? "--first-warp and --cta-sharing are not estimated"
                                : nullptr;
  if (other) throw UserError(std::string("--sample: ") + other + "; omit one of them");
}

}  // namespace

RunOutcome run_quietly(const RunRequest& request, int& interrupted) {
  ProcessGroup group;
  const TemporaryFolder folder;
  const PreparedRun run(request);
  ChildCommand command = run.command(folder);
  command.stdout_path = folder.file("stdout");
  command.stderr_path = folder.file("stderr");
  group.start(command);
  RunOutcome outcome = gather(run, folder, group.wait_any());
  if ((interrupted = group.interrupted())) return outcome;
  if (!outcome.usable() || outcome.exit_code() != 0)
    throw ProgramFailure("the program fails in the functional pass: " +
                             (outcome.usable() ? describe(outcome.ending) : outcome.problem),
                         read_file(folder.file("stderr")));
  return outcome;
}

SamplePass plan_sample(RunRequest& request) {
  refuse_others(request);
  if (!request.input) request.input = std::make_shared<StandardInput>();
  RunRequest functional = request;
  functional.functional = true;
  functional.keep_launches = true;
  functional.progress = false;
  functional.scheduler.clear();
  SamplePass pass;
  const RunOutcome outcome = run_quietly(functional, pass.interrupted);
  if (pass.interrupted) return pass;
  std::vector<LaunchFacts> launches;
  for (const nlohmann::ordered_json& launch : outcome.results.at("kernels"))
    launches.push_back(LaunchFacts::of(launch));
  auto plan = std::make_shared<const SamplePlan>(std::move(launches));
  pass.whole = plan->whole();
  pass.plan = plan;
  pass.kernel_seconds = outcome.figures.kernel_seconds;
  pass.seconds = outcome.results.value(nlohmann::ordered_json::json_pointer("/host/wall_seconds"),
                                       pass.kernel_seconds);
  if (pass.whole.empty()) {
    request.timed.kernels = config::KernelSelection(plan->selection());
    request.timed.samples_waves = true;
    if (const std::string warming = plan->warming(); !warming.empty())
      request.timed.warming = config::KernelSelection(warming);
    request.sample = plan;
  }
  return pass;
}

}  // namespace heddle::lab
