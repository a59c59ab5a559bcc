// The text of `heddle check`.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace heddle::report {

// A paragraph for each finding. check: the content of check.json.
std::string findings_text(const nlohmann::ordered_json& check);
// One line.
std::string check_summary(const nlohmann::ordered_json& check);

}  // namespace heddle::report
