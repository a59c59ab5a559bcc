// The text of `heddle best-swl`.
#pragma once

#include <string>

#include "sched/limiters/swl_limits.h"

namespace heddle::report {

// A table of kernels, and a chart of cycles by limit for those that take the most time.
std::string limits_report(const sched::StaticLimits& limits, int width);

}  // namespace heddle::report
