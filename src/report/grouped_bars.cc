#include "report/grouped_bars.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "report/svg.h"

namespace heddle::report {
namespace {

// Okabe and Ito's colours, which colour-blind readers can distinguish; then three greys.
constexpr std::array<std::string_view, 10> kBarColours{"#0072b2", "#e69f00", "#009e73", "#cc79a7",
                                                       "#56b4e9", "#d55e00", "#f0e442", "#444444",
                                                       "#888888", "#bbbbbb"};
constexpr std::string_view kAxisColour = "#666666", kGridColour = "#e4e4e4",
                           kMarkColour = "#000000";

constexpr double kLeft = 56, kRight = 16, kPlotHeight = 220;
constexpr double kWideBar = 13, kNarrowBar = 8, kGroupGap = 16;
constexpr std::size_t kManyBars = 60;  // from here on bars are narrow
constexpr double kMinWidth = 460;
constexpr int kNameSize = 11;
constexpr double kNameLine = 14, kNameGap = 10;
constexpr int kAxisSize = 11;

double largest_value(const GroupedBars& bars) {
  double most = bars.baseline.value_or(0);
  for (const auto& group : bars.groups)
    for (const auto& bar : group.bars)
      most = std::max({most, bar.value.value_or(0), bar.reference.value_or(0)});
  return most > 0 ? most : 1;
}

// The words of a text in lines of at most `width`.
std::vector<std::string> wrapped(const std::string& text, double width, int size) {
  std::vector<std::string> lines{""};
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::string longer = lines.back().empty() ? word : lines.back() + " " + word;
    if (lines.back().empty() || Svg::text_width(longer, size) <= width)
      lines.back() = longer;
    else
      lines.push_back(word);
  }
  return lines;
}

}  // namespace

std::string svg_of_bars(const GroupedBars& bars) {
  const double bar_width =
      bars.groups.size() * bars.series.size() >= kManyBars ? kNarrowBar : kWideBar;
  double word_width = 0;
  for (const auto& group : bars.groups) {
    std::vector<std::string> words = wrapped(group.name, 0, kNameSize);
    words.insert(words.end(), group.notes.begin(), group.notes.end());
    for (const std::string& word : words)
      word_width = std::max(word_width, Svg::text_width(word, kNameSize));
  }
  const double group_width = std::max(
      static_cast<double>(bars.series.size()) * bar_width + kGroupGap, word_width + kNameGap);
  const double plot_width = group_width * static_cast<double>(bars.groups.size());
  const double width = std::max(kMinWidth, kLeft + plot_width + kRight);

  Svg svg;
  svg.text(12, 20, bars.title, Svg::Anchor::start, 14);
  double x = 12, y = 42;
  const auto place = [&](double needed) {
    if (x > 12 && x + needed > width - kRight) {
      x = 12;
      y += 18;
    }
  };
  for (std::size_t i = 0; i < bars.series.size(); ++i) {
    place(16 + Svg::text_width(bars.series[i]) + 18);
    x += svg.legend(x, y, kBarColours[i % kBarColours.size()], bars.series[i]);
  }
  if (!bars.reference_meaning.empty()) {
    place(20 + Svg::text_width(bars.reference_meaning));
    svg.line(x, y - 4, x + 13, y - 4, kMarkColour, 2.5);
    svg.text(x + 18, y, bars.reference_meaning);
  }
  y += 2;
  for (const std::string& line : wrapped(bars.axis, width - 12 - kRight, kAxisSize))
    svg.text(12, y += 14, line, Svg::Anchor::start, kAxisSize, kAxisColour);
  const double top = y + 14, bottom = top + kPlotHeight;

  const double step = tick_step(largest_value(bars), 5);
  const double most = std::ceil(largest_value(bars) / step) * step;
  const auto height_of = [&](double value) { return value / most * kPlotHeight; };
  for (int i = 0; i * step <= most * 1.0001; ++i) {
    const double level = bottom - height_of(i * step);
    svg.line(kLeft, level, kLeft + plot_width, level, i == 0 ? kAxisColour : kGridColour);
    svg.text(kLeft - 6, level + 4, fmt::format("{:.4g}", i * step), Svg::Anchor::end, 11,
             kAxisColour);
  }
  double names_end = bottom;
  for (std::size_t g = 0; g < bars.groups.size(); ++g) {
    const auto& group = bars.groups[g];
    const double centre = kLeft + (static_cast<double>(g) + 0.5) * group_width;
    double left = centre - static_cast<double>(group.bars.size()) * bar_width / 2;
    for (std::size_t i = 0; i < group.bars.size(); ++i, left += bar_width) {
      const auto& bar = group.bars[i];
      if (bar.value)
        svg.rectangle(left, bottom - height_of(*bar.value), bar_width - 1, height_of(*bar.value),
                      kBarColours[i % kBarColours.size()],
                      fmt::format("{}, {}: {:.3f}", group.name, bars.series[i], *bar.value));
      else
        svg.text(left + bar_width / 2, bottom - 3, "?", Svg::Anchor::middle, 10, kAxisColour);
      if (bar.reference) {
        const double level = bottom - height_of(*bar.reference);
        svg.line(left - 1, level, left + bar_width, level, kMarkColour, 2.5);
      }
    }
    double base = bottom + 2;
    for (const std::string& line : wrapped(group.name, group_width - kNameGap, kNameSize))
      svg.text(centre, base += kNameLine, line, Svg::Anchor::middle, kNameSize);
    for (const std::string& line : group.notes)
      svg.text(centre, base += kNameLine, line, Svg::Anchor::middle, kNameSize, kAxisColour);
    names_end = std::max(names_end, base);
  }
  if (bars.baseline) {
    const double level = bottom - height_of(*bars.baseline);
    svg.line(kLeft, level, kLeft + plot_width, level, kAxisColour, 1, true);
  }
  return svg.document(width, names_end + kNameLine, bars.title);
}

}  // namespace heddle::report
