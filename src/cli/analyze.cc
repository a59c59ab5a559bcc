// heddle analyze
#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

#include "base/terminal.h"
#include "cli/run_once.h"
#include "cli/run_options.h"
#include "cli/verbs.h"
#include "lab/analyze.h"
#include "report/analysis_report.h"

namespace heddle::cli {
namespace {

struct AnalyzeOptions : RunOptions {
  bool json = false, keep_uniform = false;
  std::string hints;
};

int print_analysis(const AnalyzeOptions& options, const lab::RunRequest& request) {
  const lab::RunOutcome outcome = lab::analyze(request);
  if (!outcome.usable() && !outcome.reported)
    std::cerr << "heddle: error: " << outcome.problem << "\n";
  if (outcome.analysis.is_null()) return outcome.exit_code();
  if (options.json)
    std::cout << json_text(outcome.analysis);
  else
    std::cout << report::analysis_text(outcome.analysis, options.keep_uniform,
                                       terminal_width(1, kWidePlainWidth));
  if (options.plot == RunOptions::kPlotHere) std::cout << report::sharing_map(outcome.analysis);
  if (options.plot_to_file()) write_picture(options.plot, report::svg_of_sharing(outcome.analysis));
  if (!options.hints.empty()) {
    lab::write_file_atomically(options.hints,
                               lab::hints_toml(outcome.analysis, options.keep_uniform));
    std::cerr << "heddle: hints in " << options.hints << "\n";
  }
  note_hidden_sources(*outcome.sources);
  std::cerr << unusual_end(outcome);
  return outcome.exit_code();
}

}  // namespace

void add_analyze(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand(
      "analyze",
      "print the addresses of kernels as affine forms, and which CTAs and warps share "
      "cache lines");
  auto options = std::make_shared<AnalyzeOptions>();
  add_run_options(*verb, *options);
  for (const char* timed :
       {"--plugin", "--registers", "--seed", "--threads", "--force-threads", "--share-always",
        "--skip", "--limit-cycles", "--limit-instructions", "--out", "--quiet"})
    verb->remove_option(verb->get_option(timed));
  verb->get_option("--plot")->description(
      "draw which CTAs share lines; --plot FILE writes a picture: FILE.svg, .pdf or .png");
  verb->get_option("--kernels")->group("");
  verb->add_flag("--json", options->json, "print JSON");
  verb->add_flag("--keep-uniform", options->keep_uniform,
                 "let accesses whose address is the same in every CTA decide, too");
  verb->add_option("--write-hints", options->hints,
                   "write directions and group sizes for heddle cc --ps-hints and --cta-hints")
      ->type_name("FILE");
  verb->add_option("--usable", options->request.analysis.usable,
                   "share of the L1D that the lines of a group of warps may take")
      ->type_name("SHARE")
      ->check(CLI::Range(0.01, 1.0))
      ->capture_default_str();
  verb->add_option("--operations", options->request.analysis.operations,
                   "bound on isl's operations for one launch, beyond which it is not analysed")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 40))
      ->capture_default_str();
  add_source_option(*verb, options->request.source_folders);
  verb->footer("The program runs functionally; its standard output is not shown.");
  verb->callback([verb, options, &action] {
    action = [verb, options] {
      lab::RunRequest request = request_of(*verb, *options);
      request.analysis.map = !options->plot.empty();
      return print_analysis(*options, request);
    };
  });
}

}  // namespace heddle::cli
