// The page of `heddle run --explain`: where the time of a run went. Every figure on it is one of
// run.json or a ratio of two of them.
#pragma once

#include <string>

#include "lab/run.h"

namespace heddle::report {

// About the kernel that took the most cycles, its launches added up. Other kernels with more than a
// tenth of the cycles get a paragraph each. Needs results with details.
std::string explain(const lab::RunOutcome& outcome, int width);

}  // namespace heddle::report
