// What reports say of runs stays what it is.
#include <gtest/gtest.h>

#include "base/fnv.h"
#include "gpu/results_json.h"
#include "lab/compare.h"
#include "lab/figures.h"
#include "report/comparison_report.h"
#include "report/explain.h"
#include "report/perfetto.h"
#include "report/plot.h"
#include "report/run_page.h"
#include "report/run_summary.h"
#include "report/series_csv.h"
#include "report/warp_log.h"
#include "tests/gpu/watched_runs.h"
#include "tests/recorded.h"

namespace heddle::report {
namespace {

void record(const std::string& name, const std::string& text) {
  check_recorded_text("report/recorded_reports.txt", name, fmt::format("{:016x}", fnv64(text)));
}

lab::Contestant watched_run(const std::string& gpu, const std::string& scheduler) {
  gpu::DeviceBench bench(gpu::watched(gpu, scheduler));
  gpu::run_watched(bench);
  lab::Contestant one;
  one.scheduler = scheduler;
  one.outcome.results = nlohmann::ordered_json::parse(gpu::results_text(bench.device));
  one.outcome.figures = lab::read_figures(one.outcome.results);
  const std::string name = gpu + ", " + scheduler;
  record(name + ", summary", run_summary(one.outcome.figures, 100));
  record(name + ", narrow summary", run_summary(one.outcome.figures, 50));
  record(name + ", explanation", explain(one.outcome, 100));
  record(name + ", series", series_csv(one.outcome.results));
  record(name + ", plot", plot_run(one.outcome.results, {100, true}));
  record(name + ", picture", svg_of_run(one.outcome.results));
  const stats::Timeline timeline = bench.device.timeline();
  record(name + ", trace", to_perfetto(timeline));
  record(name + ", warp", warp_log(timeline, 1, 2, 90));
  return one;
}

TEST(RecordedReports, OfRunsAndTheirComparison) {
  lab::Comparison comparison;
  comparison.request.program = {"./program", "8"};
  for (const char* scheduler : {"lrr", "gto", "ccws", "daws", "ipaws", "kaws", "two-level"})
    comparison.contestants.push_back(watched_run("gtx480", scheduler));
  record("comparison", comparison_report(comparison, 100));
  record("narrow comparison", comparison_report(comparison, 60));
  record("headline", comparison_headline(comparison) + comparison_finding(comparison));
  record("plot of the comparison", plot_comparison(comparison, {80, false}));
  record("picture of the comparison", svg_of_comparison(comparison));
  for (const char* gpu : {"h200", "h200_guided"}) watched_run(gpu, "gto");
}

}  // namespace
}  // namespace heddle::report
