// The template of reports: src/report/web/page.html with its style and scripts, as
// src/report/web/build.mjs makes it. @TITLE@ and @DATA@ stand for the content.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace heddle::report {

std::string_view page_template();
// The page with its title and data.
std::string page_of(const std::string& title, const nlohmann::ordered_json& data);

}  // namespace heddle::report
