// A chart, described once and drawn three times: as SVG (svg_of), in a terminal (plot_terminal.cc)
// and on an HTML page, whose scripts draw the same object (json_of, web/panel.js).
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace heddle::report {

using ChartValues = std::vector<std::optional<double>>;  // nothing: not measured

struct ChartAxis {
  // from_baseline: linear, from the least value, with bars that start at the baseline.
  enum class Scale { linear, log2, log10, from_baseline };
  std::string name = {};  // the meaning of the values
  std::string unit = {};  // of a statistic; "ratio" is shown as percent
  Scale scale = Scale::linear;
  std::optional<double> most = {};  // otherwise from the values
};

struct Panel {
  enum class Kind { columns, rows, lines };

  // A group of columns, a row, or a place of lines.
  struct Category {
    std::string name;
    std::vector<std::string> notes = {};  // a line each below the name
    std::string colour = {};              // of the bar of a panel with one series
    bool mean = false;                    // of other categories: set apart from them
  };
  struct Series {
    std::string name = {};  // for the legend
    std::string colour = {};
    int variant = 0;                      // of the dashes and symbols of lines
    ChartValues values = {};              // by category, or by interval of x
    ChartValues published = {};           // marks beside the values; empty: none
    ChartValues bars = {};                // of estimates: half the widths of error bars; the same
    std::vector<std::string> texts = {};  // of the values; empty: the numbers
    std::vector<double> x = {};           // in place of that of the panel
    bool level = false;                   // columns: a line across each group in place of bars
  };
  // A dotted line: at this place of x, or before this category.
  struct Mark {
    double at = 0;
    std::string name = {};
  };

  Kind kind = Kind::columns;
  bool stacked = false;
  std::string title = {}, note = {};
  ChartAxis values = {}, along = {};
  std::vector<Category> categories = {};
  // Ends of intervals, one more than values: value i holds from x[i] to x[i + 1]. Without x, lines
  // join the categories.
  std::vector<double> x = {};
  std::vector<Series> series = {};
  std::optional<double> baseline =
      {};  // a dashed line at this value; bars start here unless the axis is linear
  std::string published = {};  // the meaning of the marks of published values
  std::vector<Mark> marks = {};
};

struct Chart {
  std::string title = {};
  std::vector<Panel> panels = {};
  std::size_t columns = 1;  // panels beside each other
};

std::string svg_of(const Chart& chart);
nlohmann::ordered_json json_of(const Chart& chart);

// Lines that lie on an earlier one get its dashes' successor, so that both are seen.
void part_equal_lines(Panel& panel);
// On a linear axis most bars of the panel are flat: its largest value is far above the median.
bool one_value_rules(const Panel& panel);

// Where values lie on the axis of a panel.
class ValueScale {
 public:
  explicit ValueScale(const Panel& panel);
  double place(double value) const;  // 0: start of the axis, 1: its end
  double origin() const;             // the place where bars start
  const std::vector<double>& ticks() const { return ticks_; }
  bool percent() const { return percent_; }

 private:
  double scaled(double value) const;
  void set_linear(double highest, bool fixed);
  void set_range(double least, double most);
  void set_powers(double least, double most);

  ChartAxis::Scale scale_;
  bool percent_;
  double start_ = 0, end_ = 1;  // scaled
  std::optional<double> baseline_;
  std::vector<double> ticks_;
};

// The distance of lines on an axis: 1, 2, 2.5 or 5 times a power of ten, at most max_ticks up to
// `highest`.
double tick_step(double highest, int max_ticks);
// "20 %", "1.5 M", "0.25". `highest` of the axis decides the letter.
std::string tick_text(double value, bool percent, double highest);
// Of a value with an error bar: the values at its ends.
std::optional<std::pair<double, double>> ends_of_bar(const Panel::Series& series,
                                                     std::size_t index);
// A value of a series as text: its own, or the number, with its error bar.
std::string text_of(const Panel& panel, const Panel::Series& series, std::size_t index);

}  // namespace heddle::report
