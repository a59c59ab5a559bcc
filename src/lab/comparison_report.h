// A comparison as a person reads it.
#pragma once

#include <string>

#include "lab/compare.h"

namespace heddle::lab {

// The table, a second one where the winner differs by kernel, and the sentence that says why.
std::string comparison_report(const Comparison& comparison, int width);

// Why one run took fewer cycles than another, from issue slots, caches and DRAM. Names as they shall appear.
struct Facts;
std::string explain(const std::string& better_name, const Facts& better, const std::string& worse_name, const Facts& worse);

}  // namespace heddle::lab
