// heddle compare
#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

#include "cli/run_options.h"
#include "cli/verbs.h"
#include "lab/compare.h"
#include "lab/simulate.h"
#include "report/plot.h"

namespace heddle::cli {

namespace {

void show_plot(const RunOptions& options, const lab::Comparison& comparison) {
  if (options.plot == RunOptions::kPlotHere)
    std::cout << report::plot_comparison(comparison, report::canvas_of(1)) << std::flush;
  if (!options.plot_to_file()) return;
  lab::write_file_atomically(options.plot, report::svg_of_comparison(comparison));
  std::cerr << "heddle: picture in " << options.plot << "\n";
}

}  // namespace

void add_compare(CLI::App& app, Action& action) {
  struct Options : RunOptions {
    std::string schedulers = "lrr,gto";
    int jobs = 0;
  };
  CLI::App* verb = app.add_subcommand(
      "compare", "run a program under several schedulers and say who wins, and why");
  auto options = std::make_shared<Options>();
  add_run_options(*verb, *options);
  verb->add_option("-s,--schedulers", options->schedulers,
                   "policies to compare, or all; speed-ups are over the first")
      ->type_name("A,B,...")
      ->capture_default_str();
  verb->add_option("-j,--jobs", options->jobs,
                   "runs at once; as many as there are cores by default")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  verb->footer(
      "A piece that reads key=value belongs to the policy before it: ccws:k=8,base=100,gto names "
      "two policies.\n"
      "--out DIR writes DIR/compare.json and DIR/POLICY/run.json.\n"
      "The exit code is 1 when the program fails under a policy.\n\n"
      "  heddle compare --schedulers lrr,gto,oldest,srr ./kmeans 34\n"
      "  heddle compare --plot --schedulers lrr,gto,ccws ./kmeans 34\n"
      "  heddle compare --plot kmeans.svg --schedulers all --gpu ipaws --out results ./kmeans 34");
  verb->callback([verb, options, &action] {
    action = [verb, options] {
      return lab::simulate_all(
          request_of(*verb, *options),
          lab::split_schedulers(options->schedulers, options->request.plugins), options->jobs,
          options->out, options->quiet,
          [options](const lab::Comparison& comparison) { show_plot(*options, comparison); });
    };
  });
}

}  // namespace heddle::cli
