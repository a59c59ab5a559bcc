// The table that `heddle run` prints at the end.
#pragma once

#include <string>

#include "lab/figures.h"

namespace heddle::report {

// One row per kernel, and a total when there are several.
std::string run_summary(const lab::RunFigures& run, int width);

}  // namespace heddle::report
