#include "lab/parts/parts.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <utility>

#include "base/diagnostics.h"
#include "base/marked_folder.h"
#include "base/temporary_folder.h"
#include "lab/captured_program.h"
#include "lab/measured_run.h"
#include "lab/parts/cut.h"
#include "lab/parts/join.h"
#include "lab/preparation.h"
#include "lab/sample/pass.h"
#include "lab/sample/plan.h"
#include "lab/store/results_store.h"
#include "lab/study_row.h"

namespace heddle::lab {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr const char* kPurpose = "parts of a run";
constexpr const char* kStudy = "parts";

void refuse_others(const RunRequest& request) {
  const config::WatchSpec& watch = request.watch;
  const char* const other =
      request.functional ? "--functional times nothing"
      : request.sample   ? "--sample times single launches"
      : !request.timed.everything() || request.from_launch > 1
          ? "--kernels, --skip, --from-launch and limits choose launches themselves"
      : watch.details || watch.interval > 0 || !watch.timeline_path.empty() ||
              !request.warp_logs.empty()
          ? "details, time series and timelines are of one process"
      : request.threads > 1        ? "each part has one thread, and --jobs parts run at once"
      : needs_earlier_run(request) ? "the scheduler needs an earlier run; name its file"
                                   : nullptr;
  if (other) throw UserError(std::string("--parts: ") + other + "; omit one of them");
}

void prepare_folder(const std::string& folder) {
  if (is_marked_folder(folder, kPurpose)) return;
  std::error_code failed;
  if (!fs::create_directories(folder, failed))
    throw UserError(folder + ": " +
                    (failed ? failed.message() : "it exists and does not hold parts of a run"));
  mark_folder(folder, kPurpose);
}

// The launches of a capture.
std::vector<LaunchFacts> launches_of(RunRequest request, int& interrupted) {
  request.functional = true;
  request.keep_launches = true;
  request.progress = false;
  request.scheduler.clear();
  request.watch = {};
  std::vector<LaunchFacts> launches;
  const RunOutcome outcome = run_quietly(request, interrupted);
  if (interrupted) return {};
  for (const ordered_json& launch : outcome.results.at("kernels")) {
    launches.push_back(LaunchFacts::of(launch));
    if (launches.back().nested)
      throw UserError("--parts: kernels of the program launch kernels, so it cannot be cut");
  }
  return launches;
}

// A case for each part.
Study study_of(const PartsRequest& request, const std::string& capture,
               const std::vector<RunPart>& parts) {
  const config::RunSpec spec = PreparedRun(request.run).spec();
  Study study;
  study.name = kStudy;
  study.title = fmt::format("{}", fmt::join(request.run.program, " "));
  study.file = study.shown_file = request.folder + "/" + kStudy;
  study.rows = {StudyRow{{spec.scheduler, spec.cta_scheduler}, spec.share}.name()};
  study.document = "# heddle run --parts resumes it\n" + study.title + "\n";
  for (const RunPart& part : parts) {
    StudyCase& one = study.cases.emplace_back();
    one.name = one.workload = fmt::format("part {}", study.cases.size());
    one.run = request.run;
    one.run.program = {capture};
    one.run.plugins.clear();
    one.run.input.reset();
    one.run.timed.range = part.timed;
    if (one.run.gpu.ends_with(".toml")) one.run.gpu = fs::absolute(one.run.gpu).string();
    one.schedulers = study.rows;
    study.document += fmt::format("# {} to {}\n", part.first, part.last);
  }
  return study;
}

// The records of the parts (join.h), in their order.
std::vector<std::string> records_of(const std::string& path) {
  const ResultsStore store(path);
  const std::int64_t study = store.study(kStudy).id;
  std::map<std::int64_t, std::string> by_case;
  for (const StoredCaseRun& run : store.case_runs(study))
    if (run.run_id) by_case[run.case_id] = store.document(*run.run_id, "run.json").value_or("");
  std::vector<std::string> records;
  for (const StoredCase& part : store.cases(study)) records.push_back(by_case[part.id]);
  return records;
}

// The results of all parts as those of one run.
RunOutcome join(const PreparedRun& run, const std::vector<RunPart>& parts,
                const std::vector<LaunchFacts>& launches, const std::string& store,
                const std::string& run_json) {
  const TemporaryFolder folder;
  JoinedParts joined(folder.file(kResultFile), run.spec().gpu);
  const std::vector<std::string> records = records_of(store);
  ordered_json cut = ordered_json::array();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const RunPart& part = parts[i];
    const auto launch = [&](std::uint64_t number) {
      return launches.begin() + static_cast<std::ptrdiff_t>(number - 1);
    };
    joined.add(records.at(i), {launch(part.timed.first), launch(part.last) + 1}, part.uncounted());
    cut.push_back({{"first_launch", part.first},
                   {"last_launch", part.last},
                   {"timed_from_launch", part.timed.first}});
  }
  joined.finish(std::move(cut));
  RunOutcome outcome = gather(run, folder, {});
  if (outcome.usable() && !run_json.empty()) {
    MeasuredRun measured(folder.file(kResultFile), run.spec().gpu);
    ordered_json results = outcome.results;
    results["kernels"] = ordered_json::array();
    write_run_json(run_json, results, measured);
  }
  return outcome;
}

}  // namespace

PartsOutcome run_in_parts(const PartsRequest& given, const SweepListener& listener,
                          const std::string& run_json) {
  refuse_others(given.run);
  const PreparedRun whole(given.run);
  PartsRequest request = given;
  request.folder = fs::absolute(given.folder).lexically_normal().string();
  prepare_folder(request.folder);
  PartsOutcome outcome;
  const CapturedProgram captured = capture_program(request.run, request.folder, {});
  if ((outcome.exit_code = captured.exit_code) != 0) {
    outcome.problems.push_back(captured.failure);
    return outcome;
  }
  RunRequest replay = request.run;
  replay.program = {captured.path};
  const std::vector<LaunchFacts> launches = launches_of(replay, outcome.interrupted);
  if (outcome.interrupted) return outcome;
  std::vector<std::uint64_t> instructions;
  for (const LaunchFacts& one : launches) instructions.push_back(one.instructions);
  const std::vector<RunPart> parts = cut_into_parts(instructions, request.parts);
  outcome.parts = parts.size();
  SweepOptions& options = request.sweep;
  options.store = request.folder + "/parts.sqlite";
  options.plugins = request.run.plugins;
  options.slurm_options.runs_per_task = 1;
  const Study study = study_of(request, captured.path, parts);
  const SweepResult swept = run_sweep(study, options, listener);
  outcome.kept = swept.kept;
  outcome.interrupted = swept.interrupted;
  outcome.submitted = swept.submitted || swept.unconfirmed;
  for (std::size_t i = 0; i < study.cases.size(); ++i)
    for (const auto& [row, problem] : swept.cases[i].problems)
      outcome.problems.push_back(
          fmt::format("{} of {}: {}", study.cases[i].name, parts.size(), problem));
  if (outcome.interrupted || outcome.submitted || !outcome.problems.empty()) return outcome;
  outcome.run = join(whole, parts, launches, options.store, run_json);
  remove_marked_folder(request.folder, kPurpose);
  return outcome;
}

}  // namespace heddle::lab
