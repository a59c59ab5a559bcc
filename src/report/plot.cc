#include "report/plot.h"

#include <fmt/format.h>

#include <algorithm>

#include <nlohmann/json.hpp>

#include "report/palette.h"
#include "report/policy_bars.h"
#include "report/text_table.h"
#include "stats/quotient_bar.h"
#include "stats/ratio.h"

namespace heddle::report {
namespace {

constexpr std::size_t kMaxPoints = 400, kMaxPictures = 6;
constexpr std::string_view kNotOfInterest = "#b7c9de";

constexpr const char* kEstimatesNote =
    "Cycles are estimates of sampled runs; lines at the bars are error bars of 95 %.";

std::string title_of(const std::vector<std::string>& program, const std::string& gpu) {
  std::string title;
  for (const std::string& word : program)
    title += (title.empty() ? "" : " ") + word.substr(title.empty() ? word.rfind('/') + 1 : 0);
  return title + " on " + gpu;
}

std::vector<const lab::Contestant*> successful(const lab::Comparison& comparison) {
  std::vector<const lab::Contestant*> all;
  for (const lab::Contestant& one : comparison.contestants)
    if (!one.failed()) all.push_back(&one);
  return all;
}

// Of the cycles; 0 unless they are an estimate.
double relative_bar(const lab::Contestant* one) {
  const lab::RunFigures& figures = one->figures();
  return stats::ratio(figures.cycles_bar.value_or(0), static_cast<double>(figures.total.cycles));
}

Panel speed_ups(const std::vector<const lab::Contestant*>& contestants) {
  const std::string& baseline = contestants.front()->scheduler;
  Panel panel{.kind = Panel::Kind::rows, .title = "speed-up over " + baseline};
  panel.values = {"cycles of " + baseline + " over cycles of the policy", "times"};
  panel.baseline = 1;
  Panel::Series& series = panel.series.emplace_back();
  bool estimated = false;
  const auto cycles = [](const lab::Contestant* one) {
    return static_cast<double>(one->figures().total.cycles);
  };
  for (const lab::Contestant* one : contestants) {
    panel.categories.push_back(
        {one->scheduler, {}, std::string(look_of_policy(one->scheduler).colour)});
    const double speed_up = cycles(contestants.front()) / cycles(one);
    series.values.emplace_back(speed_up);
    const double bar =
        stats::quotient_bar(speed_up, relative_bar(contestants.front()), relative_bar(one));
    // The baseline is 1 whatever its cycles are.
    series.bars.emplace_back(one == contestants.front() || bar == 0 ? std::nullopt
                                                                    : std::optional(bar));
    estimated |= bar > 0;
  }
  if (!estimated) series.bars.clear();
  if (estimated) panel.note = kEstimatesNote;
  return panel;
}

Panel slots(const std::vector<const lab::Contestant*>& contestants) {
  Panel panel{.kind = Panel::Kind::rows, .stacked = true, .title = "issue slots by use"};
  panel.values = {"all slots of " + contestants.front()->scheduler + " are 100 %", "ratio"};
  const double all = static_cast<double>(
      std::max<std::uint64_t>(1, contestants.front()->figures().total.all_slots()));
  for (const lab::Contestant* one : contestants) panel.categories.push_back({one->scheduler});
  for (const sm::SlotUse use : kStackOrder) {
    Panel::Series series{.name = std::string(sm::info(use).label),
                         .colour = std::string(look_of(use).colour)};
    for (const lab::Contestant* one : contestants) {
      const lab::KernelFigures& total = one->figures().total;
      series.values.emplace_back(static_cast<double>(total.slots_of(use)) / all);
      series.texts.push_back(fmt::format("{:.0f} %", 100 * total.share_of(use)));
    }
    if (std::ranges::any_of(series.values, [](const auto& value) { return value > 0; }))
      panel.series.push_back(std::move(series));
  }
  return panel;
}

// Scores of the warps by age, the threshold per warp, and the last warp of interest.
Panel panel_of(const lab::IssuePattern& p) {
  Panel panel{.kind = Panel::Kind::columns, .stacked = true};
  panel.title = fmt::format("{}: {}, SM {}, cycle {}: {}", p.kernel, p.policy, p.sm,
                            grouped(p.cycle), p.choice);
  panel.note =
      fmt::format("sum {:.0f}, threshold {:.0f}: degree of convexity {:.2f}; {} warps of interest",
                  p.sum, p.threshold, p.convexity, p.of_interest);
  panel.along.name = "warps from the oldest to the youngest";
  Panel::Series of_interest{.name = "instructions", .colour = std::string(series_colour(0))},
      others{.name = "not of interest", .colour = std::string(kNotOfInterest)},
      barrier{.name = "barrier time", .colour = std::string(look_of(sm::SlotUse::barrier).colour)},
      threshold{
          .name = "threshold per warp", .colour = std::string(series_colour(5)), .level = true};
  for (std::size_t i = 0; i < p.instructions.size(); ++i) {
    const bool interests = i < p.of_interest;
    panel.categories.push_back({std::to_string(i)});
    of_interest.values.emplace_back(interests ? static_cast<double>(p.instructions[i]) : 0);
    others.values.emplace_back(interests ? 0 : static_cast<double>(p.instructions[i]));
    barrier.values.emplace_back(static_cast<double>(p.barrier_time[i]));
    threshold.values.push_back(
        interests ? std::optional(p.threshold / static_cast<double>(p.of_interest)) : std::nullopt);
    of_interest.texts.push_back(fmt::format("{} instructions, {} at barriers, {} stalls",
                                            p.instructions[i], p.barrier_time[i], p.stalls[i]));
  }
  others.texts = barrier.texts = of_interest.texts;
  panel.series = {std::move(of_interest), std::move(others), std::move(barrier),
                  std::move(threshold)};
  panel.marks = {{static_cast<double>(p.of_interest), "last warp of interest"}};
  return panel;
}

Panel panel_of(const BarPicture& picture) {
  Panel panel{.kind = Panel::Kind::rows, .title = picture.title, .note = picture.note};
  Panel::Series& series =
      panel.series.emplace_back(Panel::Series{.colour = std::string(series_colour(0))});
  for (const policies::Bar& bar : picture.bars) {
    panel.categories.push_back({bar.label});
    series.values.emplace_back(bar.value);
    series.texts.push_back(bar.text);
  }
  return panel;
}

}  // namespace

Chart chart_of_comparison(const lab::Comparison& comparison, std::size_t max_points,
                          const SeriesNames& series) {
  Chart chart{.title = title_of(comparison.request.program, comparison.request.gpu),
              .columns = series.size() == 1 ? 1u : 2u};
  const auto contestants = successful(comparison);
  if (contestants.empty()) return {"no results"};
  if (series.empty()) chart.panels = {speed_ups(contestants), slots(contestants)};
  std::vector<NamedSeries> runs;
  for (const lab::Contestant* one : contestants)
    runs.push_back({one->scheduler, lab::run_series(one->outcome.results, max_points)});
  for (Panel& panel : panels_of(runs, series)) chart.panels.push_back(std::move(panel));
  return chart;
}

Chart chart_of_run(const nlohmann::ordered_json& results, std::size_t max_points,
                   std::size_t max_pictures, const SeriesNames& series) {
  const std::string path = results.value("/program/path"_json_pointer, std::string("run"));
  Chart chart{
      title_of({path}, results.value("gpu", "")) + " under " + results.value("scheduler", ""),
      panels_of(lab::run_series(results, max_points), series)};
  if (!series.empty()) return chart;
  for (const lab::IssuePattern& pattern : lab::issue_patterns(results, max_pictures))
    chart.panels.push_back(panel_of(pattern));
  for (const BarPicture& picture : policy_bars(results, max_pictures))
    chart.panels.push_back(panel_of(picture));
  return chart;
}

std::string svg_of_comparison(const lab::Comparison& comparison, const SeriesNames& series) {
  return svg_of(chart_of_comparison(comparison, kMaxPoints, series));
}

std::string svg_of_run(const nlohmann::ordered_json& results, const SeriesNames& series) {
  return svg_of(chart_of_run(results, kMaxPoints, kMaxPictures, series));
}

}  // namespace heddle::report
