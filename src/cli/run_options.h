// The options of all verbs that run a program.
#pragma once

#include <string>
#include <vector>

#include "lab/run.h"

namespace CLI {
class App;
}

namespace heddle::cli {

struct RunOptions {
  lab::RunRequest request;
  std::vector<std::string> registers;
  std::string kernels;
  std::string out;
  bool quiet = false;
  std::string plot;  // empty: none; kPlotHere: on the terminal; else a file

  static constexpr const char* kPlotHere = "here";
  bool plot_to_file() const { return !plot.empty() && plot != kPlotHere; }
};

// Adds them to a verb whose options are followed by PROGRAM ARGUMENTS...
void add_run_options(CLI::App& verb, RunOptions& options);
// Of the verbs that run a program under one CTA scheduler.
void add_cta_scheduler_option(CLI::App& verb, RunOptions& options);
void add_share_option(CLI::App& verb, RunOptions& options);
// Replaces `--plot FILE.svg` with `--plot=FILE.svg`. `--plot PROGRAM` stays a flag and a program.
void join_plot_file(const CLI::App& app, std::vector<std::string>& words);
// The request. Throws UserError for a word that is neither an option nor the program.
lab::RunRequest request_of(const CLI::App& verb, const RunOptions& options);

}  // namespace heddle::cli
