// The names of all statistics of a run.json.
#pragma once

#include <vector>

#include "stats/listing.h"

namespace heddle::lab {

// Statistics of `totals` and of each launch. The key is the path in run.json.
std::vector<stats::FieldInfo> list_statistics();

}  // namespace heddle::lab
