// Details and series of a kernel as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "gpu/kernel_result.h"

namespace heddle::gpu {

nlohmann::ordered_json details_json(const KernelResult& result);
// Sums over launches: all loops together, and the divergence of loads. Empty without details.
nlohmann::ordered_json details_totals_json(const std::vector<KernelResult>& launches);
// {"columns": names, "rows": numbers}. Columns that are zero in all rows are omitted.
nlohmann::ordered_json series_json(const KernelResult& result);

}  // namespace heddle::gpu
