// The rows of --interval of all launches as comma-separated values.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace heddle::report {

// Columns: launch, kernel, from, cycles, and every counter that a launch has. Empty without rows.
std::string series_csv(const nlohmann::ordered_json& results);

}  // namespace heddle::report
