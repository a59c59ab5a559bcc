// What a full and a sampled run of a program would cost, in words.
#pragma once

#include <string>

#include "lab/sample/cost.h"

namespace heddle::report {

// A time in two digits; from a minute on, in minutes or hours.
std::string about(double seconds);

std::string cost_text(const lab::RunCost& cost);

}  // namespace heddle::report
