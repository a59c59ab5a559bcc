// The functional pass of a sampled run.
#pragma once

#include <string>

#include "lab/compare.h"

namespace heddle::lab {

// Runs the program functionally, without its output, and plans the sample: the request has it and
// times its launches, or is unchanged.
struct SamplePass {
  int interrupted = 0;  // the signal that ended it
  std::string whole;    // why the whole program is timed; empty: it is sampled
};
// Throws UserError for a request that cannot be sampled, ProgramFailure when the program fails.
SamplePass plan_sample(RunRequest& request);

}  // namespace heddle::lab
