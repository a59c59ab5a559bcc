#include "report/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace heddle::report {
namespace {

constexpr int kMinColumn = 18;
constexpr int kMinCutColumn = 24;  // wider than a bar
constexpr int kMinProse = 14, kMinBrokenColumn = 8;

// Of shares ("scoreboard 50 %, buffer empty 24 %") a line holds whole ones where it can.
std::vector<std::string> wrap(const std::string& text, int width) {
  const bool shares = text.ends_with(" %");
  std::vector<std::string> lines;
  std::string line;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(' ', start), text.size());
    const std::string word = text.substr(start, end - start);
    if (!line.empty() && display_width(line) + 1 + display_width(word) > width) {
      const std::size_t comma = shares ? line.rfind(", ") : std::string::npos;
      std::string rest = comma == std::string::npos ? "" : line.substr(comma + 2);
      if (display_width(rest) + 1 + display_width(word) > width) rest.clear();
      lines.push_back(rest.empty() ? line : line.substr(0, comma + 1));
      line = rest;
    }
    line += (line.empty() ? "" : " ") + word;
    start = end + 1;
  }
  lines.push_back(line);
  return lines;
}

bool may_break(char before, char after) {
  return std::string_view("_:|,}/").find(before) != std::string_view::npos ||
         (after == '.' && before != '{');
}

// Blanks where words that are wider than a column go on in the next line: at a sign, if there is
// one.
std::string with_broken_words(const std::string& text, std::size_t width) {
  std::string result;
  std::size_t word = 0;  // where the last one begins
  for (const char c : text) {
    if (c == ' ') {
      word = result.size() + 1;
    } else if (result.size() - word >= width && (static_cast<unsigned char>(c) & 0xC0) != 0x80) {
      std::size_t cut = result.size();
      while (cut > word && !may_break(result[cut - 1], cut < result.size() ? result[cut] : c))
        --cut;
      word = cut > word ? cut : result.size();
      result.insert(word++, " ");
    }
    result += c;
  }
  return result;
}

int longest_word(const std::string& text) {
  int longest = 0;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find(' ', start), text.size());
    longest = std::max(longest, display_width(text.substr(start, end - start)));
    start = end + 1;
  }
  return longest;
}

std::string padded(const std::string& text, int width, Align align) {
  const std::string space(static_cast<std::size_t>(std::max(0, width - display_width(text))), ' ');
  return align == Align::left ? text + space : space + text;
}

// A text that no wrapping makes narrow enough, with an ellipsis at its end.
std::string cut(const std::string& text, int width) {
  if (display_width(text) <= width) return text;
  std::size_t end = 0;
  for (int shown = 0; end < text.size(); ++end) {
    shown += display_width(text.substr(end, 1));
    if (shown == std::max(width, 1)) break;
  }
  return text.substr(0, end) + "…";
}

}  // namespace

std::string folded(const std::string& text, int width, const std::string& indent,
                   WideWords wide_words) {
  const int room = width - display_width(indent);
  const bool broken = wide_words == WideWords::broken;
  std::string lines;
  for (const std::string& line :
       wrap(broken ? with_broken_words(text, static_cast<std::size_t>(room)) : text, room))
    lines += (lines.empty() ? "" : "\n" + indent) + line;
  return lines + "\n";
}

std::vector<int> TextTable::column_widths(int available) const {
  std::vector<int> widths, least;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    widths.push_back(display_width(columns_[c].title));
    least.push_back(kMinColumn);
    for (const auto& row : rows_) {
      if (c >= row.size()) continue;
      widths[c] = std::max(widths[c], display_width(row[c]));
      least[c] = std::max(least[c], longest_word(row[c]));
    }
  }
  if (widths.empty() || available <= 0) return widths;
  int used = 2 * static_cast<int>(widths.size() - 1);
  for (const int width : widths) used += width;
  // The widest column that can wrap its words becomes narrower; if there is none, the widest one
  // whose words can be cut or broken. Names in the first column are broken late.
  const std::size_t columns = widths.size();
  for (; used > available; --used) {
    int* widest = nullptr;
    const auto choose = [&](std::size_t first, std::size_t end, const auto& may_shrink) {
      if (widest) return;
      for (std::size_t c = first; c < end; ++c)
        if (may_shrink(c) && (!widest || widths[c] > *widest)) widest = &widths[c];
    };
    const auto wider_than = [&](int limit) {
      return [&widths, limit](std::size_t c) { return widths[c] > limit; };
    };
    choose(0, columns, [&](std::size_t c) { return widths[c] > least[c]; });
    if (wide_words_ == WideWords::cut) {
      choose(0, columns, wider_than(kMinCutColumn));
    } else {
      choose(1, columns, wider_than(kMinProse));
      choose(0, 1, wider_than(kMinProse));
      choose(0, columns, wider_than(kMinBrokenColumn));
    }
    if (!widest) break;
    --*widest;
  }
  return widths;
}

void TextTable::add_lines(std::string& out, const std::string& indent,
                          const std::vector<std::string>& cells,
                          const std::vector<int>& widths) const {
  std::vector<std::vector<std::string>> wrapped;
  std::size_t height = 1;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    std::string cell = c < cells.size() ? cells[c] : "";
    if (wide_words_ == WideWords::broken)
      cell = with_broken_words(cell, static_cast<std::size_t>(widths[c]));
    wrapped.push_back(wrap(cell, widths[c]));
    for (std::string& line : wrapped.back()) line = cut(line, widths[c]);
    height = std::max(height, wrapped.back().size());
  }
  for (std::size_t i = 0; i < height; ++i) {
    std::string line = indent;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (c > 0) line += "  ";
      line += padded(i < wrapped[c].size() ? wrapped[c][i] : "", widths[c], columns_[c].align);
    }
    out += line.substr(0, line.find_last_not_of(' ') + 1);
    out += '\n';
  }
}

std::string TextTable::text(const std::string& indent, int width) const {
  const std::vector<int> widths = column_widths(width > 0 ? width - display_width(indent) : 0);
  std::vector<std::string> titles;
  for (const Column& column : columns_) titles.push_back(column.title);
  std::string out;
  if (std::any_of(titles.begin(), titles.end(),
                  [](const std::string& title) { return !title.empty(); }))
    add_lines(out, indent, titles, widths);
  for (const auto& row : rows_) add_lines(out, indent, row, widths);
  return out;
}

int display_width(const std::string& text) {
  return static_cast<int>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

std::string bar_text(double part, double whole, int width) {
  constexpr std::array<const char*, 8> kEighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  if (!(whole > 0) || !(part > 0) || width <= 0) return {};
  const int eighths = static_cast<int>(std::lround(std::min(part / whole, 1.0) * width * 8));
  std::string text;
  for (int i = 0; i < eighths / 8; ++i) text += "█";
  return text + kEighths[static_cast<std::size_t>(eighths % 8)];
}

}  // namespace heddle::report
