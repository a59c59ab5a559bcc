#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include <nlohmann/json.hpp>

#include "base/terminal.h"
#include "report/palette.h"
#include "report/plot.h"
#include "report/text_table.h"

namespace heddle::report {
namespace {

constexpr int kBarColour = 68;  // of the terminal's 256: blue
constexpr int kWidestBar = 60, kNarrowestBar = 10, kNameColumn = 20;
constexpr std::size_t kMaxTerminalPictures = 3;

std::string coloured(const std::string& text, int ansi, const Canvas& canvas) {
  return canvas.colour && !text.empty() ? fmt::format("\033[38;5;{}m{}\033[0m", ansi, text) : text;
}

std::string repeated(std::string_view block, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += block;
  return text;
}

// Of the series of a stack of slot uses.
std::string block(const Panel::Series& series, int columns, const Canvas& canvas) {
  const auto look = std::ranges::find(kSlotLooks, series.colour, &SlotLook::colour);
  if (look == kSlotLooks.end()) return repeated("█", columns);
  return coloured(repeated(look->block, columns), look->terminal_colour, canvas);
}

std::string padded(const std::string& text, int width) {
  return text +
         std::string(static_cast<std::size_t>(std::max(0, width - display_width(text))), ' ');
}

// The parts of a bar in whole columns. Those with the largest remainders are rounded up, so that
// the columns add up to the length of the bar.
std::vector<int> columns_of(const std::vector<double>& parts, double per_column) {
  std::vector<int> columns;
  std::vector<std::pair<double, std::size_t>> rest;
  double sum = 0;
  int given = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const double exact = parts[i] / per_column;
    columns.push_back(static_cast<int>(exact));
    rest.emplace_back(columns.back() - exact, i);
    sum += exact;
    given += columns.back();
  }
  std::sort(rest.begin(), rest.end());
  for (std::size_t i = 0; i < rest.size() && given < static_cast<int>(std::lround(sum));
       ++i, ++given)
    ++columns[rest[i].second];
  return columns;
}

double highest_of(const Panel& panel) {
  double highest = panel.values.most.value_or(0);
  for (const auto& series : panel.series)
    for (const auto& value : series.values) highest = std::max(highest, value.value_or(0));
  return highest;
}

std::string legend(const Panel& panel, const Canvas& canvas) {
  std::string text, line;
  for (const auto& series : panel.series) {
    const int needed = 4 + display_width(series.name);
    if (!line.empty() && display_width(line) + needed > canvas.width) {
      text += line + "\n";
      line.clear();
    }
    // The blocks are as wide without colour.
    line += (line.empty() ? "  " : "  ") + block(series, 1, {}) + " " + series.name;
  }
  text += line + "\n";
  if (!canvas.colour) return text;
  for (const auto& series : panel.series)
    if (const auto at = text.find(block(series, 1, {}) + " " + series.name);
        at != std::string::npos)
      text.replace(at, block(series, 1, {}).size(), block(series, 1, canvas));
  return text;
}

std::string stacks_text(const Panel& panel, const Canvas& canvas, int names) {
  const int width = std::max(kNarrowestBar, canvas.width - names - 4);
  std::vector<std::vector<double>> rows(panel.categories.size());
  double longest = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    double sum = 0;
    for (const auto& series : panel.series) {
      rows[row].push_back(series.values[row].value_or(0));
      sum += rows[row].back();
    }
    longest = std::max(longest, sum);
  }
  std::string text;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const auto columns = columns_of(rows[row], longest / width);
    text += "  " + padded(panel.categories[row].name, names) + " ";
    for (std::size_t i = 0; i < columns.size(); ++i)
      text += block(panel.series[i], columns[i], canvas);
    text += "\n";
  }
  return text + legend(panel, canvas);
}

std::string bars_text(const Panel& panel, const Canvas& canvas, int names) {
  const Panel::Series& series = panel.series.front();
  int words = 0;
  for (std::size_t i = 0; i < series.values.size(); ++i)
    words = std::max(words, display_width(text_of(panel, series, i)));
  const int width = std::clamp(canvas.width - names - words - 6, kNarrowestBar, kWidestBar);
  std::string text;
  for (std::size_t i = 0; i < series.values.size(); ++i) {
    const std::string bar =
        bar_text(series.values[i].value_or(0), std::max(highest_of(panel), 1e-9), width);
    text +=
        fmt::format("  {} {} {}\n", padded(panel.categories[i].name, names),
                    coloured(padded(bar, width), kBarColour, canvas), text_of(panel, series, i));
  }
  return text;
}

