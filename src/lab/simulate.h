// What `heddle run` and `heddle compare` do, from request to exit code: the program's output on
// standard output, Heddle's words on standard error, results in a folder.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lab/run.h"

namespace heddle::lab {

// after_run gets results that are whole, before the exit code is returned.
using AfterRun = std::function<void(const RunOutcome&)>;
int simulate(const RunRequest& request, const std::string& out_folder, bool quiet,
             const AfterRun& after_run = {});
struct Comparison;
using AfterComparison = std::function<void(const Comparison&)>;
int simulate_all(const RunRequest& request, const std::vector<std::string>& schedulers, int jobs,
                 const std::string& out_folder, bool quiet, const AfterComparison& after = {});

}  // namespace heddle::lab
