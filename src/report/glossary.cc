#include "report/glossary.h"

#include <string_view>

#include "base/diagnostics.h"
#include "report/glossary_text.h"

namespace heddle::report {

std::vector<std::pair<std::string, std::string>> glossary_rows(
    const std::vector<std::string>& terms) {
  constexpr std::string_view kText = kGlossary;
  std::vector<std::pair<std::string, std::string>> rows;
  for (const std::string& term : terms) {
    const std::string start = "\n| " + term + " | ";
    const std::size_t at = kText.find(start);
    check_invariant(at != std::string_view::npos, "a page names a term that the glossary lacks");
    const std::size_t from = at + start.size();
    rows.emplace_back(term, kText.substr(from, kText.find(" |", from) - from));
  }
  return rows;
}

}  // namespace heddle::report
