#include <gtest/gtest.h>

#include <map>

#include "tests/sched/issue_bench.h"

namespace heddle::sched {
namespace {

using What = sm::KernelEvent::What;

// Four CTAs of one warp, launched in slot order, with these numbers of issued instructions.
IssueBench with_progress(std::vector<int> issued) {
  IssueBench bench{"kaws", warps(0)};
  for (int w = 0; w < 4; ++w) bench.launch(warp(w), static_cast<std::uint64_t>(24 + w));
  for (int w = 0; w < 4; ++w)
    for (int i = 0; i < issued[static_cast<std::size_t>(w)]; ++i) bench.issue(ready(w));
  return bench;
}

}  // namespace

TEST(Kaws, PrefersTheLeastAdvancedCtaAfterTheLastDispatch) {
  IssueBench bench = with_progress({900, 700, 400, 50});
  bench.kernel(What::last_cta_dispatched);
  EXPECT_EQ(bench.issue(warps(4)), warp(3));
  EXPECT_EQ(bench.issue(ready(0, 1, 2)), warp(2));
  EXPECT_EQ(bench.issue(ready(0, 1)), warp(1));
  EXPECT_EQ(bench.issue(ready(0)), warp(0));
}

TEST(Kaws, IsOldestFirstBeforeTheLastDispatch) {
  IssueBench bench = with_progress({9, 7, 4, 0});
  EXPECT_EQ(bench.issue(warps(4)), warp(0));
  bench.kernel(What::last_cta_dispatched);
  EXPECT_EQ(bench.issue(warps(4)), warp(3));
  bench.kernel(What::start);
  EXPECT_EQ(bench.issue(warps(4)), warp(0));
}

TEST(Kaws, PicksTheYoungerOfTwoEquallyAdvancedCtas) {
  IssueBench bench = with_progress({3, 2, 2, 3});
  bench.kernel(What::last_cta_dispatched);
  EXPECT_EQ(bench.issue(warps(4)), warp(2));
}

TEST(Kaws, IsOldestFirstWithOneCta) {
  IssueBench kaws{"kaws", warps(5)}, oldest{"oldest", warps(5)};
  kaws.kernel(What::last_cta_dispatched);
  const WarpMask sets[] = {ready(2, 3), ready(0, 2), ready(0, 1, 4), warps(5),
                           ready(4),    warps(5),    ready(1, 3),    ready(1, 2)};
  for (const WarpMask set : sets) EXPECT_EQ(kaws.issue(set), oldest.issue(set));
}

TEST(Kaws, VisitsLessAdvancedCtasFirstInTheTail) {
  IssueBench bench = with_progress({900, 700, 400, 50});
  EXPECT_EQ(bench.visited_before(warps(4), warp(2)), ready(0, 1));
  bench.kernel(What::last_cta_dispatched);
  EXPECT_EQ(bench.visited_before(warps(4), warp(1)), ready(2, 3));
}

TEST(Kaws, ReportsTheProgressOfResidentCtasAndTheTail) {
  IssueBench bench = with_progress({900, 700, 400, 50});
  const auto level = [&](const std::string& name) {
    sm::PolicyReport report(sm::PolicyReport::Contents::counters_and_levels);
    bench.policy().report_statistics(report, bench.now());
    return std::map<std::string, std::uint64_t>(report.levels().begin(), report.levels().end())
        .at("kaws." + name);
  };
  EXPECT_EQ(level("resident_ctas"), 4u);
  EXPECT_EQ(level("least_progress"), 50u);
  EXPECT_EQ(level("most_progress"), 900u);
  EXPECT_EQ(level("tail_sms"), 0u);
  bench.kernel(What::last_cta_dispatched);
  EXPECT_EQ(level("tail_sms"), 1u);
}

// CTA 24 starts at cycle 0 and ends at 5; CTA 25 starts at cycle 2 and ends at 4.
TEST(Kaws, ReportsTheTimeOfTheCtaThatWasIssuedLast) {
  using Values = std::vector<std::pair<std::string, std::uint64_t>>;
  const auto last_cta = [](const std::string& policy) {
    IssueBench bench{policy, warps(0)};
    bench.launch(warp(0), 24);
    bench.idle(2);
    bench.launch(warp(1), 25);
    bench.idle(2);
    bench.exit(warp(1));
    bench.idle(1);
    bench.exit(warp(0));
    sm::PolicyReport report{sm::PolicyReport::Contents::counters_and_records};
    bench.policy().report_statistics(report, bench.now());
    Values values;
    for (const auto& [name, value] : report.records().at(0).values)
      values.emplace_back(name, std::get<std::uint64_t>(value));
    return values;
  };
  EXPECT_EQ(last_cta("kaws"), (Values{{"sm", 0}, {"cta", 25}, {"cycles", 2}, {"ended", 4}}));
  EXPECT_EQ(last_cta("kaws:last_cta=ended"),
            (Values{{"sm", 0}, {"cta", 24}, {"cycles", 5}, {"ended", 5}}));
}

}  // namespace heddle::sched
