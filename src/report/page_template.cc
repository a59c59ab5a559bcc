#include "report/page_template.h"

#include "base/diagnostics.h"
#include "config/json_text.h"

// HEDDLE_REPORT_PAGE: the file, from cmake/report_page.cmake.
asm(".section .rodata\n"
    ".global heddle_report_page, heddle_report_page_end\n"
    "heddle_report_page: .incbin \"" HEDDLE_REPORT_PAGE
    "\"\n"
    "heddle_report_page_end: .byte 0\n"
    ".previous\n");
extern "C" const char heddle_report_page[], heddle_report_page_end[];

namespace heddle::report {
namespace {

std::string escaped_html(const std::string& text) {
  std::string escaped;
  for (const char c : readable_text(text)) {
    if (c == '<')
      escaped += "&lt;";
    else if (c == '&')
      escaped += "&amp;";
    else
      escaped += c;
  }
  return escaped;
}

// JSON inside a <script>: the text must not contain "</script>" or "<!--".
std::string script_json(const nlohmann::ordered_json& json) {
  const std::string text = config::json_text(json);
  std::string escaped;
  escaped.reserve(text.size() + text.size() / 64);
  for (const char c : text) {
    if (c == '<')
      escaped += "\\u003c";
    else
      escaped += c;
  }
  return escaped;
}

}  // namespace

std::string_view page_template() {
  return {heddle_report_page,
          static_cast<std::size_t>(heddle_report_page_end - heddle_report_page)};
}

std::string page_of(const std::string& title, const nlohmann::ordered_json& data) {
  const std::string_view page = page_template();
  std::string html;
  std::size_t from = 0;
  const auto replace = [&](std::string_view mark, const std::string& content) {
    const std::size_t at = page.find(mark, from);
    check_invariant(at != std::string_view::npos, "the template of reports lost a mark");
    html += page.substr(from, at - from);
    html += content;
    from = at + mark.size();
  };
  replace("@TITLE@", escaped_html(title));
  replace("@DATA@", script_json(data));
  html += page.substr(from);
  return html;
}

}  // namespace heddle::report
