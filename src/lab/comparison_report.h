// A comparison as a person reads it.
#pragma once

#include <string>

#include "lab/compare.h"

namespace heddle::lab {

// The table, a second one where the winner differs by kernel, and the sentence that says why. No
// row is longer than `width` where the names of the schedulers let it.
std::string comparison_report(const Comparison& comparison, int width);

}  // namespace heddle::lab
