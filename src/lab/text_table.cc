#include "lab/text_table.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace heddle::lab {
namespace {

std::vector<std::string> wrap(const std::string& text, int width) {
  std::vector<std::string> lines;
  std::string line;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(' ', start), text.size());
    const std::string word = text.substr(start, end - start);
    if (!line.empty() && display_width(line) + 1 + display_width(word) > width) {
      lines.push_back(line);
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
    start = end + 1;
  }
  lines.push_back(line);
  return lines;
}

std::string padded(const std::string& text, int width, Align align) {
  const std::string space(static_cast<std::size_t>(std::max(0, width - display_width(text))), ' ');
  return align == Align::left ? text + space : space + text;
}

}  // namespace

std::string TextTable::text(const std::string& indent, int width) const {
  std::vector<int> widths;
  std::vector<std::string> titles;
  for (const Column& column : columns_) {
    widths.push_back(display_width(column.title));
    titles.push_back(column.title);
  }
  for (const auto& row : rows_)
    for (std::size_t c = 0; c < row.size() && c < widths.size(); ++c) widths[c] = std::max(widths[c], display_width(row[c]));

  int before_last = display_width(indent);
  for (std::size_t c = 0; c + 1 < widths.size(); ++c) before_last += widths[c] + 2;
  const int last_width = width > 0 ? std::max(width - before_last, 20) : 1 << 30;

  std::string out;
  const auto add_line = [&](const std::vector<std::string>& cells) {
    std::string line = indent;
    for (std::size_t c = 0; c < cells.size(); ++c) line += (c ? "  " : "") + padded(cells[c], widths[c], columns_[c].align);
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  };
  const auto add_cells = [&](std::vector<std::string> cells) {
    cells.resize(columns_.size());
    const auto lines = wrap(cells.back(), last_width);
    cells.back() = lines[0];
    add_line(cells);
    for (std::size_t i = 1; i < lines.size(); ++i) {
      std::vector<std::string> rest(columns_.size());
      rest.back() = lines[i];
      add_line(rest);
    }
  };
  if (std::any_of(titles.begin(), titles.end(), [](const std::string& title) { return !title.empty(); })) add_line(titles);
  for (const auto& row : rows_) add_cells(row);
  return out;
}

int display_width(const std::string& text) {
  return static_cast<int>(std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string bar(double part, double whole, int width) {
  constexpr std::array<const char*, 8> kEighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  if (!(whole > 0) || !(part > 0) || width <= 0) return {};
  const int eighths = static_cast<int>(std::lround(std::min(part / whole, 1.0) * width * 8));
  std::string text;
  for (int i = 0; i < eighths / 8; ++i) text += "█";
  return text + kEighths[static_cast<std::size_t>(eighths % 8)];
}

std::string grouped(std::uint64_t value) {
  std::string text = fmt::format("{}", value);
  for (std::ptrdiff_t at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0; at -= 3) text.insert(static_cast<std::size_t>(at), ",");
  return text;
}

std::string percent(double share, int digits) { return fmt::format("{:.{}f} %", share * 100, digits); }

int terminal_width(int descriptor, int otherwise) {
  if (const char* columns = std::getenv("COLUMNS"); columns && std::atoi(columns) >= 40) return std::atoi(columns);
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40) return size.ws_col;
  return otherwise;
}

}  // namespace heddle::lab
