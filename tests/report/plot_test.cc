#include "report/plot.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/diagnostics.h"
#include "base/fnv.h"
#include "lab/run_series.h"
#include "tests/recorded.h"

namespace heddle::report {
namespace {

using Json = nlohmann::ordered_json;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++n;
  return n;
}

lab::Contestant contestant(const char* scheduler, std::uint64_t cycles, std::uint64_t scoreboard) {
  lab::Contestant c;
  c.scheduler = scheduler;
  const Json kernel{
      {"name", "k"},
      {"cycles", cycles},
      {"slots",
       {{"issued", 100}, {"scoreboard", scoreboard}, {"idle", cycles - 100 - scoreboard}}}};
  c.outcome.results = {{"totals", kernel}, {"kernels", {kernel}}};
  c.outcome.figures = lab::read_figures(c.outcome.results);
  return c;
}

lab::Comparison comparison() {
  lab::Comparison c;
  c.request.program = {"./a<b"};
  c.contestants = {contestant("lrr", 1000, 500), contestant("gto", 500, 100)};
  return c;
}

Json run() {
  Json kernel{{"name", "k"}, {"start_cycle", 100}};
  kernel["series"] = {
      {"columns",
       {"from", "cycles", "sm.slots.issued", "sm.slots.idle", "policy.swl.allowed_warps"}},
      {"levels", {"policy.swl.allowed_warps"}},
      {"rows", {{0, 10, 5, 5, 8}, {10, 10, 0, 10, 4}, {20, 10, 10, 0, 2}, {30, 5, 5, 0, 0}}}};
  const Json decision{{"sm", 3},
                      {"cycle", 50},
                      {"decides", 1},
                      {"choice", "greedy"},
                      {"of_interest", 2},
                      {"sum", 12},
                      {"threshold", 10.0},
                      {"convexity", 1.2},
                      {"instructions", {10, 2, 1}},
                      {"barrier_time", {0, 0, 0}},
                      {"stalls", {0, 4, 0}}};
  kernel["policy"]["ipaws"]["decisions"] = Json::array({decision});
  return {{"gpu", "gtx480"}, {"scheduler", "ipaws"}, {"kernels", Json::array({kernel})}};
}

TEST(Series, AddsCountersUpAndAveragesLevels) {
  const lab::RunSeries series = lab::run_series(run(), 2);
  ASSERT_EQ(series.points.size(), 2u);
  EXPECT_EQ(series.points[0].from, 100u);
  EXPECT_EQ(series.points[0].cycles, 20u);
  EXPECT_EQ(series.at("sm.slots.issued", 0), 5);
  EXPECT_EQ(series.at("sm.slots.issued", 1), 15);
  EXPECT_EQ(series.at("policy.swl.allowed_warps", 0), 6);
  EXPECT_EQ(series.at("policy.swl.allowed_warps", 1), 1);
  EXPECT_EQ(series.shares("sm.slots.issued", {"sm.slots.issued", "sm.slots.idle"}),
            (std::vector<double>{0.25, 1.0}));
}

TEST(Plot, BarsAreProportionalToSpeedUpsAndRuns) {
  const std::string text = plot_comparison(comparison(), {60, false});
  EXPECT_TRUE(contains(text, "2.000")) << text;
  EXPECT_EQ(count(text, "\033"), 0u);
  const std::size_t stacks = text.find("issue slots by use");
  const std::string slots = text.substr(stacks, text.rfind('\n', text.size() - 2) - stacks);
  EXPECT_EQ(count(slots, "█"), 5u + 6u) << slots;  // 100 of 1000 in 53 columns, twice
  EXPECT_EQ(count(slots, "▓"), 27u + 5u) << slots;
  EXPECT_EQ(count(slots, "·"), 21u + 16u) << slots;
}

// 10 % of lrr's cycles and 5 % of gto's; the baseline is 1 whatever its cycles are.
TEST(Plot, EstimatedSpeedUpsHaveErrorBars) {
  lab::Comparison sampled = comparison();
  sampled.contestants[0].outcome.figures.cycles_bar = 100;
  sampled.contestants[1].outcome.figures.cycles_bar = 25;
  const std::string text = plot_comparison(sampled, {70, false});
  EXPECT_TRUE(contains(text, "2.000 ± 0.300")) << text;
  EXPECT_TRUE(contains(text, "estimates")) << text;
  EXPECT_FALSE(contains(text, "1.000 ±")) << text;
  EXPECT_TRUE(contains(svg_of_comparison(sampled), "2.000 ± 0.300"));
  EXPECT_FALSE(contains(plot_comparison(comparison(), {70, false}), "estimates"));
}

TEST(Plot, UsesColourOnlyOnRequest) {
  EXPECT_GT(count(plot_comparison(comparison(), {60, true}), "\033[38;5;"), 3u);
}

TEST(Plot, ShowsTheIssuePatternAndTheLastWarpOfInterest) {
  const std::string text = plot_run(run(), {80, false});
  for (const char* part :
       {"k: ipaws, SM 3, cycle 50: greedy\n", "sum 12, threshold 10: degree of convexity 1.20",
        "  2 -", "2 instructions, 0 at barriers, 4 stalls", "-: behind the last warp of interest",
        "swl: warps, all SMs"})
    EXPECT_TRUE(contains(text, part)) << part << text;
}

TEST(Plot, PutsTheSeriesOfAllRunsIntoOnePicture) {
  lab::Comparison two = comparison();
  for (lab::Contestant& one : two.contestants) {
    Json& kernel = one.outcome.results["kernels"][0];
    kernel["series"] = {{"columns", {"from", "cycles", "sm.warp_instructions"}},
                        {"levels", Json::array()},
                        {"rows", {{0, 10, 20}, {10, 10, 5}}}};
  }
  const Chart chart = chart_of_comparison(two, 10);
  ASSERT_EQ(chart.panels.size(), 3u);
  const Panel& ipc = chart.panels[2];
  EXPECT_EQ(ipc.title, "warp instructions per cycle, all SMs");
  ASSERT_EQ(ipc.series.size(), 2u);
  EXPECT_EQ(ipc.series[1].name, "gto");
  EXPECT_EQ(ipc.series[1].values, (ChartValues{2, 0.5}));
  EXPECT_NE(ipc.series[0].variant, ipc.series[1].variant) << "equal lines differ in their dashes";
}

lab::Comparison two_runs_over_time() {
  lab::Comparison two = comparison();
  for (lab::Contestant& one : two.contestants)
    one.outcome.results["kernels"][0]["series"] = {
        {"columns",
         {"from", "cycles", "sm.thread_instructions", "l2.hits", "l2.accesses", "policy.x.warps"}},
        {"levels", {"policy.x.warps"}},
        {"rows", {{0, 10, 640, 3, 4, 8}, {10, 10, 320, 0, 0, 4}}}};
  return two;
}

TEST(Plot, DrawsTheChosenSeriesAlone) {
  const Chart chart = chart_of_comparison(
      two_runs_over_time(), 10, {"ipc", "l2.hits/l2.accesses", "l2.hits", "policy.x.warps"});
  ASSERT_EQ(chart.panels.size(), 4u);
  EXPECT_EQ(chart.panels[0].title, "instructions per cycle (ipc)");
  EXPECT_EQ(chart.panels[0].series[1].values, (ChartValues{64, 32}));
  EXPECT_EQ(chart.panels[1].series[0].values, (ChartValues{0.75, std::nullopt}));
  EXPECT_EQ(chart.panels[2].title, "l2.hits per core cycle");
  EXPECT_EQ(chart.panels[2].series[0].values, (ChartValues{0.3, 0}));
  EXPECT_EQ(chart.panels[3].series[0].values, (ChartValues{8, 4})) << "levels as they are";
}

TEST(Plot, AnUnknownSeriesIsNamedWithItsNeighbour) {
  try {
    chart_of_comparison(two_runs_over_time(), 10, {"l2.hitz/l2.accesses"});
    FAIL() << "no error";
  } catch (const UserError& error) {
    EXPECT_TRUE(contains(error.what(), "no launch has counted l2.hitz; did you mean l2.hits"))
        << error.what();
  }
}

TEST(Plot, ShowsRecordsOfPoliciesAsBars) {
  Json kernel{{"name", "k"}};
  kernel["policy"]["kaws"]["last_ctas"] =
      Json::array({{{"sm", 4}, {"cta", 17}, {"cycles", 1200}, {"ended", 5000}},
                   {{"sm", 5}, {"cta", 18}, {"cycles", 600}, {"ended", 4400}}});
  kernel["policy"]["daws"]["loads"] = Json::array({{{"pc", 12},
                                                    {"loop", 8},
                                                    {"diverged", 1},
                                                    {"group", 3},
                                                    {"loop_lines", 64},
                                                    {"loop_locality", 9.0}}});
  kernel["policy"]["ipaws"]["phase_cycles"] = {
      {"adapt", 30}, {"greedy", 0}, {"recover", 10}, {"round_robin", 60}};
  const Json results{{"gpu", "kaws"}, {"scheduler", "kaws"}, {"kernels", Json::array({kernel})}};
  const std::string text = plot_run(results, {100, false}), svg = svg_of_run(results);
  for (const char* part : {"SM 4, CTA 17", "1,200, ended 5,000", "pc 12, loop 8",
                           "64 lines; diverged, group 3, locality +9", "30, 30 %", "60, 60 %"}) {
    EXPECT_TRUE(contains(text, part)) << part << text;
    EXPECT_TRUE(contains(svg, part)) << part;
  }
  const std::size_t first = text.find("SM 4"), end = text.find("\n\n", first);
  EXPECT_EQ(count(text.substr(first, end - first), "█"), 90u)
      << text;  // 60 columns and half of them
}

TEST(SvgPicture, EscapesReservedCharacters) {
  const std::string text = svg_of_comparison(comparison());
  EXPECT_TRUE(contains(text, "a&lt;b on gtx480")) << text;
  EXPECT_FALSE(contains(text, "a<b"));
  EXPECT_TRUE(text.starts_with("<?xml"));
  EXPECT_TRUE(text.ends_with("</svg>\n"));
  EXPECT_EQ(count(text, "<text"), count(text, "</text>"));
}

TEST(SvgPicture, HasTheNumbersOfEachBar) {
  const std::string text = svg_of_comparison(comparison());
  EXPECT_TRUE(contains(text, "<title>gto, scoreboard: 20 %</title>"));
  EXPECT_TRUE(contains(text, "<title>gto: 2.000</title>"));
  EXPECT_TRUE(
      contains(svg_of_run(run()), "1, instructions: 2 instructions, 0 at barriers, 4 stalls"));
}

TEST(Plot, LooksAsRecorded) {
  const auto check = [](const std::string& name, const std::string& picture) {
    check_recorded_text("report/recorded_texts.txt", name, fmt::format("{:016x}", fnv64(picture)));
  };
  for (const int width : {20, 45, 100, 140})
    for (const bool colour : {false, true}) {
      const Canvas canvas{width, colour};
      const std::string of = fmt::format("{} columns{}", width, colour ? ", in colour" : "");
      check("comparison, " + of, plot_comparison(comparison(), canvas));
      check("run, " + of, plot_run(run(), canvas));
    }
  check("comparison as a picture", svg_of_comparison(comparison()));
  check("run as a picture", svg_of_run(run()));
}

}  // namespace
}  // namespace heddle::report
