#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "report/palette.h"
#include "report/panels.h"
#include "report/plot.h"
#include "report/policy_bars.h"
#include "report/svg.h"
#include "report/text_table.h"

namespace heddle::report {
namespace {

using Anchor = Svg::Anchor;
constexpr std::string_view kGrid = "#e4e4e4", kAxis = "#888888", kSoft = "#555555";
constexpr double kMargin = 20, kRow = 26, kBar = 17;
constexpr std::size_t kMaxPoints = 400, kMaxPatterns = 4, kMaxBarPictures = 6;

std::string tick_text(double value, bool percent) {
  if (percent) return fmt::format("{:.0f} %", 100 * value);
  if (value >= 1e6) return fmt::format("{:g} M", value / 1e6);
  if (value >= 1e4) return fmt::format("{:g} k", value / 1e3);
  return fmt::format("{:g}", std::round(value * 1e6) / 1e6);
}

// An axis below [x, x + width] from 0 to `highest`, with a grid up to `top`.
void bottom_axis(Svg& svg, double x, double width, double top, double bottom, double highest,
                 bool percent, const std::string& meaning) {
  const double step = tick_step(highest, 5);
  for (double v = 0; v <= highest * 1.0001; v += step) {
    const double at = x + width * v / highest;
    svg.line(at, top, at, bottom, kGrid);
    svg.text(at, bottom + 15, tick_text(v, percent), Anchor::middle, 11, kSoft);
  }
  svg.line(x, top, x, bottom, kAxis);
  svg.text(x + width / 2, bottom + 32, meaning, Anchor::middle, 12, kSoft);
}

double legend_of_slots(Svg& svg, double x, double y) {
  for (const sm::SlotUse use : kStackOrder)
    x += svg.legend(x, y, look_of(use).colour, std::string(sm::info(use).label));
  return x;
}

void stack_of_slots(Svg& svg, const ComparisonBars::Row& row, double x, double y, double per_slot) {
  for (const sm::SlotUse use : kStackOrder) {
    const auto count = row.figures.slots_of(use);
    const double width = static_cast<double>(count) * per_slot;
    svg.rectangle(x, y, width, kBar, look_of(use).colour,
                  fmt::format("{}: {} {}", row.name, sm::info(use).label,
                              percent(row.figures.share_of(use))));
    x += width;
  }
}

// The place of one panel of a picture over time.
struct Frame {
  double left, right, top, bottom;
  std::uint64_t from, to;
  double x(double cycle) const {
    return left + (right - left) * (cycle - static_cast<double>(from)) /
                      static_cast<double>(std::max<std::uint64_t>(1, to - from));
  }
};

double highest_of(const Panel& panel) {
  double highest = 0;
  for (const auto& curve : panel.curves)
    for (const double v : curve.values) highest = std::max(highest, v);
  return panel.percent ? 1 : highest > 0 ? highest * 1.05 : 1;
}

// Of the curve or part with this index.
std::string_view colour_of(std::size_t index, bool of_slots) {
  return of_slots ? look_of(kStackOrder[index]).colour : kLineColours[index % kLineColours.size()];
}

void draw_stack(Svg& svg, const Frame& f, const lab::RunSeries& series, const Panel& panel,
                std::size_t point, bool of_slots) {
  const auto& p = series.points[point];
  double bottom = f.bottom;
  for (std::size_t c = 0; c < panel.curves.size(); ++c) {
    const double height = panel.curves[c].values[point] * (f.bottom - f.top);
    svg.rectangle(f.x(static_cast<double>(p.from)), bottom - height,
                  f.x(static_cast<double>(p.from + p.cycles)) - f.x(static_cast<double>(p.from)),
                  height, colour_of(c, of_slots));
    bottom -= height;
  }
}

void draw_panel(Svg& svg, const Frame& f, const lab::RunSeries& series, const Panel& panel,
                bool of_slots) {
  const double highest = highest_of(panel), step = tick_step(highest, 4);
  double legend = f.left + Svg::text_width(panel.title, 13) + 24;
  svg.text(f.left, f.top - 9, panel.title, Anchor::start, 13);
  for (std::size_t c = 0; c < panel.curves.size(); ++c)
    if (!panel.curves[c].name.empty())
      legend += svg.legend(legend, f.top - 9, colour_of(c, of_slots), panel.curves[c].name);
  for (double v = 0; v <= highest * 1.0001; v += step) {
    const double y = f.bottom - (f.bottom - f.top) * v / highest;
    svg.line(f.left, y, f.right, y, kGrid);
    svg.text(f.left - 6, y + 4, tick_text(v, panel.percent), Anchor::end, 11, kSoft);
  }
  if (panel.stack) {
    for (std::size_t p = 0; p < series.points.size(); ++p)
      draw_stack(svg, f, series, panel, p, of_slots);
  } else {
    for (std::size_t c = 0; c < panel.curves.size(); ++c) {
      std::vector<std::pair<double, double>> points;
      for (std::size_t p = 0; p < series.points.size(); ++p)
        points.emplace_back(f.x(static_cast<double>(series.points[p].from) +
                                static_cast<double>(series.points[p].cycles) / 2),
                            f.bottom - (f.bottom - f.top) * panel.curves[c].values[p] / highest);
      svg.curve(points, kLineColours[c % kLineColours.size()]);
    }
  }
  svg.line(f.left, f.bottom, f.right, f.bottom, kAxis);
  svg.line(f.left, f.top, f.left, f.bottom, kAxis);
}

// A dashed line marks the start of a launch; its kernel is named when there is room.
void mark_launches(Svg& svg, const Frame& f, const lab::RunSeries& series, double top) {
  double free_from = f.left;
  for (const auto& mark : series.launches) {
    if (mark.point >= series.points.size()) continue;
    const double x = f.x(static_cast<double>(series.points[mark.point].from));
    svg.line(x, f.top, x, f.bottom, "#9a9a9a", 1, true);
    if (x < free_from || x + Svg::text_width(mark.kernel, 11) > f.right) continue;
    svg.text(x, top - 4, mark.kernel, Anchor::start, 11, kSoft);
    free_from = x + Svg::text_width(mark.kernel, 11) + 10;
  }
}

void time_axis(Svg& svg, const Frame& f) {
  const double highest = static_cast<double>(f.to),
               step = tick_step(highest - static_cast<double>(f.from), 8);
  for (double v = std::ceil(static_cast<double>(f.from) / step) * step; v <= highest; v += step) {
    svg.line(f.x(v), f.bottom, f.x(v), f.bottom + 4, kAxis);
    svg.text(f.x(v), f.bottom + 17, tick_text(v, false), Anchor::middle, 11, kSoft);
  }
  svg.text((f.left + f.right) / 2, f.bottom + 34, "core cycles", Anchor::middle, 12, kSoft);
}

// Scores of the warps by age, the threshold per warp, and the last warp of interest.
void draw_pattern(Svg& svg, const lab::IssuePattern& p, double left, double width, double top,
                  double bottom) {
  std::uint64_t most = 1;
  for (std::size_t i = 0; i < p.instructions.size(); ++i)
    most = std::max(most, p.instructions[i] + p.barrier_time[i]);
  const double highest = static_cast<double>(most) * 1.05, step = tick_step(highest, 4),
               scale = (bottom - top) / highest;
  svg.text(left, top - 26,
           fmt::format("{}: {}, SM {}, cycle {}: {}", p.kernel, p.policy, p.sm, grouped(p.cycle),
                       p.choice),
           Anchor::start, 13);
  svg.text(
      left, top - 9,
      fmt::format("sum {:.0f}, threshold {:.0f}: degree of convexity {:.2f}; {} warps of interest",
                  p.sum, p.threshold, p.convexity, p.of_interest),
      Anchor::start, 11, kSoft);
  for (double v = 0; v <= highest; v += step) {
    svg.line(left, bottom - v * scale, left + width, bottom - v * scale, kGrid);
    svg.text(left - 6, bottom - v * scale + 4, tick_text(v, false), Anchor::end, 11, kSoft);
  }
  const double each = width / static_cast<double>(std::max<std::size_t>(1, p.instructions.size()));
  for (std::size_t i = 0; i < p.instructions.size(); ++i) {
    const double x = left + each * static_cast<double>(i),
                 issued = static_cast<double>(p.instructions[i]) * scale;
    const std::string tip =
        fmt::format("warp {} by age: {} instructions, {} at barriers, {} stalls", i,
                    p.instructions[i], p.barrier_time[i], p.stalls[i]);
    svg.rectangle(x + each * 0.1, bottom - issued, each * 0.8, issued,
                  i < p.of_interest ? kLineColours[0] : "#b7c9de", tip);
    const double waited = static_cast<double>(p.barrier_time[i]) * scale;
    svg.rectangle(x + each * 0.1, bottom - issued - waited, each * 0.8, waited,
                  look_of(sm::SlotUse::barrier).colour, tip);
  }
  const double interest = left + each * static_cast<double>(p.of_interest);
  const double mean =
      bottom - (p.of_interest ? p.threshold / static_cast<double>(p.of_interest) : 0) * scale;
  svg.line(left, mean, interest, mean, kLineColours[1], 1.5);
  svg.line(interest, top, interest, bottom, kLineColours[1], 1.5, true);
  svg.line(left, bottom, left + width, bottom, kAxis);
  svg.line(left, top, left, bottom, kAxis);
  svg.text(left + width / 2, bottom + 17, "warps from the oldest to the youngest", Anchor::middle,
           12, kSoft);
  double x = left + svg.legend(left, bottom + 36, kLineColours[0], "instructions");
  x += svg.legend(x, bottom + 36, "#b7c9de", "not of interest");
  x += svg.legend(x, bottom + 36, look_of(sm::SlotUse::barrier).colour, "barrier time");
  svg.legend(x, bottom + 36, kLineColours[1], "threshold per warp, last warp of interest");
}

// Returns the height of the picture.
double draw_bars(Svg& svg, const BarPicture& picture, double left, double width, double top) {
  double most = 1, labels = 0, words = 0;
  for (const auto& bar : picture.bars) {
    most = std::max(most, bar.value);
    labels = std::max(labels, Svg::text_width(bar.label));
    words = std::max(words, Svg::text_width(bar.text, 11));
  }
  svg.text(left, top, picture.title, Anchor::start, 13);
  svg.text(left, top + 17, picture.note, Anchor::start, 11, kSoft);
  const double from = left + labels + 8, scale = std::max(40.0, width - labels - words - 20) / most;
  double y = top + 28;
  for (const auto& bar : picture.bars) {
    svg.text(from - 6, y + 13, bar.label, Anchor::end);
    svg.rectangle(from, y, bar.value * scale, kBar, kLineColours[0], bar.label + ": " + bar.text);
    svg.text(from + bar.value * scale + 5, y + 13, bar.text, Anchor::start, 11);
    y += kRow - 4;
  }
  return y - top;
}

}  // namespace

ComparisonBars comparison_bars(const lab::Comparison& comparison) {
  ComparisonBars bars;
  for (const lab::Contestant& c : comparison.contestants) {
    if (c.failed()) continue;
    const lab::KernelFigures& total = c.figures().total;
    const std::uint64_t base = bars.rows.empty() ? total.cycles : bars.rows[0].figures.cycles;
    bars.rows.push_back(
        {c.scheduler, total, static_cast<double>(base) / static_cast<double>(total.cycles)});
    bars.most_speed_up = std::max(bars.most_speed_up, bars.rows.back().speed_up);
    bars.most_slots = std::max(bars.most_slots, total.all_slots());
  }
  return bars;
}

std::string svg_of_comparison(const lab::Comparison& comparison) {
  const ComparisonBars bars = comparison_bars(comparison);
  const auto& rows = bars.rows;
  if (rows.empty()) return Svg().document(400, 60, "no results");
  double names = 0;
  for (const auto& row : rows) names = std::max(names, Svg::text_width(row.name));
  const double base_slots =
      static_cast<double>(std::max<std::uint64_t>(1, rows[0].figures.all_slots()));
  const double highest = bars.most_speed_up,
               longest = std::max(1.0, static_cast<double>(bars.most_slots) / base_slots);
  constexpr double kSpeedWidth = 300, kSlotWidth = 440, kGap = 60;
  const double left = kMargin + names + 10, slots_left = left + kSpeedWidth + kGap + 30, top = 108;
  const double bottom = top + kRow * static_cast<double>(rows.size()),
               width = slots_left + kSlotWidth + kMargin + 30;
  std::string program;
  for (const std::string& word : comparison.request.program)
    program +=
        (program.empty() ? "" : " ") + word.substr(program.empty() ? word.rfind('/') + 1 : 0);
  Svg svg;
  const std::string title = program + " on " + comparison.request.gpu;
  svg.text(kMargin, 28, title, Anchor::start, 17);
  legend_of_slots(svg, kMargin, 56);
  svg.text(left, top - 14, "speed-up over " + rows[0].name, Anchor::start, 13);
  svg.text(slots_left, top - 14, "issue slots by use, against all slots of " + rows[0].name,
           Anchor::start, 13);
  bottom_axis(svg, left, kSpeedWidth, top - 4, bottom, highest * 1.05, false, "speed-up");
  bottom_axis(svg, slots_left, kSlotWidth, top - 4, bottom, longest * 1.02, true, "issue slots");
  const double one = left + kSpeedWidth / (highest * 1.05);
  svg.line(one, top - 4, one, bottom, kSoft, 1, true);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double y = top + kRow * static_cast<double>(i) + (kRow - kBar) / 2,
                 speed_up = rows[i].speed_up;
    const double length = kSpeedWidth * speed_up / (highest * 1.05);
    svg.text(left - 8, y + 13, rows[i].name, Anchor::end);
    svg.rectangle(left, y, length, kBar, kLineColours[0],
                  fmt::format("{}: {} cycles", rows[i].name, grouped(rows[i].figures.cycles)));
    svg.text(left + length + 5, y + 13, fmt::format("{:.3f}", speed_up), Anchor::start, 11);
    stack_of_slots(svg, rows[i], slots_left, y, kSlotWidth / (base_slots * longest * 1.02));
  }
  return svg.document(width, bottom + 50, title);
}

