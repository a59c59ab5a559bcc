#include <gtest/gtest.h>

#include "tests/gpu/cta_scheduler_bench.h"

namespace heddle::gpu {
namespace {

using List = std::vector<std::uint64_t>;

// 4 x 3 CTAs on 3 SMs: a row each.
TEST(Clustered, RowsStayTogetherAlongX) {
  for (const char* binding : {"agent", "redirect"}) {
    CtaSchedulerBench bench(std::string("clustered:direction=x,binding=") + binding,
                            {{4, 3, 1}, 3, 4});
    bench.dispatch(8);
    EXPECT_EQ(bench.ctas_of(0), (List{0, 1, 2, 3}));
    EXPECT_EQ(bench.ctas_of(1), (List{4, 5, 6, 7}));
    EXPECT_EQ(bench.ctas_of(2), (List{8, 9, 10, 11}));
  }
}

TEST(Clustered, ColumnsStayTogetherAlongY) {
  CtaSchedulerBench bench("clustered:direction=y", {{3, 2, 2}, 3, 4});
  bench.dispatch(8);
  EXPECT_EQ(bench.ctas_of(0), (List{0, 3, 6, 9}));
  EXPECT_EQ(bench.ctas_of(1), (List{1, 4, 7, 10}));
  EXPECT_EQ(bench.ctas_of(2), (List{2, 5, 8, 11}));
}

TEST(Clustered, TheFirstClustersAreLargerByOne) {
  CtaSchedulerBench bench("clustered:direction=x", {{8, 1, 1}, 3, 4});
  bench.dispatch(8);
  EXPECT_EQ(bench.ctas_of(0), (List{0, 1, 2}));
  EXPECT_EQ(bench.ctas_of(1), (List{3, 4, 5}));
  EXPECT_EQ(bench.ctas_of(2), (List{6, 7}));
}

TEST(Clustered, AnAgentTakesNoCtaOfAnotherCluster) {
  CtaSchedulerBench bench("clustered:direction=x", {{8, 1, 1}, 2, 2});
  bench.dispatch();
  bench.finish(0, 0);
  bench.finish(0, 1);
  bench.dispatch();
  bench.finish_all();
  bench.dispatch();
  EXPECT_EQ(bench.ctas_of(0), (List{}));
  EXPECT_EQ(bench.ctas_of(1), (List{6, 7}));
}

TEST(Clustered, RedirectionFollowsTheAssumedRoundRobinEvenWhereItDoesNotHold) {
  CtaSchedulerBench bench("clustered:direction=x,binding=redirect", {{8, 1, 1}, 2, 2});
  bench.dispatch();
  bench.finish(0, 0);
  bench.finish(0, 1);
  bench.dispatch();  // numbers 4 and 5: of clusters 0 and 1, both on SM 0
  EXPECT_EQ(bench.ctas_of(0), (List{2, 6}));
  EXPECT_EQ(bench.counter("clustered.misplaced_ctas"), 1u);
}

TEST(Clustered, AgentsLimitTheCtasOfAnSm) {
  CtaSchedulerBench bench("clustered:direction=x,agents=1", {{8, 1, 1}, 2, 3});
  EXPECT_EQ(bench.dispatch(8).size(), 2u);
  bench.finish(1, 4);
  bench.dispatch(8);
  EXPECT_EQ(bench.ctas_of(1), (List{5}));
}

TEST(Clustered, ALaunchWithoutKnownDirectionRunsInRoundRobin) {
  CtaSchedulerBench bench("clustered", {{4, 1, 1}, 2, 2});
  bench.dispatch(8);
  EXPECT_EQ(bench.ctas_of(0), (List{0, 2}));
  EXPECT_EQ(bench.counter("clustered.clustered_kernels"), 0u);
}

}  // namespace
}  // namespace heddle::gpu
