#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "report/chart.h"
#include "report/palette.h"
#include "report/svg.h"

namespace heddle::report {
namespace {

using Anchor = Svg::Anchor;
using Kind = Panel::Kind;

constexpr std::string_view kGrid = "#e4e4e4", kAxis = "#888888", kSoft = "#555555",
                           kInk = "#000000";
constexpr double kMargin = 20, kColumnGap = 44, kPanelGap = 30;
constexpr int kTitleSize = 17, kPanelSize = 13, kSmall = 11;
constexpr double kLine = 15, kLegendLine = 18;
constexpr double kValueTicks = 50;  // left of columns and lines
constexpr double kLinesWidth = 860, kNarrowLines = 400, kLinesHeight = 120;
constexpr double kColumnsHeight = 220, kWideBar = 13, kNarrowBar = 8, kGroupGap = 16, kNameGap = 10;
constexpr double kLeastColumns = 400, kLeastNarrowColumns = 220;
constexpr std::size_t kManyBars = 60;  // from here on bars are narrow
constexpr double kRow = 26, kBar = 17, kThinRow = 13, kRows = 300, kStackedRows = 440;
constexpr double kTextInBar = 34;    // a share needs as much
constexpr double kCap = 3;           // of an error bar: half its length
constexpr double kMostSymbols = 60;  // points of a line that has symbols, at most

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
  if (lines.front().empty()) lines.clear();
  return lines;
}

using Point = std::pair<double, double>;

// A line with a cap at each end.
void draw_error_bar(Svg& svg, Point from, Point to) {
  const double across = from.first == to.first ? kCap : 0,
               along = from.first == to.first ? 0 : kCap;
  svg.line(from.first, from.second, to.first, to.second, kInk, 1.5);
  for (const auto& [x, y] : {from, to})
    svg.line(x - across, y - along, x + across, y + along, kInk, 1.5);
}

class PanelPicture {
 public:
  PanelPicture(const Panel& panel, bool alone);
  double width() const { return left_ + plot_width_ + right_; }
  double height() const { return header(nullptr, 0, 0) + plot_height_ + footer_height(); }
  void draw(Svg& svg, double x, double y) const;

 private:
  double header(Svg* svg, double x, double y) const;  // its height; null: measures only
  double legend(Svg* svg, double x, double y) const;
  double footer_height() const;
  bool wants_legend() const;
  double bar_width() const;
  std::string tip(const Panel::Series& series, std::size_t index) const;
  std::string colour_of(const Panel::Series& series, std::size_t index) const;

  struct Plot {
    double left, top, right, bottom;
  };
  double level(const Plot& plot, double value) const {
    return plot.bottom - scale_.place(value) * (plot.bottom - plot.top);
  }
  double along(const Plot& plot, double x) const {
    return plot.left + (x - from_) / (to_ - from_) * (plot.right - plot.left);
  }
  double centre(const Plot& plot, std::size_t category) const {
    return plot.left + (static_cast<double>(category) + 0.5) * group_width_;
  }
  void draw_value_axis(Svg& svg, const Plot& plot) const;
  void draw_rows(Svg& svg, const Plot& plot) const;
  void draw_row_bars(Svg& svg, const Plot& plot, std::size_t category) const;
  void draw_columns(Svg& svg, const Plot& plot) const;
  void draw_category_names(Svg& svg, const Plot& plot) const;
  void draw_lines(Svg& svg, const Plot& plot) const;
  void draw_areas(Svg& svg, const Plot& plot) const;
  void draw_along(Svg& svg, const Plot& plot) const;
  void draw_marks(Svg& svg, const Plot& plot) const;

