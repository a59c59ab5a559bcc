#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "base/input_file.h"
#include "report/chart.h"

namespace heddle::report {
namespace {

Panel drawn_bars(const ChartValues& values) {
  Panel panel;
  panel.values = {"speed-up over lrr", "times"};
  for (std::size_t i = 0; i < values.size(); ++i)
    panel.categories.push_back({"p" + std::to_string(i)});
  panel.series = {{.name = "gto", .colour = "#0072b2", .values = values}};
  return panel;
}

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++n;
  return n;
}

TEST(ChartSvg, MarksPublishedValuesAndValuesThatWereNotMeasured) {
  Panel panel = drawn_bars({1.5, std::nullopt, 1.2});
  panel.series.front().published = {1.4, 2.0, std::nullopt};
  panel.published = "published";
  const std::string svg = svg_of({"Figure 1", {panel}});
  EXPECT_EQ(times(svg, "stroke=\"#000000\""), 3u) << "two marks and the legend";
  EXPECT_EQ(times(svg, ">?</text>"), 1u);
  EXPECT_EQ(times(svg, "<title>p0, gto: 1.500</title>"), 1u);
}

// A line and two caps for each estimate, in columns and in rows.
TEST(ChartSvg, DrawsErrorBarsOfEstimates) {
  for (const Panel::Kind kind : {Panel::Kind::columns, Panel::Kind::rows}) {
    Panel panel = drawn_bars({1.5, 1.2, std::nullopt});
    panel.kind = kind;
    panel.series.front().bars = {0.25, std::nullopt, 0.5};
    const std::string svg = svg_of({"", {panel}});
    EXPECT_EQ(times(svg, "stroke=\"#000000\""), 3u);
    EXPECT_EQ(times(svg, "<title>p0, gto: 1.500 ± 0.250</title>"), 1u);
    EXPECT_EQ(times(svg, "<title>p1, gto: 1.200</title>"), 1u);
  }
}

TEST(ChartSvg, PutsSmallMultiplesBesideEachOther) {
  const Panel panel = drawn_bars({1, 2});
  const auto width = [](const std::string& svg) {
    return std::stod(svg.substr(svg.find("width=\"") + 7));
  };
  const std::string one = svg_of({"", {panel}, 3}), three = svg_of({"", {panel, panel, panel}, 3});
  EXPECT_GT(width(three), 2 * width(one));
}

TEST(ChartSvg, SetsMeansApart) {
  Panel panel = drawn_bars({1, 2});
  const std::size_t lines = times(svg_of({"", {panel}}), "<line");
  panel.categories[1].mean = true;
  EXPECT_EQ(times(svg_of({"", {panel}}), "<line"), lines + 1);
}

TEST(ChartSvg, GivesEachBarOfARowALineForItsText) {
  Panel panel = drawn_bars({1, 2});
  panel.kind = Panel::Kind::rows;
  panel.series.push_back(panel.series.front());
  const std::string svg = svg_of({"", {panel}});
  std::vector<double> lines;
  for (std::size_t at = 0; (at = svg.find(">1.000<", at)) != std::string::npos; ++at)
    lines.push_back(std::stod(svg.substr(svg.rfind("y=\"", at) + 3)));
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_GE(lines[1] - lines[0], 11) << "the size of the letters";
}

TEST(ChartSvg, DrawsAValueOverTimeFromTheStartToTheEndOfItsInterval) {
  Panel panel{.kind = Panel::Kind::lines};
  panel.x = {0, 500, 1000};
  panel.series = {{.colour = "#0072b2", .values = {1, 2}}};
  EXPECT_EQ(
      times(svg_of({"", {panel}}), "points=\"70.00,96.00 500.00,96.00 500.00,36.00 930.00,36.00\""),
      1u)
      << "half of the width each";
}

TEST(ChartSvg, BreaksALineWhereNothingWasMeasured) {
  Panel panel{.kind = Panel::Kind::lines};
  panel.x = {0, 1, 2, 3, 4, 5};
  panel.series = {{.colour = "#0072b2", .values = {1, 2, std::nullopt, 3, 1}}};
  EXPECT_EQ(times(svg_of({"", {panel}}), "<polyline"), 2u);
}

Panel of_two_series(Panel::Kind kind) {
  Panel panel = drawn_bars({1.5, std::nullopt, 0.75, 1.25});
  panel.kind = kind;
  panel.title = "speed-up";
  panel.note = "a note of several words below the title, long enough for more than one line of it";
  panel.series.front().published = {1.4, 2.0, std::nullopt, 1.3};
  panel.series.front().bars = {0.25, std::nullopt, std::nullopt, 0.1};
  panel.series.push_back(
      {.name = "two-level", .colour = "#d55e00", .variant = 1, .values = {0.5, 1, 1, 1.75}});
  panel.published = "published";
  panel.baseline = 1;
  panel.categories[0] = {"a program with a long name", {"10 launches"}};
  panel.categories[3] = {"mean", {}, {}, true};
  return panel;
}

Panel over_time(bool stacked) {
  Panel panel{.kind = Panel::Kind::lines, .stacked = stacked};
  panel.values = {"issue slots", "ratio"};
  panel.along = {"core cycles"};
  panel.x = {0, 500, 1000, 2500};
  panel.series = {
      {.name = "issued", .colour = "#0072b2", .values = {0.25, 0.5, 0.125}},
      {.name = "idle", .colour = "#cc79a7", .variant = 2, .values = {0.5, std::nullopt, 0.25}}};
  panel.marks = {{500, "second kernel"}};
  return panel;
}

// tests/report/pictures has a picture of each kind of panel. After a change of the drawing look at
// them anew: HEDDLE_WRITE_DOCS=1 build/bin/report_test draws them.
TEST(ChartSvg, DrawsEachKindOfPanelAsItsReferencePicture) {
  Panel stacked = of_two_series(Panel::Kind::rows), level = of_two_series(Panel::Kind::columns);
  stacked.stacked = true;
  stacked.values.scale = ChartAxis::Scale::from_baseline;
  stacked.baseline = std::nullopt;
  level.series[1].level = true;
  level.values.scale = ChartAxis::Scale::log2;
  const std::pair<const char*, Chart> charts[] = {
      {"rows", {"Figure 1", {of_two_series(Panel::Kind::rows), stacked}}},
      {"columns", {"Figure 2", {of_two_series(Panel::Kind::columns), level}, 2}},
      {"lines", {"Figure 3", {of_two_series(Panel::Kind::lines)}}},
      {"over_time", {"", {over_time(false), over_time(true)}}}};
  for (const auto& [name, chart] : charts) {
    const std::string path =
        std::string(HEDDLE_SOURCE_DIR) + "/tests/report/pictures/" + name + ".svg";
    if (std::getenv("HEDDLE_WRITE_DOCS")) std::ofstream(path) << svg_of(chart);
    EXPECT_EQ(svg_of(chart), read_file(path)) << path;
  }
}

}  // namespace
}  // namespace heddle::report
