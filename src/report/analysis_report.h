// What the address analysis found, as text and as a picture.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace heddle::report {

std::string analysis_text(const nlohmann::ordered_json& analysis, bool keep_uniform, int width);
// For each kernel, which CTAs share lines with the one in the middle; on a terminal.
std::string sharing_map(const nlohmann::ordered_json& analysis);
std::string svg_of_sharing(const nlohmann::ordered_json& analysis);

}  // namespace heddle::report
