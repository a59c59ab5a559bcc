// The options of all verbs that run a program.
#pragma once

#include <string>
#include <vector>

#include "lab/run.h"

namespace CLI {
class App;
}

namespace heddle::cli {

// Core cycles of a row of a picture's time series, without --interval.
inline constexpr std::uint64_t kPictureInterval = 500;

struct RunOptions {
  lab::RunRequest request;
  std::string kernels, trace;
  std::string out;
  bool quiet = false;
  bool sample = false;
  std::string report;               // file of an HTML report; empty: none
  std::string plot;                 // empty: none; kPlotHere: on the terminal; else a file
  std::vector<std::string> series;  // of the plot; empty: all that pictures have

  static constexpr const char* kPlotHere = "here";
  bool plot_to_file() const { return !plot.empty() && plot != kPlotHere; }
};

void add_plugin_option(CLI::App& verb, std::vector<std::string>& files, const char* meaning);
// The GPU, its parameters and how the host simulates it.
void add_machine_options(CLI::App& verb, RunOptions& options);
// Adds all of them to a verb whose options are followed by PROGRAM ARGUMENTS...
void add_run_options(CLI::App& verb, RunOptions& options);
// Of the verbs that run a program under one CTA scheduler.
void add_cta_scheduler_option(CLI::App& verb, RunOptions& options);
void add_share_option(CLI::App& verb, RunOptions& options);
void add_report_option(CLI::App& verb, RunOptions& options);
// Of the verbs that show lines of source files.
void add_source_option(CLI::App& verb, std::vector<std::string>& folders);
// Says once which files exist and are not shown.
void note_hidden_sources(const SourceFiles& sources);
// With --report, the request records details and a time series. Throws UserError when the report
// cannot be written, so that the error comes before the run.
void prepare_report(const RunOptions& options, lab::RunRequest& request);
void write_report(const std::string& path, const std::string& html);
void write_picture(const std::string& path, const std::string& svg);
void add_sample_option(CLI::App& verb, RunOptions& options);
// Plans the sample of the request if it is wanted, and prints why the whole program is timed when
// it is. Returns the exit code of an interrupted pass, else 0.
int prepare_sample(const RunOptions& options, lab::RunRequest& request);
// --interval and --series.
void add_interval_option(CLI::App& verb, RunOptions& options);
// Replaces `--plot FILE` with `--plot=FILE` where the name is that of a picture. `--plot PROGRAM`
// stays a flag and a program.
void join_plot_file(const CLI::App& app, std::vector<std::string>& words);
// The request. Throws UserError for a word that is neither an option nor the program.
lab::RunRequest request_of(const CLI::App& verb, const RunOptions& options);
// When a run has failed: says which argument of the program is the name of an option of the verb.
void note_options_behind_program(const CLI::App& app);

}  // namespace heddle::cli