  const Panel& panel_;
  ValueScale scale_;
  double left_ = 0, right_ = 0, plot_width_ = 0, plot_height_ = 0;
  double row_ = kRow;
  double group_width_ = 1, name_lines_ = 0;  // of columns
  double from_ = 0, to_ = 0;                 // of x
};

PanelPicture::PanelPicture(const Panel& panel, bool alone) : panel_(panel), scale_(panel) {
  double names = 0, words = 0, texts = 0;
  std::size_t notes = 0;
  for (const Panel::Category& category : panel.categories) {
    names = std::max(names, Svg::text_width(category.name));
    notes = std::max(notes, category.notes.size());
    for (const std::string& word : wrapped(category.name, 0, kSmall))
      words = std::max(words, Svg::text_width(word, kSmall));
    for (const std::string& note : category.notes)
      words = std::max(words, Svg::text_width(note, kSmall));
  }
  if (panel.kind == Kind::rows) {
    for (const Panel::Series& series : panel.series)
      for (std::size_t i = 0; !panel.stacked && i < series.values.size(); ++i)
        texts = std::max(texts, Svg::text_width(text_of(panel, series, i), kSmall) + 8);
    left_ = names + 8;
    right_ = std::max(texts, 20.0);
    plot_width_ = panel.stacked ? kStackedRows : kRows;
    if (!panel.stacked && panel.series.size() > 1)
      row_ = kThinRow * static_cast<double>(panel.series.size()) + kRow - kBar;
    plot_height_ = row_ * static_cast<double>(panel.categories.size());
    return;
  }
  left_ = kValueTicks;
  right_ = 12;
  plot_height_ = panel.kind == Kind::lines && !panel.x.empty() ? kLinesHeight : kColumnsHeight;
  plot_width_ = alone ? kLinesWidth : kNarrowLines;
  for (const Panel::Series& series : panel.series) {
    const std::vector<double>& x = series.x.empty() ? panel.x : series.x;
    if (x.empty()) continue;
    from_ = to_ > 0 ? std::min(from_, x.front()) : x.front();
    to_ = std::max(to_, x.back());
  }
  if (panel.categories.empty()) return;
  group_width_ = words + kNameGap;
  if (panel.kind == Kind::columns) {
    double bars = panel.stacked ? 1 : 0;
    for (const Panel::Series& series : panel.series) bars += !series.level && !panel.stacked;
    group_width_ = std::max(group_width_, bars * bar_width() + kGroupGap);
  }
  const auto count = static_cast<double>(panel.categories.size());
  group_width_ = std::max(group_width_, (alone ? kLeastColumns : kLeastNarrowColumns) / count);
  plot_width_ = group_width_ * count;
  for (const Panel::Category& category : panel.categories)
    name_lines_ = std::max(
        name_lines_, static_cast<double>(
                         wrapped(category.name, group_width_ - kNameGap, kSmall).size() + notes));
}

double PanelPicture::bar_width() const {
  return panel_.categories.size() * panel_.series.size() >= kManyBars ? kNarrowBar : kWideBar;
}

bool PanelPicture::wants_legend() const {
  return panel_.series.size() > 1 || !panel_.published.empty();
}

std::string PanelPicture::colour_of(const Panel::Series& series, std::size_t index) const {
  return index < panel_.categories.size() && !panel_.categories[index].colour.empty()
             ? panel_.categories[index].colour
             : series.colour;
}

std::string PanelPicture::tip(const Panel::Series& series, std::size_t index) const {
  return panel_.categories[index].name + (series.name.empty() ? "" : ", " + series.name) + ": " +
         text_of(panel_, series, index);
}

double PanelPicture::legend(Svg* svg, double x, double y) const {
  const double start = x, end = x + width();
  double lines = 1;
  const auto place = [&](double needed) {
    if (x > start && x + needed > end) {
      x = start;
      y += kLegendLine;
      ++lines;
    }
  };
  for (const Panel::Series& series : panel_.series) {
    if (series.name.empty()) continue;
    const bool is_line = (panel_.kind == Kind::lines && !panel_.stacked) || series.level;
    const double sample = is_line ? 26 : 11, needed = sample + 5 + Svg::text_width(series.name);
    place(needed);
    if (svg && is_line) {
      svg->curve({{x, y - 4}, {x + sample, y - 4}}, series.colour, series.variant);
      if (!panel_.categories.empty() && !series.level)
        svg->symbol(x + sample / 2, y - 4, series.colour, series.variant);
    } else if (svg) {
      svg->rectangle(x, y - 10, sample, 11, series.colour);
    }
    if (svg) svg->text(x + sample + 5, y, series.name);
    x += needed + 18;
  }
  if (!panel_.published.empty()) {
    place(18 + Svg::text_width(panel_.published));
    if (svg) {
      svg->line(x, y - 4, x + 13, y - 4, kInk, 2.5);
      svg->text(x + 18, y, panel_.published);
    }
  }
  return lines * kLegendLine;
}

double PanelPicture::header(Svg* svg, double x, double y) const {
  const double start = y;
  const auto put = [&](const std::string& text, int size, std::string_view colour) {
    for (const std::string& line : wrapped(text, width(), size)) {
      y += size == kPanelSize ? kLine + 2 : kLine - 1;
      if (svg) svg->text(x, y, line, Anchor::start, size, colour);
    }
  };
  put(panel_.title, kPanelSize, "#222222");
  put(panel_.note, kSmall, kSoft);
  if (panel_.kind != Kind::rows) put(panel_.values.name, kSmall, kSoft);
  if (wants_legend()) y += legend(svg, x, y + kLegendLine);
  for (const Panel::Mark& mark : panel_.marks)
    if (!mark.name.empty()) {
      y += kLine;
      break;
    }
  return y + 8 - start;
}

double PanelPicture::footer_height() const {
  if (panel_.kind == Kind::rows) return panel_.values.name.empty() ? 22 : 38;
  return (panel_.categories.empty() ? 18 : name_lines_ * (kLine - 1) + 6) +
         (panel_.along.name.empty() ? 0 : 16);
}

void PanelPicture::draw(Svg& svg, double x, double y) const {
  y += header(&svg, x, y);
  const Plot plot{x + left_, y, x + left_ + plot_width_, y + plot_height_};
  draw_value_axis(svg, plot);
  switch (panel_.kind) {
    case Kind::rows: draw_rows(svg, plot); return;
    case Kind::columns: draw_columns(svg, plot); break;
    case Kind::lines: panel_.stacked ? draw_areas(svg, plot) : draw_lines(svg, plot); break;
  }
  draw_marks(svg, plot);
  if (panel_.categories.empty())
    draw_along(svg, plot);
  else
    draw_category_names(svg, plot);
  if (!panel_.along.name.empty())
    svg.text((plot.left + plot.right) / 2, plot.bottom + footer_height() - 2, panel_.along.name,
             Anchor::middle, kSmall, kSoft);
  svg.line(plot.left, plot.bottom, plot.right, plot.bottom, kAxis);
  svg.line(plot.left, plot.top, plot.left, plot.bottom, kAxis);
}

void PanelPicture::draw_value_axis(Svg& svg, const Plot& plot) const {
  std::vector<std::array<double, 4>> grid;
  for (const double tick : scale_.ticks()) {
    const std::string words = tick_text(tick, scale_.percent(), scale_.ticks().back());
    if (panel_.kind == Kind::rows) {
      const double x = plot.left + scale_.place(tick) * plot_width_;
      grid.push_back({x, plot.top, x, plot.bottom});
      svg.text(x, plot.bottom + 15, words, Anchor::middle, kSmall, kSoft);
    } else {
      grid.push_back({plot.left, level(plot, tick), plot.right, level(plot, tick)});
      svg.text(plot.left - 6, level(plot, tick) + 4, words, Anchor::end, kSmall, kSoft);
    }
  }
  svg.lines(grid, kGrid);
  if (panel_.baseline && panel_.kind != Kind::rows)
    svg.line(plot.left, level(plot, *panel_.baseline), plot.right, level(plot, *panel_.baseline),
             kSoft, 1, true);
}

void PanelPicture::draw_row_bars(Svg& svg, const Plot& plot, std::size_t category) const {
  const auto count = static_cast<double>(panel_.stacked ? 1 : panel_.series.size());
  const double each = (row_ - (kRow - kBar)) / count;
  double y = plot.top + row_ * static_cast<double>(category) + (kRow - kBar) / 2, sum = 0;
  const auto x_of = [&](double value) { return plot.left + scale_.place(value) * plot_width_; };
  for (const Panel::Series& series : panel_.series) {
    if (!series.values[category]) {
      svg.text(plot.left + 5, y + each / 2 + 4.5, "not measured", Anchor::start, kSmall, kSoft);
      if (!panel_.stacked) y += each;
      continue;
    }
    const double from = panel_.stacked ? x_of(sum) : plot.left + scale_.origin() * plot_width_,
                 value = *series.values[category], to = x_of(panel_.stacked ? sum + value : value);
    const std::string colour = colour_of(series, category),
                      text = text_of(panel_, series, category);
    const auto ends = ends_of_bar(series, category);
    svg.rectangle(std::min(from, to), y, std::fabs(to - from), each, colour, tip(series, category));
    if (!panel_.stacked)
      svg.text(std::max({from, to, ends ? x_of(ends->second) : to}) + 5, y + each / 2 + 4.5, text,
               Anchor::start, kSmall);
    else if (to - from >= kTextInBar)
      svg.text((from + to) / 2, y + 12.5, text, Anchor::middle, kSmall, ink_on(colour));
    if (category < series.published.size() && series.published[category])
      svg.line(x_of(*series.published[category]), y - 2, x_of(*series.published[category]),
               y + each + 2, kInk, 2.5);
    if (ends)
      draw_error_bar(svg, {x_of(ends->first), y + each / 2}, {x_of(ends->second), y + each / 2});
    panel_.stacked ? sum += value : y += each;
  }
}

void PanelPicture::draw_rows(Svg& svg, const Plot& plot) const {
  if (panel_.baseline) {
    const double x = plot.left + scale_.place(*panel_.baseline) * plot_width_;
    svg.line(x, plot.top - 4, x, plot.bottom, kSoft, 1, true);
  }
  for (std::size_t c = 0; c < panel_.categories.size(); ++c) {
    svg.text(plot.left - 8, plot.top + row_ * (static_cast<double>(c) + 0.5) + 4.5,
             panel_.categories[c].name, Anchor::end);
    draw_row_bars(svg, plot, c);
  }
  svg.line(plot.left, plot.top, plot.left, plot.bottom, kAxis);
  svg.text((plot.left + plot.right) / 2, plot.bottom + 32, panel_.values.name, Anchor::middle,
           kSmall, kSoft);
}

void PanelPicture::draw_columns(Svg& svg, const Plot& plot) const {
  const double bar = panel_.stacked ? group_width_ * 0.8 : bar_width();
  double bars = panel_.stacked ? 1 : 0;
  for (const Panel::Series& series : panel_.series) bars += !series.level && !panel_.stacked;
  const double origin = plot.bottom - scale_.origin() * plot_height_;
  for (std::size_t c = 0; c < panel_.categories.size(); ++c) {
    double x = centre(plot, c) - bars * bar / 2, sum = 0;
    for (const Panel::Series& series : panel_.series) {
      const auto& value = series.values[c];
      if (series.level) {
        if (value)
          svg.line(centre(plot, c) - group_width_ / 2, level(plot, *value),
                   centre(plot, c) + group_width_ / 2, level(plot, *value), series.colour, 1.5);
        continue;
      }
      if (value) {
        const double from = panel_.stacked ? level(plot, sum) : origin,
                     to = level(plot, panel_.stacked ? sum + *value : *value);
        svg.rectangle(x, std::min(from, to), bar - 1, std::fabs(from - to), colour_of(series, c),
                      tip(series, c));
        sum += *value;
      } else {
        svg.text(x + bar / 2, plot.bottom - 3, "?", Anchor::middle, 10, kSoft);
      }
      if (c < series.published.size() && series.published[c])
        svg.line(x - 1, level(plot, *series.published[c]), x + bar,
                 level(plot, *series.published[c]), kInk, 2.5);
      if (const auto ends = ends_of_bar(series, c))
        draw_error_bar(svg, {x + bar / 2, level(plot, ends->first)},
                       {x + bar / 2, level(plot, ends->second)});
      if (!panel_.stacked) x += bar;
    }
    if (panel_.categories[c].mean && c && !panel_.categories[c - 1].mean)
      svg.line(centre(plot, c) - group_width_ / 2, plot.top, centre(plot, c) - group_width_ / 2,
               plot.bottom, kAxis);
  }
}

void PanelPicture::draw_category_names(Svg& svg, const Plot& plot) const {
  for (std::size_t c = 0; c < panel_.categories.size(); ++c) {
    double y = plot.bottom + 2;
    const auto put = [&](const std::string& line, std::string_view colour) {
      svg.text(centre(plot, c), y += kLine - 1, line, Anchor::middle, kSmall, colour);
    };
    for (const std::string& line :
         wrapped(panel_.categories[c].name, group_width_ - kNameGap, kSmall))
      put(line, "#222222");
    for (const std::string& line : panel_.categories[c].notes) put(line, kSoft);
  }
}

void PanelPicture::draw_lines(Svg& svg, const Plot& plot) const {
  for (const Panel::Series& series : panel_.series) {
    const std::vector<double>& x = series.x.empty() ? panel_.x : series.x;
    std::vector<std::pair<double, double>> points;
    const auto end_line = [&] {
      svg.curve(points, series.colour, series.variant);
      points.clear();
    };
    for (std::size_t i = 0; i < series.values.size(); ++i) {
      if (!series.values[i]) {
        end_line();
        continue;
      }
      const double y = level(plot, *series.values[i]);
      points.emplace_back(x.empty() ? centre(plot, i) : along(plot, x[i]), y);
      if (!x.empty()) points.emplace_back(along(plot, x[i + 1]), y);
      if (x.empty() && static_cast<double>(series.values.size()) <= kMostSymbols)
        svg.symbol(points.back().first, points.back().second, series.colour, series.variant,
                   tip(series, i));
      if (i < series.published.size() && series.published[i])
        svg.line(points.back().first - 6, level(plot, *series.published[i]),
                 points.back().first + 6, level(plot, *series.published[i]), kInk, 2.5);
    }
    end_line();
  }
}

void PanelPicture::draw_areas(Svg& svg, const Plot& plot) const {
  for (std::size_t i = 0; i + 1 < panel_.x.size(); ++i) {
    double sum = 0;
    for (const Panel::Series& series : panel_.series) {
      const double value = series.values[i].value_or(0), from = along(plot, panel_.x[i]);
      svg.rectangle(from, level(plot, sum + value), along(plot, panel_.x[i + 1]) - from,
                    level(plot, sum) - level(plot, sum + value), series.colour);
      sum += value;
    }
  }
}

void PanelPicture::draw_along(Svg& svg, const Plot& plot) const {
  const double step = tick_step(to_ - from_, 8);
  std::vector<std::array<double, 4>> ticks;
  for (double x = std::ceil(from_ / step) * step; x <= to_; x += step) {
    ticks.push_back({along(plot, x), plot.bottom, along(plot, x), plot.bottom + 4});
    svg.text(along(plot, x), plot.bottom + 16, tick_text(x, false, to_), Anchor::middle, kSmall,
             kSoft);
  }
  svg.lines(ticks, kAxis);
}

// A mark is named when there is room.
void PanelPicture::draw_marks(Svg& svg, const Plot& plot) const {
  double free_from = plot.left;
  for (const Panel::Mark& mark : panel_.marks) {
    const double x =
        panel_.categories.empty() ? along(plot, mark.at) : plot.left + mark.at * group_width_;
    svg.line(x, plot.top, x, plot.bottom, "#9a9a9a", 1, true);
    const double width = Svg::text_width(mark.name, kSmall);
    const bool fits = x + width <= plot.right + right_;
    if ((fits ? x : x - width) < free_from) continue;
    svg.text(x, plot.top - 4, mark.name, fits ? Anchor::start : Anchor::end, kSmall, kSoft);
    free_from = x + (fits ? width : 0) + 10;
  }
}

}  // namespace

