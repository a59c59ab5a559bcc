#include <gtest/gtest.h>

#include "tests/gpu/cta_scheduler_bench.h"

namespace heddle::gpu {
namespace {

using List = std::vector<std::uint64_t>;

TEST(Bcs, ConsecutiveCtasStartOnOneSm) {
  CtaSchedulerBench bench("bcs", {{12, 1, 1}, 3, 4});
  bench.dispatch(8);
  EXPECT_EQ(bench.ctas_of(0), (List{0, 1, 6, 7}));
  EXPECT_EQ(bench.ctas_of(1), (List{2, 3, 8, 9}));
  EXPECT_EQ(bench.ctas_of(2), (List{4, 5, 10, 11}));
  EXPECT_TRUE(bench.scheduler().exhausted());
  EXPECT_EQ(bench.counter("bcs.blocks"), 6u);
}

TEST(Bcs, AnSmTakesOneCtaPerCycle) {
  CtaSchedulerBench bench("bcs", {{4, 1, 1}, 2, 2});
  const auto placed = bench.dispatch(4);
  ASSERT_EQ(placed.size(), 4u);
  EXPECT_EQ(placed[0].at, Cycle{0});
  EXPECT_EQ(placed[1].at, Cycle{0});
  EXPECT_EQ(placed[2].at, Cycle{1});
  EXPECT_EQ(placed[3].at, Cycle{1});
}

TEST(Bcs, ABlockContinuesInTheNextWindow) {
  CtaSchedulerBench bench("bcs", {{4, 1, 1}, 2, 2});
  EXPECT_EQ(bench.dispatch(1).size(), 2u);
  EXPECT_FALSE(bench.scheduler().exhausted());
  EXPECT_EQ(bench.dispatch(1).size(), 2u);
  EXPECT_EQ(bench.ctas_of(0), (List{0, 1}));
  EXPECT_EQ(bench.ctas_of(1), (List{2, 3}));
}

TEST(Bcs, ABlockWaitsForRoomForAllItsCtas) {
  CtaSchedulerBench bench("bcs", {{6, 1, 1}, 1, 4});
  bench.dispatch(8);
  bench.finish(0, 0);
  EXPECT_TRUE(bench.dispatch(10).empty());
  bench.finish(0, 3);
  EXPECT_EQ(bench.dispatch(4).size(), 2u);
  EXPECT_EQ(bench.ctas_of(0), (List{1, 2, 4, 5}));
  EXPECT_EQ(bench.counter("bcs.slot_wait_cycles"), 10u + 1);  // the second starts a cycle later
}

TEST(Bcs, TheLastBlockMayBeSmaller) {
  CtaSchedulerBench bench("bcs", {{5, 1, 1}, 1, 2});
  bench.dispatch();
  bench.finish_all();
  bench.dispatch();
  bench.finish(0, 2);
  EXPECT_EQ(bench.dispatch().size(), 1u);  // CTA 4 alone
  EXPECT_TRUE(bench.scheduler().exhausted());
}

TEST(Bcs, ABlockIsNoLargerThanAnSm) {
  CtaSchedulerBench bench("bcs:block=8", {{9, 1, 1}, 1, 3});
  EXPECT_EQ(bench.dispatch(8).size(), 3u);
}

}  // namespace
}  // namespace heddle::gpu
