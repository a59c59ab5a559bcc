#include "report/column_chart.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "report/text_table.h"

namespace heddle::report {
namespace {

// Labels from the left, each under its column, as many as there is room for.
std::string labels(const std::vector<Column>& columns) {
  std::string line;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (line.size() > c || (c > 0 && c + 1 < columns.size() && (c + 1) % 4 != 0)) continue;
    line +=
        std::string(c - line.size(), ' ') + columns[c].label + (c + 1 < columns.size() ? " " : "");
  }
  return line;
}

std::string trimmed(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

}  // namespace

std::string column_chart(const std::vector<Column>& columns, int rows, const std::string& indent) {
  constexpr std::array<const char*, 9> kEighths{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  double highest = 0;
  for (const Column& column : columns) highest = std::max(highest, column.value);
  if (!(highest > 0)) return {};
  const std::string top = grouped(static_cast<std::uint64_t>(std::llround(highest)));
  const std::string blank(top.size(), ' '), zero = std::string(top.size() - 1, ' ') + "0";
  std::string text;
  for (int row = rows - 1; row >= 0; --row) {
    std::string line = indent + (row == rows - 1 ? top : row == 0 ? zero : blank) + " ";
    for (const Column& column : columns) {
      const long eighths = std::lround(column.value / highest * rows * 8) - row * 8L;
      line += kEighths[static_cast<std::size_t>(std::clamp(eighths, 0L, 8L))];
    }
    text += trimmed(line);
  }
  std::string marks = indent + blank + " ";
  for (const Column& column : columns) marks += column.marked ? '*' : ' ';
  return text + trimmed(marks) + trimmed(indent + blank + " " + labels(columns));
}

}  // namespace heddle::report
