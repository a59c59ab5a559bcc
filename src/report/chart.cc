#include "report/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "report/text_table.h"

namespace heddle::report {
namespace {

using nlohmann::ordered_json;
using Scale = ChartAxis::Scale;

constexpr int kMaxTicks = 5;
constexpr double kRules = 4;        // times the median
constexpr double kSameLine = 0.01;  // of the axis: about a pixel
constexpr double kDigits = 1e6;

double rounded(double value) {
  return std::fabs(value) < 1e9 ? std::round(value * kDigits) / kDigits : value;
}

// All values that the axis must show.
std::vector<double> shown_values(const Panel& panel) {
  std::vector<double> all;
  std::vector<double> sums;
  for (const Panel::Series& series : panel.series) {
    sums.resize(std::max(sums.size(), series.values.size()), 0);
    for (std::size_t i = 0; i < series.values.size(); ++i) {
      if (!series.values[i]) continue;
      all.push_back(*series.values[i]);
      if (const auto ends = ends_of_bar(series, i)) all.push_back(ends->second);
      sums[i] += *series.values[i];
    }
    for (const auto& value : series.published)
      if (value) all.push_back(*value);
  }
  if (panel.stacked) all.insert(all.end(), sums.begin(), sums.end());
  return all;
}

// The value of a line in the interval that contains x.
std::optional<double> value_at(const Panel::Series& series, double x) {
  const auto next = std::ranges::upper_bound(series.x, x);
  const auto i = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, next - series.x.begin() - 1));
  return series.values[std::min(i, series.values.size() - 1)];
}

ordered_json json_of(const ChartValues& values) {
  ordered_json list = ordered_json::array();
  for (const auto& value : values)
    list.push_back(value ? ordered_json(rounded(*value)) : ordered_json(nullptr));
  return list;
}

ordered_json json_of(const ChartAxis& axis) {
  static constexpr std::array<const char*, 4> kNames{"linear", "log2", "log10", "from baseline"};
  ordered_json json = {{"name", axis.name}, {"unit", axis.unit}};
  if (axis.scale != Scale::linear) json["scale"] = kNames[static_cast<std::size_t>(axis.scale)];
  if (axis.most) json["most"] = *axis.most;
  return json;
}

ordered_json json_of(const Panel::Series& series) {
  ordered_json json = {
      {"name", series.name}, {"colour", series.colour}, {"values", json_of(series.values)}};
  if (series.variant) json["variant"] = series.variant;
  if (!series.published.empty()) json["published"] = json_of(series.published);
  if (!series.bars.empty()) json["bars"] = json_of(series.bars);
  if (!series.texts.empty()) json["texts"] = series.texts;
  if (!series.x.empty()) json["x"] = series.x;
  if (series.level) json["level"] = true;
  return json;
}

ordered_json json_of(const Panel& panel) {
  static constexpr std::array<const char*, 3> kKinds{"columns", "rows", "lines"};
  ordered_json json = {{"title", panel.title},
                       {"kind", kKinds[static_cast<std::size_t>(panel.kind)]},
                       {"values", json_of(panel.values)},
                       {"along", json_of(panel.along)},
                       {"series", ordered_json::array()}};
  for (const Panel::Series& series : panel.series) json["series"].push_back(json_of(series));
  for (const Panel::Category& category : panel.categories) {
    ordered_json one = {{"name", category.name}};
    if (!category.notes.empty()) one["notes"] = category.notes;
    if (!category.colour.empty()) one["colour"] = category.colour;
    if (category.mean) one["mean"] = true;
    json["categories"].push_back(std::move(one));
  }
  for (const Panel::Mark& mark : panel.marks)
    json["marks"].push_back({{"at", mark.at}, {"name", mark.name}});
  if (panel.stacked) json["stacked"] = true;
  if (!panel.note.empty()) json["note"] = panel.note;
  if (!panel.x.empty()) json["x"] = panel.x;
  if (panel.baseline) json["baseline"] = *panel.baseline;
  if (!panel.published.empty()) json["published"] = panel.published;
  return json;
}

}  // namespace

ordered_json json_of(const Chart& chart) {
  ordered_json panels = ordered_json::array();
  for (const Panel& panel : chart.panels) panels.push_back(json_of(panel));
  return {{"title", chart.title}, {"panels", std::move(panels)}};
}

void part_equal_lines(Panel& panel) {
  const ValueScale scale(panel);
  // Whether `a` lies on `b` at all of its points.
  const auto lies_on = [&](const Panel::Series& a, const Panel::Series& b) {
    for (std::size_t i = 0; i < a.values.size(); ++i) {
      const auto other = a.x.empty() ? b.values[i] : value_at(b, (a.x[i] + a.x[i + 1]) / 2);
      if (a.values[i].has_value() != other.has_value() ||
          (other && std::fabs(scale.place(*a.values[i]) - scale.place(*other)) > kSameLine))
        return false;
    }
    return true;
  };
  for (std::size_t i = 1; i < panel.series.size(); ++i)
    for (std::size_t before = 0; before < i; ++before)
      if (lies_on(panel.series[i], panel.series[before]))
        panel.series[i].variant = panel.series[before].variant + 1;
}