std::string svg_of(const Chart& chart) {
  std::vector<PanelPicture> pictures;
  for (const Panel& panel : chart.panels) pictures.emplace_back(panel, chart.columns == 1);
  std::vector<double> widths(chart.columns, 0);
  for (std::size_t i = 0; i < pictures.size(); ++i)
    widths[i % chart.columns] = std::max(widths[i % chart.columns], pictures[i].width());
  double row = -kColumnGap;
  for (const double one : widths) row += one + kColumnGap;
  const double width = 2 * kMargin + std::max(row, Svg::text_width(chart.title, kTitleSize));

  Svg svg;
  double y = 14;
  if (!chart.title.empty()) svg.text(kMargin, y += 16, chart.title, Anchor::start, kTitleSize);
  y += 14;
  for (std::size_t i = 0; i < pictures.size();) {
    double x = kMargin, highest = 0;
    for (std::size_t c = 0; c < chart.columns && i < pictures.size(); ++c, ++i) {
      pictures[i].draw(svg, x, y);
      highest = std::max(highest, pictures[i].height());
      x += widths[c] + kColumnGap;
    }
    y += highest + kPanelGap;
  }
  return svg.document(width, y - (pictures.empty() ? 0 : kPanelGap) + 14, chart.title);
}

}  // namespace heddle::report
