// The names of all statistics of a run.json.
#pragma once

#include <string>
#include <vector>

#include "stats/listing.h"

namespace heddle::lab {

// Statistics of `totals` and of each launch, with those of policies of these plug-ins. The key is
// the path in run.json.
std::vector<stats::FieldInfo> list_statistics(const std::vector<std::string>& plugins = {});

}  // namespace heddle::lab
