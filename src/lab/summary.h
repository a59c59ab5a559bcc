// What `heddle run` says at the end.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace heddle::lab {

// One row per kernel name, a total below when there are several.
std::string run_summary(const nlohmann::ordered_json& results, int width);

}  // namespace heddle::lab
