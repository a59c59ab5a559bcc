// The layout of JSON text.
#pragma once

#include <string>
#include <string_view>

namespace heddle::config {

// The text that json_text(value, 1) makes, each line but the first behind `margin`. line: what
// json_text(value) makes, or a text of the same form. The value is not read.
std::string indented_json(std::string_view line, std::string_view margin);

}  // namespace heddle::config
