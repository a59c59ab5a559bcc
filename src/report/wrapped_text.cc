#include "report/wrapped_text.h"

#include <algorithm>
#include <sstream>

namespace heddle::report {
namespace {

// Where the continuation of a line begins.
std::size_t indentation(const std::string& line, std::size_t width) {
  const std::size_t first = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t gap = line.find("  ", first);
  const std::size_t second = gap == std::string::npos ? gap : line.find_first_not_of(' ', gap);
  return second <= 2 * width / 3 ? second : std::min(first, width / 2);
}

void append_wrapped(std::string& text, std::string line, std::size_t width) {
  const std::size_t indent = indentation(line, width);
  while (line.size() > width) {
    std::size_t cut = line.rfind(' ', width);
    if (cut == std::string::npos || cut <= indent) cut = line.find(' ', width);
    if (cut == std::string::npos) break;
    text += line.substr(0, line.find_last_not_of(' ', cut) + 1) + "\n";
    line = std::string(indent, ' ') + line.substr(cut + 1);
  }
  text += line + "\n";
}

}  // namespace

std::string wrapped(const std::string& text, int width) {
  if (width <= 0) return text;
  std::string result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    append_wrapped(result, line, static_cast<std::size_t>(width));
  return result;
}

}  // namespace heddle::report
