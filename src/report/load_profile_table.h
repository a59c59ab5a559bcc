// The text of `heddle profile`.
#pragma once

#include <string>

#include "sched/limiters/load_profile.h"

namespace heddle::report {

// Loops and their loads, classified.
std::string load_profile_table(const sched::LoadProfile& profile, int width);

}  // namespace heddle::report