bool one_value_rules(const Panel& panel) {
  std::vector<double> values = shown_values(panel);
  std::sort(values.begin(), values.end());
  return values.size() > 2 && values.front() > 0 &&
         values.back() > kRules * values[values.size() / 2];
}

ValueScale::ValueScale(const Panel& panel)
    : scale_(panel.values.scale),
      percent_(panel.values.unit == "ratio"),
      baseline_(panel.baseline) {
  std::vector<double> values = shown_values(panel);
  if (baseline_) values.push_back(*baseline_);
  if (panel.values.most) values.push_back(*panel.values.most);
  if (scale_ == Scale::log2 || scale_ == Scale::log10)
    std::erase_if(values, [](double value) { return value <= 0; });
  if (values.empty()) values.push_back(1);
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  if (scale_ == Scale::linear)
    set_linear(*most, panel.values.most && *most == *panel.values.most);
  else if (scale_ == Scale::from_baseline)
    set_range(*least, *most);
  else
    set_powers(*least, *most);
}

void ValueScale::set_range(double least, double most) {
  const double step = tick_step(std::max(most - least, 1e-3), kMaxTicks);
  const double first = std::floor(least / step + 1e-4), last = std::ceil(most / step - 1e-4);
  start_ = first * step;
  end_ = std::max(last, first + 1) * step;
  for (double i = first; i * step <= end_ + step / 2; ++i) ticks_.push_back(i * step);
}

void ValueScale::set_linear(double highest, bool fixed) {
  if (!(highest > 0)) highest = 1;
  const double step = tick_step(highest, kMaxTicks);
  end_ = fixed ? highest : std::ceil(highest / step * 0.9999) * step;
  for (int i = 0; i * step <= end_ * 1.0001; ++i) ticks_.push_back(i * step);
}

void ValueScale::set_powers(double least, double most) {
  start_ = std::floor(scaled(least) + 1e-9);
  end_ = std::max(start_ + 1, std::ceil(scaled(most) - 1e-9));
  const double step = std::ceil((end_ - start_) / 8);
  const double base = scale_ == Scale::log2 ? 2 : 10;
  for (double power = start_; power <= end_; power += step) ticks_.push_back(std::pow(base, power));
}

double ValueScale::scaled(double value) const {
  switch (scale_) {
    case Scale::log2: return value > 0 ? std::log2(value) : start_;
    case Scale::log10: return value > 0 ? std::log10(value) : start_;
    case Scale::linear:
    case Scale::from_baseline: break;
  }
  return value;
}

double ValueScale::place(double value) const {
  return std::clamp((scaled(value) - start_) / (end_ - start_), 0.0, 1.0);
}

double ValueScale::origin() const {
  return scale_ != Scale::linear && baseline_ ? place(*baseline_) : 0;
}

double tick_step(double highest, int max_ticks) {
  const double rough = highest / max_ticks,
               power = std::pow(10, std::floor(std::log10(std::max(rough, 1e-9))));
  for (const double step : {1.0, 2.0, 2.5, 5.0})
    if (rough <= step * power) return step * power;
  return 10 * power;
}

std::string tick_text(double value, bool percent, double highest) {
  if (percent) return fmt::format("{:g} %", std::round(1e4 * value) / 100);
  if (value > 0 && highest >= 1e7) return fmt::format("{:g} M", value / 1e6);
  if (value > 0 && highest >= 1e4) return fmt::format("{:g} k", value / 1e3);
  return fmt::format("{:.4g}", value);
}

std::optional<std::pair<double, double>> ends_of_bar(const Panel::Series& series,
                                                     std::size_t index) {
  if (index >= series.bars.size() || !series.bars[index] || !series.values[index]) return {};
  const double value = *series.values[index], bar = *series.bars[index];
  return std::pair{std::max(0.0, value - bar), value + bar};
}

namespace {

std::string number_text(const Panel& panel, double value) {
  if (panel.values.unit == "ratio") return percent(value);
  if (panel.values.unit == "times") return fmt::format("{:.3f}", value);
  return value == std::floor(value) ? grouped(static_cast<std::uint64_t>(value))
                                    : fmt::format("{:.4g}", value);
}

}  // namespace

std::string text_of(const Panel& panel, const Panel::Series& series, std::size_t index) {
  if (index < series.texts.size()) return series.texts[index];
  if (!series.values[index]) return "not measured";
  return number_text(panel, *series.values[index]) +
         (ends_of_bar(series, index) ? " ± " + number_text(panel, *series.bars[index]) : "");
}

}  // namespace heddle::report
