// The functional pass of a sampled run.
#pragma once

#include <memory>
#include <string>

#include "lab/compare.h"

namespace heddle::lab {

// Runs the program functionally, without its output, and plans the sample: the request has it and
// times its launches, or is unchanged.
struct SamplePass {
  int interrupted = 0;  // the signal that ended it; the rest is empty then
  std::string whole;    // why the whole program is timed; empty: it is sampled
  std::shared_ptr<const SamplePlan> plan;
  double seconds = 0, kernel_seconds = 0;  // on the host: of the pass, and of its launches
};
// Throws UserError for a request that cannot be sampled, ProgramFailure when the program fails.
SamplePass plan_sample(RunRequest& request);

// Runs the program without its output. interrupted: the signal that ended it. Throws ProgramFailure
// when it fails.
RunOutcome run_quietly(const RunRequest& request, int& interrupted);

}  // namespace heddle::lab
