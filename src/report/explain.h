// A page that tells a GPU programmer where a run's time went, from a run.json with details. Every
// figure on it is one of the file's or a ratio of two of them.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace heddle::report {

// About the kernel that took most cycles, its launches added up; others with more than a tenth of
// the cycles get a paragraph each.
std::string explain(const nlohmann::ordered_json& results, int width);

}  // namespace heddle::report
