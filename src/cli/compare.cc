// heddle compare
#include <CLI/CLI.hpp>

#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "base/diagnostics.h"
#include "base/terminal.h"
#include "cli/progress.h"
#include "cli/run_once.h"
#include "cli/run_options.h"
#include "cli/verbs.h"
#include "gpu/cta/cta_policy.h"
#include "lab/compare.h"
#include "lab/scheduler_pair.h"
#include "report/comparison_report.h"
#include "report/plot.h"
#include "report/run_page.h"
#include "report/text_table.h"

namespace heddle::cli {
namespace {

using lab::Comparison;
using lab::Contestant;

struct CompareOptions : RunOptions {
  std::string schedulers = "lrr,gto", cta_schedulers = gpu::kDefaultCtaScheduler;
  int jobs = 0;
};

std::string ending_in_newline(const std::string& text) {
  return text.empty() || text.back() == '\n' ? text : text + "\n";
}

std::string names_of(const std::vector<const Contestant*>& contestants) {
  std::string text;
  for (const Contestant* contestant : contestants)
    text += (text.empty() ? "" : ", ") + contestant->scheduler;
  return text;
}

std::vector<const Contestant*> failed_contestants(const Comparison& comparison) {
  std::vector<const Contestant*> failed;
  for (const Contestant& contestant : comparison.contestants)
    if (contestant.failed()) failed.push_back(&contestant);
  return failed;
}

// Prints what failing programs wrote, once for all that wrote the same.
void print_failures(const Comparison& comparison) {
  auto failed = failed_contestants(comparison);
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

void print_outputs(const Comparison& comparison, bool quiet) {
  if (const Contestant* first = comparison.best(); first && !quiet && !first->output.empty()) {
    std::cout << ending_in_newline(first->output) << "\n";
    if (!comparison.outputs_agree())
      std::cout << "(the program's output differs between schedulers; this is the output under "
                << first->scheduler << ")\n\n";
  }
  std::cout << std::flush;
  print_failures(comparison);
}

void print_plot(const RunOptions& options, const Comparison& comparison) {
  if (options.plot == RunOptions::kPlotHere)
    std::cout << report::plot_comparison(comparison, report::canvas_of(1), options.series)
              << std::flush;
  if (options.plot_to_file())
    write_picture(options.plot, report::svg_of_comparison(comparison, options.series));
}

int compare(const lab::RunRequest& request, const CompareOptions& options) {
  const auto schedulers =
      lab::pair_names(lab::split_schedulers(options.schedulers, options.request.plugins),
                      lab::split_cta_schedulers(options.cta_schedulers, options.request.plugins));
  if (!options.out.empty()) lab::require_writable_folder(options.out);
  const Comparison comparison = [&] {
    const ProgressLine progress(!options.quiet);
    return lab::compare(request, schedulers, options.jobs,
                        [&](const std::string& text) { progress.show(text); });
  }();
  if (comparison.interrupted) {
    std::cerr << "heddle: error: interrupted; no results\n";
    return kKilledBySignal + comparison.interrupted;
  }
  print_outputs(comparison, options.quiet);
  const int width = terminal_width(STDOUT_FILENO, report::kPlainWidth);
  std::cout << report::folded(report::comparison_headline(comparison), width)
            << report::comparison_report(comparison, width) << std::flush;
  if (!options.out.empty()) lab::write_comparison(comparison, options.out);
  print_plot(options, comparison);
  if (!options.report.empty()) {
    write_report(options.report, report::page_of_comparison(comparison));
    note_hidden_sources(*comparison.contestants.front().outcome.sources);
  }
  if (!comparison.failed()) return static_cast<int>(ExitCode::success);
  std::cerr << "heddle: the program failed under " << names_of(failed_contestants(comparison))
            << "\n";
  return static_cast<int>(ExitCode::failure);
}

}  // namespace

void add_compare(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand(
      "compare", "run a program under several schedulers; print which one wins, and why");
  auto options = std::make_shared<CompareOptions>();
  add_run_options(*verb, *options);
  verb->add_option("-s,--schedulers", options->schedulers,
                   "policies to compare, or all; speed-ups are over the first")
      ->type_name("POLICY,...")
      ->capture_default_str();
  verb->add_option("--cta-schedulers", options->cta_schedulers,
                   "CTA schedulers, or all; each is combined with each of --schedulers")
      ->type_name("CTA_POLICY,...")
      ->capture_default_str();
  add_sample_option(*verb, *options);
  add_interval_option(*verb, *options);
  add_report_option(*verb, *options);
  add_source_option(*verb, options->request.source_folders);
  verb->add_option("-j,--jobs", options->jobs,
                   "runs at once; as many as there are cores by default")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  verb->footer(
      "A piece that reads key=value belongs to the policy before it: "
      "ccws:k_throttle=8,base=100,gto names two policies.\n"
      "A run under another CTA scheduler than rr is named after both: gto + mapped.\n"
      "--out DIR writes DIR/compare.json and DIR/POLICY/run.json.\n"
      "The exit code is 1 when the program fails under a policy.");
  verb->callback([verb, options, &action] {
    action = [verb, options] {
      lab::RunRequest request = request_of(*verb, *options);
      if (!options->series.empty() && request.watch.interval == 0)
        request.watch.interval = kPictureInterval;
      prepare_report(*options, request);
      request.keep_launches = request.watch.interval > 0 || !options->out.empty() ||
                              !options->plot.empty() || !options->report.empty();
      if (const int interrupted = prepare_sample(*options, request)) return interrupted;
      return compare(request, *options);
    };
  });
}

}  // namespace heddle::cli
