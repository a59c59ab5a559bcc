#include "cli/run_once.h"

#include <unistd.h>

#include <iostream>

#include "base/terminal.h"
#include "config/json_text.h"
#include "report/gpu_summary.h"
#include "report/run_summary.h"
#include "report/text_table.h"

namespace heddle::cli {
namespace {

// A program without a launch is not an error unless results were requested.
int report_problem(const lab::RunOutcome& outcome, bool results_wanted) {
  const bool fine = outcome.idle && !results_wanted;
  if (!outcome.reported)
    std::cerr << (fine ? "heddle: " : "heddle: error: ") << outcome.problem << "\n";
  if (outcome.interrupting_signal) return kKilledBySignal + outcome.interrupting_signal;
  return fine ? 0 : outcome.exit_code();
}

void print_summary(const lab::RunOutcome& outcome, const std::string& out_folder) {
  std::cerr << report::run_summary(outcome.figures, terminal_width(STDERR_FILENO, kPlainWidth));
  if (!outcome.interrupted.empty())
    std::cerr << "heddle: " << outcome.interrupted
              << "; the results are those of earlier launches\n";
  else if (outcome.lost_output.empty())
    std::cerr << unusual_end(outcome);
  if (const std::string missing = lab::missing_processes(outcome); !missing.empty())
    std::cerr << "heddle: warning: " << missing << "\n";
  if (!out_folder.empty()) std::cerr << "heddle: results in " << out_folder << "/run.json\n";
}

}  // namespace

std::string unusual_end(const lab::RunOutcome& outcome) {
  if (!outcome.lost_output.empty()) return "heddle: error: " + outcome.lost_output + "\n";
  if (!outcome.usable() || outcome.exit_code() == 0) return {};
  return "heddle: the program itself ended with exit code " + std::to_string(outcome.exit_code()) +
         "\n";
}

std::string json_text(const nlohmann::ordered_json& json) {
  return config::json_text(json, 1) + "\n";
}

int run_once(const lab::RunRequest& request, const std::string& out_folder, bool quiet,
             const AfterRun& after_run) {
  lab::RunRequest changed = request;
  changed.progress = !quiet && isatty(STDERR_FILENO);
  const lab::PreparedRun run(changed);
  // Of a GPU of the user's: presets are as they are.
  const bool own_gpu = request.gpu.ends_with(".toml") || !request.overrides.empty();
  if (const std::string dropped = report::dropped_hash(run.spec().gpu); own_gpu && !dropped.empty())
    std::cerr << "heddle: warning: " << dropped << "\n";
  if (!out_folder.empty()) lab::require_writable_folder(out_folder);
  return report_run(
      lab::run_program(run, out_folder.empty() ? out_folder : out_folder + "/run.json"), out_folder,
      quiet, after_run);
}

int report_run(lab::RunOutcome outcome, const std::string& out_folder, bool quiet,
               const AfterRun& after_run) {
  if (!quiet && (outcome.usable() || !outcome.partial_results.is_null()))
    print_summary(outcome, out_folder);
  if (!outcome.usable()) return report_problem(outcome, !out_folder.empty());
  outcome.results = lab::included_results(outcome.results);
  after_run(outcome);
  if (!outcome.lost_output.empty()) std::cerr << unusual_end(outcome);
  return outcome.exit_code();
}

}  // namespace heddle::cli
