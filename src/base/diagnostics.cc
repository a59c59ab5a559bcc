#include "base/diagnostics.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>

namespace heddle {

std::string SourceLocation::to_string() const {
  std::string text = file;
  if (line > 0) text += ":" + std::to_string(line);
  if (line > 0 && column > 0) text += ":" + std::to_string(column);
  return text;
}

constinit thread_local const ComponentScope* ComponentScope::current_ = nullptr;

std::string ComponentScope::describe_current() {
  if (!current_) return {};
  const ComponentScope& c = *current_;
  std::string text = c.component_;
  if (c.index_ != kNoIndex) text += " " + std::to_string(c.index_);
  return text + ", cycle " + std::to_string(c.clock_.value) + ": ";
}

void report_violation(std::string_view violation, std::source_location where) {
  std::string_view file = where.file_name();
  if (const std::size_t at = file.rfind("/src/"); at != std::string_view::npos)
    file.remove_prefix(at + 1);
  const std::string text = ComponentScope::describe_current() + std::string(violation);
  std::fflush(stdout);
  std::fprintf(stderr, "heddle: internal error: %s (%.*s:%u, %s)\n", text.c_str(),
               static_cast<int>(file.size()), file.data(), where.line(), where.function_name());
  std::abort();
}

namespace {
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, replaced});
    }
  }
  return row.back();
}
}  // namespace

std::string nearest_names(std::string_view word, const std::vector<std::string>& candidates) {
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (const auto& candidate : candidates) {
    const bool is_last_part = candidate.ends_with("." + std::string(word));
    const std::size_t distance = is_last_part ? 0 : edit_distance(word, candidate);
    if (distance <= std::max<std::size_t>(2, word.size() / 3))
      ranked.emplace_back(distance, candidate);
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;  // candidates may repeat, as mnemonics with several forms
  for (const auto& [distance, name] : ranked)
    if (names.size() < 3 && std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string names = nearest_names(word, candidates);
  return names.empty() ? "" : "; did you mean " + names + "?";
}

}  // namespace heddle
