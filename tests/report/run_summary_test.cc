#include "report/run_summary.h"

#include <gtest/gtest.h>

#include "report/explain.h"
#include "tests/lab/contestants.h"

namespace heddle::report {
namespace {

using lab::contestant;
using lab::ordered_json;

ordered_json launch(std::uint64_t start, std::uint64_t cycles) {
  ordered_json json = lab::figures(cycles, 20, 900);
  json["start_cycle"] = start;
  return json;
}

// The total is that of a run whose last launch ends at 300.
lab::RunOutcome run_of(const std::vector<std::pair<std::string, ordered_json>>& launches) {
  lab::RunOutcome run;
  run.results = contestant("gto", launches).outcome.results;
  run.results["totals"]["cycles"] = 300;
  run.figures = lab::read_figures(run.results);
  return run;
}

bool has_text(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

constexpr const char* kOverlap = "Launches overlap";

}  // namespace

TEST(RunSummary, OfKernelsThatOverlapStatesThatTheRowsAddUpToMore) {
  const lab::RunOutcome run = run_of({{"a", launch(0, 200)}, {"b", launch(50, 250)}});
  const std::string text = run_summary(run.figures, 120);
  EXPECT_TRUE(has_text(text, "  total          2     300")) << text;
  EXPECT_TRUE(has_text(text,
                       "  Launches overlap: cycles in which several are active count once (450 "
                       "added up).\n"))
      << text;
  EXPECT_TRUE(has_text(explain(run, 120),
                       "b 83 %; kernels overlap, so the shares add up to more than 100 %") ||
              has_text(explain(run, 120),
                       "a 67 %; kernels overlap, so the shares add up to more than 100 %"))
      << explain(run, 120);
}

TEST(RunSummary, OfOneKernelWhoseLaunchesOverlapHasElapsedCycles) {
  const lab::RunOutcome run = run_of({{"a", launch(0, 200)}, {"a", launch(50, 250)}});
  const std::string text = run_summary(run.figures, 120);
  EXPECT_TRUE(has_text(text, "  a              2     300")) << text;
  EXPECT_TRUE(has_text(text, kOverlap)) << text;
  EXPECT_FALSE(has_text(explain(run, 120), "kernels overlap"));
  EXPECT_TRUE(has_text(explain(run, 120), "warps of a launch are resident"));
}

TEST(RunSummary, OfLaunchesInTurnDoesNotMentionIt) {
  const lab::RunOutcome run = run_of({{"a", launch(0, 100)}, {"b", launch(100, 200)}});
  EXPECT_FALSE(has_text(run_summary(run.figures, 120), kOverlap));
  EXPECT_FALSE(has_text(explain(run, 120), "kernels overlap"));
}

}  // namespace heddle::report
