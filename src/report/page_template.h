// The template of reports: src/report/web/page.html with its style and scripts, as
// src/report/web/build.mjs makes it. @TITLE@ and @DATA@ stand for the content.
#pragma once

#include <string_view>

namespace heddle::report {

std::string_view page_template();

}  // namespace heddle::report