std::string rows_text(const Panel& panel, const Canvas& canvas) {
  int names = 0;
  for (const auto& category : panel.categories)
    names = std::max(names, display_width(category.name));
  return (panel.stacked ? stacks_text : bars_text)(panel, canvas, names);
}

// One line of blocks with eight heights; `highest` is a full block.
std::string sparkline(const ChartValues& values, double highest) {
  static constexpr std::array<const char*, 9> kBlocks{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::string text;
  for (const auto& value : values)
    text += kBlocks[static_cast<std::size_t>(
        std::clamp(std::lround(highest > 0 ? 8 * value.value_or(0) / highest : 0), 0L, 8L))];
  return text;
}

std::string highest_text(double value, bool percent) {
  if (percent) return fmt::format("{:.0f} %", 100 * value);
  return value >= 100 ? grouped(static_cast<std::uint64_t>(std::lround(value)))
                      : fmt::format("{:.2f}", value);
}

std::size_t points_in(const Canvas& canvas) {
  return static_cast<std::size_t>(std::max(20, canvas.width - kNameColumn - 20));
}

std::string lines_text(const Panel& panel, const Canvas& canvas) {
  std::string text;
  const double highest = highest_of(panel);
  for (const auto& series : panel.series)
    if (std::ranges::any_of(series.values, [](const auto& value) { return value > 0; }))
      text += fmt::format("    {}  {}  {}\n", padded(series.name, kNameColumn),
                          coloured(sparkline(series.values, highest), kBarColour, canvas),
                          highest_text(highest, panel.values.unit == "ratio"));
  return text;
}

// Stacks of columns lie on their side: one bar for each sum. A dash stands before those behind the
// mark.
std::string columns_text(const Panel& panel, const Canvas& canvas) {
  const int width = std::clamp(canvas.width - 46, kNarrowestBar, kWidestBar);
  std::vector<double> sums(panel.categories.size(), 0);
  for (const auto& series : panel.series)
    for (std::size_t i = 0; i < sums.size() && !series.level; ++i)
      sums[i] += series.values[i].value_or(0);
  const double most = std::max(1.0, *std::ranges::max_element(sums));
  const double mark = panel.marks.empty() ? 1e9 : panel.marks.front().at;
  std::string text;
  for (std::size_t i = 0; i < sums.size(); ++i)
    text += fmt::format(
        "  {:>3} {}{}  {}\n", panel.categories[i].name, static_cast<double>(i) < mark ? " " : "-",
        padded(bar_text(sums[i], most, width), width), text_of(panel, panel.series.front(), i));
  return text + "  " + panel.along.name +
         (panel.marks.empty() ? "" : "; -: behind the " + panel.marks.front().name) + "\n";
}

std::string text_of(const Panel& panel, const Canvas& canvas) {
  std::string text = "\n" + folded(panel.title, canvas.width);
  if (!panel.note.empty()) text += folded("  " + panel.note, canvas.width);
  switch (panel.kind) {
    case Panel::Kind::rows: return text + rows_text(panel, canvas);
    case Panel::Kind::columns: return text + columns_text(panel, canvas);
    case Panel::Kind::lines: break;
  }
  return text + lines_text(panel, canvas);
}

}  // namespace

Canvas canvas_of(int descriptor) {
  const char* off = std::getenv("NO_COLOR");
  return {terminal_width(descriptor, kPlainWidth), isatty(descriptor) && !(off && *off)};
}

std::string plot_comparison(const lab::Comparison& comparison, const Canvas& canvas,
                            const SeriesNames& series) {
  std::string text;
  for (const Panel& panel : chart_of_comparison(comparison, points_in(canvas), series).panels)
    text += text_of(panel, canvas);
  return text;
}

std::string plot_run(const nlohmann::ordered_json& results, const Canvas& canvas,
                     const SeriesNames& series) {
  const Chart chart = chart_of_run(results, points_in(canvas), kMaxTerminalPictures, series);
  std::string text;
  for (const Panel& panel : chart.panels) {
    if (text.empty() && !panel.x.empty())
      text = fmt::format("\nover time: cycles {} to {}; the figure is the full height\n",
                         grouped(static_cast<std::uint64_t>(panel.x.front())),
                         grouped(static_cast<std::uint64_t>(panel.x.back())));
    text += text_of(panel, canvas);
  }
  return text;
}

}  // namespace heddle::report