std::string svg_of_run(const nlohmann::ordered_json& results) {
  constexpr double kLeft = 76, kPlot = 860, kHeight = 110, kPanel = 158;
  const lab::RunSeries series = lab::run_series(results, kMaxPoints);
  const auto panels = panels_of(series);
  const auto patterns = lab::issue_patterns(results, kMaxPatterns);
  const std::string title =
      results.value("/program/path"_json_pointer, std::string("run"))
          .substr(results.value("/program/path"_json_pointer, std::string("run")).rfind('/') + 1) +
      " on " + results.value("gpu", "") + " under " + results.value("scheduler", "");
  Svg svg;
  svg.text(kMargin, 28, title, Anchor::start, 17);
  double y = 90;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const Frame frame{kLeft,
                      kLeft + kPlot,
                      y,
                      y + kHeight,
                      series.points.front().from,
                      series.points.back().from + series.points.back().cycles};
    if (i == 0) mark_launches(svg, frame, series, y - 26);
    draw_panel(svg, frame, series, panels[i], i == 0);
    if (i + 1 == panels.size()) time_axis(svg, frame);
    y += kPanel;
  }
  y += panels.empty() ? 0 : 40;
  for (const lab::IssuePattern& pattern : patterns) {
    draw_pattern(svg, pattern, kLeft, kPlot, y, y + 150);
    y += 260;
  }
  for (const BarPicture& picture : policy_bars(results, kMaxBarPictures))
    y += draw_bars(svg, picture, kLeft, kPlot, y) + 34;
  return svg.document(kLeft + kPlot + kMargin + 10, y, title);
}

}  // namespace heddle::report
