// One run of a program, with its messages and its exit code: what `run` and `profile` share.
#pragma once

#include <functional>
#include <string>

#include "lab/run.h"

namespace heddle::cli {

inline constexpr int kPlainWidth = 100;      // columns of a file or a pipe
inline constexpr int kWidePlainWidth = 110;  // the same, for wide tables

// Runs the program and writes run.json into out_folder (empty: nowhere). Prints the summary and
// errors to standard error. after_run gets usable results, without launches that were not timed.
// Returns the exit code.
using AfterRun = std::function<void(const lab::RunOutcome&)>;
int run_once(const lab::RunRequest& request, const std::string& out_folder, bool quiet,
             const AfterRun& after_run);

// The second half of it: of a run that has ended and written its run.json.
int report_run(lab::RunOutcome outcome, const std::string& out_folder, bool quiet,
               const AfterRun& after_run);

// A line about a program that ended with another exit code than 0, or whose output is lost; empty
// otherwise.
std::string unusual_end(const lab::RunOutcome& outcome);

// The text of a JSON file.
std::string json_text(const nlohmann::ordered_json& json);

}  // namespace heddle::cli
