// The rows of counters that `--interval` asks for, of all launches, as comma-separated values.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace heddle::report {

// launch, kernel, from, cycles, then every counter that any launch has; empty when there are no
// rows.
std::string series_csv(const nlohmann::ordered_json& results);

}  // namespace heddle::report
