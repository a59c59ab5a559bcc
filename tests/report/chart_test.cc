#include "report/chart.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace heddle::report {
namespace {

Panel bars(const ChartValues& values, ChartAxis::Scale scale = ChartAxis::Scale::linear) {
  Panel panel;
  panel.values = {"speed-up over lrr", "times", scale};
  panel.baseline = 1;
  for (std::size_t i = 0; i < values.size(); ++i)
    panel.categories.push_back({"p" + std::to_string(i)});
  panel.series = {{.name = "gto", .colour = "#0072b2", .values = values}};
  return panel;
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++n;
  return n;
}

TEST(ValueScale, EndsAtTheNextTickAboveTheValues) {
  const ValueScale scale(bars({1.2, 3.3}));
  EXPECT_EQ(scale.ticks(), (std::vector<double>{0, 1, 2, 3, 4}));
  EXPECT_DOUBLE_EQ(scale.place(2), 0.5);
  EXPECT_DOUBLE_EQ(scale.origin(), 0);
}

TEST(ValueScale, HasRoomForErrorBars) {
  Panel panel = bars({1.2, 3.3});
  panel.series.front().bars = {std::nullopt, 1.5};
  EXPECT_EQ(ValueScale(panel).ticks().back(), 5);
  EXPECT_EQ(json_of(Chart{"", {panel}})["panels"][0]["series"][0]["bars"],
            nlohmann::ordered_json({nullptr, 1.5}));
  panel.series.front().bars = {2.0, 1.5};
  EXPECT_EQ(ends_of_bar(panel.series.front(), 0)->first, 0) << "no value is below zero";
}

TEST(ValueScale, OfPowersOfTwoGivesAFactorTheSameLengthBothWays) {
  const ValueScale scale(bars({0.5, 30}, ChartAxis::Scale::log2));
  EXPECT_EQ(scale.ticks(), (std::vector<double>{0.5, 1, 2, 4, 8, 16, 32}));
  EXPECT_DOUBLE_EQ(scale.place(2) - scale.place(1), scale.place(32) - scale.place(16));
  EXPECT_DOUBLE_EQ(scale.origin(), scale.place(1)) << "bars start at the baseline";
}

TEST(ValueScale, OfPowersOfTenHasNoPlaceForZero) {
  const ValueScale scale(bars({0, 5, 20000}, ChartAxis::Scale::log10));
  EXPECT_EQ(scale.ticks(), (std::vector<double>{1, 10, 100, 1000, 10000, 100000}));
  EXPECT_EQ(scale.place(0), 0);
}

TEST(ValueScale, OfAStackHasRoomForItsSum) {
  Panel panel = bars({3, 1});
  panel.series.push_back(panel.series.front());
  panel.stacked = true;
  EXPECT_EQ(ValueScale(panel).ticks().back(), 6);
}

TEST(ValueScale, CountsPublishedValues) {
  Panel panel = bars({1, 1});
  panel.series.front().published = {7, std::nullopt};
  EXPECT_EQ(ValueScale(panel).ticks().back(), 8);
}

TEST(Chart, OneValueRulesWhenItIsFarAboveTheMedian) {
  EXPECT_TRUE(one_value_rules(bars({1.0, 1.1, 0.9, 17})));
  EXPECT_FALSE(one_value_rules(bars({1.0, 1.1, 0.9, 3})));
  EXPECT_FALSE(one_value_rules(bars({0, 1, 1, 17}))) << "a logarithmic axis has no zero";
}

TEST(Chart, ALineOnAnotherGetsOtherDashes) {
  Panel panel = bars({1, 2, 3});
  panel.kind = Panel::Kind::lines;
  panel.series.push_back({.name = "lrr", .colour = "#e69f00", .values = {1.001, 2, 3}});
  panel.series.push_back({.name = "srr", .colour = "#009e73", .values = {1, 2, 2}});
  part_equal_lines(panel);
  EXPECT_EQ(panel.series[1].variant, 1);
  EXPECT_EQ(panel.series[2].variant, 0);
  const std::string svg = svg_of({"", {panel}});
  EXPECT_EQ(occurrences(svg, "stroke-dasharray=\"7 4\""), 2u) << "the line and its legend" << svg;
}

TEST(ChartJson, HasWhatThePageDraws) {
  Panel panel = bars({1.23456789, std::nullopt}, ChartAxis::Scale::log2);
  panel.categories[1].mean = true;
  const auto json = json_of(Chart{"Figure 1", {panel}});
  EXPECT_EQ(json["title"], "Figure 1");
  const auto& one = json["panels"][0];
  EXPECT_EQ(one["kind"], "columns");
  EXPECT_EQ(one["values"]["scale"], "log2");
  EXPECT_EQ(one["baseline"], 1);
  EXPECT_EQ(one["series"][0]["values"][0], 1.234568);
  EXPECT_TRUE(one["series"][0]["values"][1].is_null());
  EXPECT_TRUE(one["categories"][1]["mean"]);
  EXPECT_FALSE(one.contains("stacked"));
}

}  // namespace
}  // namespace heddle::report
