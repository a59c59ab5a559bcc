#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <nlohmann/json.hpp>

#include "base/terminal.h"
#include "report/palette.h"
#include "report/panels.h"
#include "report/plot.h"
#include "report/policy_bars.h"
#include "report/text_table.h"

namespace heddle::report {
namespace {

constexpr int kBarColour = 68;  // of the terminal's 256: blue
constexpr std::size_t kMaxTerminalPatterns = 3, kMaxTerminalBars = 6;

std::string coloured(const std::string& text, int ansi, const Canvas& canvas) {
  return canvas.colour && !text.empty() ? fmt::format("\033[38;5;{}m{}\033[0m", ansi, text) : text;
}

std::string repeated(std::string_view block, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += block;
  return text;
}

std::string slot_block(sm::SlotUse use, int columns, const Canvas& canvas) {
  return coloured(repeated(look_of(use).block, columns), look_of(use).terminal_colour, canvas);
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

std::string slot_legend(const Canvas& canvas) {
  std::string text = "  ";
  for (const sm::SlotUse use : kStackOrder)
    text += fmt::format("{} {}  ", slot_block(use, 1, canvas), sm::info(use).label);
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

// One line of blocks with eight heights; `highest` is a full block.
std::string sparkline(const std::vector<double>& values, double highest) {
  static constexpr std::array<const char*, 9> kBlocks{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::string text;
  for (const double v : values)
    text += kBlocks[static_cast<std::size_t>(
        std::clamp(std::lround(highest > 0 ? 8 * v / highest : 0), 0L, 8L))];
  return text;
}

std::string value_text(double value, bool percent) {
  if (percent) return fmt::format("{:.0f} %", 100 * value);
  return value >= 100 ? grouped(static_cast<std::uint64_t>(std::lround(value)))
                      : fmt::format("{:.2f}", value);
}

std::string pattern_text(const lab::IssuePattern& p, const Canvas& canvas) {
  std::string text = fmt::format("{}: {}, at cycle {} on SM {}: {} (degree of convexity {:.2f})\n",
                                 p.kernel, p.policy, grouped(p.cycle), p.sm, p.choice, p.convexity);
  std::uint64_t most = 1;
  for (std::size_t i = 0; i < p.instructions.size(); ++i)
    most = std::max(most, p.instructions[i] + p.barrier_time[i]);
  const int width = std::clamp(canvas.width - 46, 10, 60);
  for (std::size_t i = 0; i < p.instructions.size(); ++i) {
    const double score = static_cast<double>(p.instructions[i] + p.barrier_time[i]);
    text += fmt::format("  {:>3} {}{}  {}{}\n", i, i < p.of_interest ? " " : "-",
                        padded(bar_text(score, static_cast<double>(most), width), width),
                        grouped(p.instructions[i] + p.barrier_time[i]),
                        p.stalls[i] ? fmt::format(", stalled {}", grouped(p.stalls[i])) : "");
  }
  return text + fmt::format(
                    "  score of each warp, oldest first; {} warps of interest (the others: -), "
                    "their sum {:.0f} against a threshold of {:.0f}\n",
                    p.of_interest, p.sum, p.threshold);
}

std::string bars_text(const BarPicture& picture, const Canvas& canvas) {
  std::string text = picture.title + "\n";
  double most = 0;
  int labels = 0, words = 0;
  for (const auto& bar : picture.bars) {
    most = std::max(most, bar.value);
    labels = std::max(labels, display_width(bar.label));
    words = std::max(words, display_width(bar.text));
  }
  const int width = std::clamp(canvas.width - labels - words - 6, 10, 60);
  for (const auto& bar : picture.bars)
    text += fmt::format("  {} {} {}\n", padded(bar.label, labels),
                        padded(bar_text(bar.value, std::max(most, 1.0), width), width), bar.text);
  return text + "  " + picture.note + "\n";
}

}  // namespace

Canvas canvas_of(int descriptor) {
  const char* off = std::getenv("NO_COLOR");
  return {terminal_width(descriptor, kPlainWidth), isatty(descriptor) && !(off && *off)};
}

std::string plot_comparison(const lab::Comparison& comparison, const Canvas& canvas) {
  const ComparisonBars bars = comparison_bars(comparison);
  if (bars.rows.empty()) return {};
  int names = 0;
  for (const auto& row : bars.rows) names = std::max(names, display_width(row.name));
  const int width = std::max(10, canvas.width - names - 11);
  std::string text = fmt::format("\nspeed-up over {}\n", bars.rows[0].name);
  for (const auto& row : bars.rows)
    text +=
        fmt::format("  {} {} {:.3f}\n", padded(row.name, names),
                    coloured(bar_text(row.speed_up, bars.most_speed_up, width), kBarColour, canvas),
                    row.speed_up);
  text += "\nissue slots by use; bars are proportional to the runs' slots\n";
  for (const auto& row : bars.rows) {
    std::vector<double> parts;
    for (const sm::SlotUse use : kStackOrder)
      parts.push_back(static_cast<double>(row.figures.slots_of(use)));
    const auto columns = columns_of(parts, static_cast<double>(bars.most_slots) / width);
    std::string stack;
    for (std::size_t i = 0; i < columns.size(); ++i)
      stack += slot_block(kStackOrder[i], columns[i], canvas);
    text += fmt::format("  {} {}\n", padded(row.name, names), stack);
  }
  return text + slot_legend(canvas);
}

std::string plot_run(const nlohmann::ordered_json& results, const Canvas& canvas) {
  const int names = 26, width = std::max(20, canvas.width - names - 14);
  const lab::RunSeries series = lab::run_series(results, static_cast<std::size_t>(width));
  std::string text;
  if (!series.empty()) {
    const auto& last = series.points.back();
    text += fmt::format("\nover time: cycles {} to {}; the figure is the full height\n",
                        grouped(series.points[0].from), grouped(last.from + last.cycles));
    for (const Panel& panel : panels_of(series)) {
      text += "  " + panel.title + "\n";
      double highest = 0;
      for (const auto& curve : panel.curves)
        for (const double v : curve.values) highest = std::max(highest, v);
      if (panel.percent) highest = 1;
      for (const auto& curve : panel.curves) {
        if (std::all_of(curve.values.begin(), curve.values.end(), [](double v) { return v == 0; }))
          continue;
        text += fmt::format("    {}  {}  {}\n", padded(curve.name, names - 6),
                            coloured(sparkline(curve.values, highest), kBarColour, canvas),
                            value_text(highest, panel.percent));
      }
    }
    if (series.launches.size() > 1)
      text += fmt::format("  {} launches, one after the other\n", series.launches.size());
  }
  for (const lab::IssuePattern& pattern : lab::issue_patterns(results, kMaxTerminalPatterns))
    text += "\n" + pattern_text(pattern, canvas);
  for (const BarPicture& picture : policy_bars(results, kMaxTerminalBars))
    text += "\n" + bars_text(picture, canvas);
  return text;
}

}  // namespace heddle::report
