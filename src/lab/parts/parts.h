// A run that is cut by launches into parts, which run as separate jobs and are put together again.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "lab/run.h"
#include "lab/sweep.h"

namespace heddle::lab {

struct PartsRequest {
  RunRequest run;
  std::size_t parts = 0;  // at most; 0: the run is not cut
  std::string folder;     // keeps the capture and the results of parts until all are there
  SweepOptions sweep;     // how parts are executed
};

struct PartsOutcome {
  RunOutcome run;
  std::size_t parts = 0, kept = 0;    // that it has; of these, with results before
  std::vector<std::string> problems;  // of parts, in one line each; then there are no results
  int interrupted = 0;                // the signal that ended it early; the same
  bool submitted = false;             // jobs are at work; the same
  int exit_code = 0;                  // of a program that failed while it was captured
};

// The program is captured unless it is a capture, and runs once more without timing, to be cut
// (cut.h). Each part is a run of a sweep, whose store is in the folder: the same request resumes.
// Each executes the launches before it functionally. Writes run.json, and removes the folder, when
// all parts have results. Throws UserError for what cannot be cut.
PartsOutcome run_in_parts(const PartsRequest& request, const SweepListener& listener,
                          const std::string& run_json);

}  // namespace heddle::lab
