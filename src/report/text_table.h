// Tables and bars for a terminal.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "stats/number_text.h"

namespace heddle::report {

using stats::grouped;
using stats::percent;

enum class Align : std::uint8_t { left, right };
// A word that is wider than its column ends with an ellipsis, or goes on in the next line.
enum class WideWords : std::uint8_t { cut, broken };

class TextTable {
 public:
  struct Column {
    std::string title;
    Align align = Align::left;
  };
  explicit TextTable(std::vector<Column> columns, WideWords wide_words = WideWords::cut)
      : columns_(std::move(columns)), wide_words_(wide_words) {}

  void add_row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  // Two spaces between columns, every line with `indent` in front, nothing after the last cell.
  // Wide columns wrap so that a line fits into `width` (0: any).
  std::string text(const std::string& indent = {}, int width = 0) const;

 private:
  std::vector<int> column_widths(int available) const;
  void add_lines(std::string& out, const std::string& indent, const std::vector<std::string>& cells,
                 const std::vector<int>& widths) const;

  std::vector<Column> columns_;
  WideWords wide_words_;
  std::vector<std::vector<std::string>> rows_;
};

// The words of `text` in lines of at most `width` columns; `indent` starts every line but the
// first. A line is wider when a word is and is not broken.
std::string folded(const std::string& text, int width, const std::string& indent = {},
                   WideWords wide_words = WideWords::cut);
// Columns a text takes on a terminal (code points; none of ours is wide).
int display_width(const std::string& text);
// A bar of at most `width` columns for part / whole, in eighths of a column.
std::string bar_text(double part, double whole, int width);
// "1,234,567"
inline constexpr int kPlainWidth = 100;  // columns of a file or a pipe
}  // namespace heddle::report
