// What a run.json can hold, by name.
#pragma once

#include <vector>

#include "stats/listing.h"

namespace heddle::lab {

// Every statistic of totals and of each kernel, keyed by its path in run.json.
std::vector<stats::FieldInfo> list_statistics();

}  // namespace heddle::lab
