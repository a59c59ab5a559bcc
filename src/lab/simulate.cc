#include "lab/simulate.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "base/diagnostics.h"
#include "config/config.h"
#include "lab/compare.h"
#include "lab/comparison_report.h"
#include "lab/facts.h"
#include "lab/progress.h"
#include "lab/summary.h"
#include "lab/text_table.h"

namespace heddle::lab {
namespace {

constexpr int kPlainWidth = 100;  // of a file or a pipe
constexpr int kKilledBy = 128;    // exit codes from here on name a signal

std::string command_line(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string headline(const Comparison& comparison) {
  const config::GpuSpec gpu =
      config::load_gpu(comparison.request.gpu, comparison.request.overrides);
  std::string changes;
  for (const std::string& text : comparison.request.overrides)
    changes += (changes.empty() ? "" : ", ") + text;
  return fmt::format("{} on {}{}: {} SMs, each with {} warp scheduler{} and {} KiB of L1\n",
                     command_line(comparison.request.program), gpu.name,
                     changes.empty() ? "" : " with " + changes, gpu.sms(), gpu.sm.schedulers,
                     gpu.sm.schedulers == 1 ? "" : "s", gpu.sm.l1d.size_bytes / 1024);
}

std::string ending_in_newline(const std::string& text) {
  return text.empty() || text.back() == '\n' ? text : text + "\n";
}

std::string names_of(const std::vector<const Contestant*>& contestants) {
  std::string text;
  for (const Contestant* contestant : contestants)
    text += (text.empty() ? "" : ", ") + contestant->scheduler;
  return text;
}

// What failing programs wrote; once for all that wrote the same.
void show_failures(const Comparison& comparison) {
  std::vector<const Contestant*> failed;
  for (const Contestant& contestant : comparison.contestants)
    if (contestant.failed()) failed.push_back(&contestant);
  while (!failed.empty()) {
    const Contestant& first = *failed.front();
    const auto rest = std::stable_partition(failed.begin(), failed.end(), [&](const Contestant* c) {
      return c->output == first.output && c->errors == first.errors;
    });
    std::cerr << "--- " << names_of({failed.begin(), rest}) << " ---\n"
              << ending_in_newline(first.output) << ending_in_newline(first.errors);
    failed.erase(failed.begin(), rest);
  }
}

void show_outputs(const Comparison& comparison, bool quiet) {
  if (const Contestant* first = comparison.best(); first && !quiet && !first->output.empty()) {
    std::cout << ending_in_newline(first->output) << "\n";
    if (!comparison.outputs_agree())
      std::cout << "(the program's output differs between schedulers; this is " << first->scheduler
                << "'s)\n\n";
  }
  std::cout << std::flush;
  show_failures(comparison);
}

}  // namespace

int simulate(const RunRequest& request, const std::string& out_folder, bool quiet,
             const AfterRun& after_run) {
  RunRequest asked = request;
  asked.progress = !quiet && isatty(STDERR_FILENO);
  const PreparedRun run(asked);
  if (!out_folder.empty()) require_writable_folder(out_folder);
  const TemporaryFolder folder;
  ProcessGroup group;
  group.start(run.command(folder));
  RunOutcome outcome = gather(run, folder, group.wait_any().ending);
  if (!outcome.usable()) {
    // Without results to write, a program that only asks about the device has done all it should.
    const bool fine = outcome.idle && out_folder.empty();
    if (!outcome.told)
      std::cerr << (fine ? "heddle: " : "heddle: error: ") << outcome.problem << "\n";
    return group.interrupted() ? kKilledBy + group.interrupted() : fine ? 0 : outcome.exit_code();
  }
  if (!out_folder.empty())
    write_file_atomically(
        out_folder + "/run.json",
        outcome.results.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
            "\n");
  if (!quiet) {
    std::cerr << run_summary(outcome.results, terminal_width(STDERR_FILENO, kPlainWidth));
    if (!outcome.interrupted.empty())
      std::cerr << "heddle: " << outcome.interrupted
                << "; the results are of the launches before\n";
    else if (outcome.exit_code() != 0)
      std::cerr << "heddle: the program itself ended with exit code " << outcome.exit_code()
                << "\n";
    if (!out_folder.empty()) std::cerr << "heddle: results in " << out_folder << "/run.json\n";
  }
  outcome.results = timed_results(outcome.results);
  if (after_run) after_run(outcome);
  return outcome.exit_code();
}

int simulate_all(const RunRequest& request, const std::vector<std::string>& schedulers, int jobs,
                 const std::string& out_folder, bool quiet, const AfterComparison& after) {
  if (request.functional) throw UserError("compare needs timing");
  if (request.timed.limit_cycles)
    throw UserError(
        "--limit-cycles ends every run at the same cycle, with nothing to compare; "
        "--limit-instructions ends them at the same work");
  if (!out_folder.empty()) require_writable_folder(out_folder);
  Comparison comparison = [&] {
    const ProgressText progress(!quiet);
    return compare(request, schedulers, jobs,
                   [&](const std::string& text) { progress.say("heddle: " + text); });
  }();
  if (comparison.interrupted) {
    std::cerr << "heddle: error: interrupted; no results\n";
    return kKilledBy + comparison.interrupted;
  }
  show_outputs(comparison, quiet);
  std::cout << headline(comparison)
            << comparison_report(comparison, terminal_width(STDOUT_FILENO, kPlainWidth))
            << std::flush;
  if (!out_folder.empty()) write_comparison(comparison, out_folder);
  if (after) after(comparison);
  if (!comparison.failed()) return static_cast<int>(ExitCode::success);
  std::vector<const Contestant*> failed;
  for (const Contestant& contestant : comparison.contestants)
    if (contestant.failed()) failed.push_back(&contestant);
  std::cerr << "heddle: the program failed under " << names_of(failed) << "\n";
  return static_cast<int>(ExitCode::failure);
}

}  // namespace heddle::lab
