#include "config/json_layout.h"

#include <algorithm>

namespace heddle::config {

namespace {

// The end of the text in quotes that begins at `from`.
std::size_t end_of_quoted(std::string_view line, std::size_t from) {
  std::size_t at = from + 1;
  while (at < line.size() && line[at] != '"') at += line[at] == '\\' ? 2 : 1;
  return std::min(at + 1, line.size());
}

bool is_empty_list(std::string_view line, std::size_t open) {
  return open + 1 < line.size() && (line[open + 1] == '}' || line[open + 1] == ']');
}

}  // namespace

std::string indented_json(std::string_view line, std::string_view margin) {
  std::string text;
  text.reserve(line.size() * 2);
  std::size_t depth = 0;
  const auto break_line = [&] {
    text += '\n';
    text.append(margin);
    text.append(depth, ' ');
  };
  for (std::size_t at = 0; at < line.size();) {
    if (line[at] == '"') {
      const std::size_t end = end_of_quoted(line, at);
      text.append(line.substr(at, end - at));
      at = end;
      continue;
    }
    const char c = line[at++];
    const bool closes = c == '}' || c == ']';
    if (closes && depth > 0) --depth, break_line();
    text += c;
    if (c == ':') text += ' ';
    if (c == ',') break_line();
    if (c != '{' && c != '[') continue;
    if (is_empty_list(line, at - 1))
      text += line[at++];
    else
      ++depth, break_line();
  }
  return text;
}

}  // namespace heddle::config
