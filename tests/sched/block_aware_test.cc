#include <gtest/gtest.h>

#include "tests/sched/issue_bench.h"

namespace heddle::sched {
namespace {

// Warps 0 and 1 belong to CTA 4, warps 2 and 3 to CTA 6, warps 4 and 5 to CTA 5. With blocks of
// two, warps 0, 1, 4 and 5 are block 2; warps 2 and 3 are block 3.
IssueBench bench_of(const std::string& policy = "block-aware") {
  IssueBench bench{policy, {}};
  for (const auto& [slot, cta] : {std::pair{0, 4}, {1, 4}, {2, 6}, {3, 6}, {4, 5}, {5, 5}})
    bench.launch(warp(slot), static_cast<std::uint64_t>(cta));
  return bench;
}

TEST(BlockAware, TheOldestBlockIssuesFirstInRoundRobin) {
  IssueBench bench = bench_of();
  EXPECT_EQ(bench.issue(warps(6)), warp(0));
  EXPECT_EQ(bench.issue(warps(6)), warp(1));
  EXPECT_EQ(bench.issue(warps(6)), warp(4));  // the neighbour CTA, although 2 and 3 are older
  EXPECT_EQ(bench.issue(warps(6)), warp(5));
  EXPECT_EQ(bench.issue(warps(6)), warp(0));
}

TEST(BlockAware, AYoungerBlockIssuesWhenTheOlderOneCannot) {
  IssueBench bench = bench_of();
  EXPECT_EQ(bench.issue(ready(1, 2, 3)), warp(1));
  EXPECT_EQ(bench.issue(ready(2, 3)), warp(2));
  EXPECT_EQ(bench.issue(ready(2, 3)), warp(3));
  EXPECT_EQ(bench.issue(ready(0, 2, 3)), warp(0));  // after 1, only 0 of its block is ready
  EXPECT_EQ(bench.issue(ready(2, 3)), warp(2));     // round robin goes on after 3
}

TEST(BlockAware, ABlockOfOneCtaOrdersCtasByAge) {
  IssueBench bench = bench_of("block-aware:block=1");
  EXPECT_EQ(bench.issue(warps(6)), warp(0));
  EXPECT_EQ(bench.issue(ready(2, 3, 4, 5)), warp(2));
  EXPECT_EQ(bench.issue(ready(4, 5)), warp(4));
}

TEST(BlockAware, ABlockThatEndedMakesTheNextOneTheOldest) {
  IssueBench bench = bench_of();
  for (const int w : {0, 1, 4, 5}) bench.exit(warp(w));
  for (int i = 0; i < 2; ++i) bench.policy().on_cta({4, 1, false});
  for (int i = 0; i < 2; ++i) bench.policy().on_cta({5, 1, false});
  bench.launch(warp(0), 9);
  EXPECT_EQ(bench.issue(ready(0, 2, 3)), warp(2));
  EXPECT_EQ(bench.issue(ready(0)), warp(0));
}

TEST(BlockAware, CountsIssuesOfAnotherBlockThanBefore) {
  IssueBench bench = bench_of();
  for (const int w : {0, 1, 4, 2, 3, 5}) bench.issue(ready(w));  // blocks 2, 2, 2, 3, 3, 2
  sm::PolicyReport report;
  bench.policy().report_statistics(report, bench.now());
  EXPECT_EQ(report.counters(), (sm::PolicyReport::Values{{"block-aware.block_switches", 3}}));
}

TEST(BlockAware, VisitsOlderBlocksAndTheWarpsBeforeTheChosenOne) {
  IssueBench bench = bench_of();
  bench.issue(ready(1));
  EXPECT_EQ(bench.visited_before(warps(6), warp(5)), ready(4));
  EXPECT_EQ(bench.visited_before(warps(6), warp(0)), ready(4, 5));
  EXPECT_EQ(bench.visited_before(warps(6), warp(3)), ready(0, 1, 2, 4, 5));
}

}  // namespace
}  // namespace heddle::sched
