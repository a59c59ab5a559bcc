#include "gpu/cta/round_robin.h"

#include <gtest/gtest.h>

#include "gpu/cta/skipping.h"

namespace heddle::gpu {
namespace {

std::vector<Placement> dispatch(CtaScheduler& scheduler, std::uint64_t from, std::uint64_t to,
                                std::vector<int> room) {
  std::vector<Placement> placements;
  scheduler.dispatch(Cycle{from}, Cycle{to}, room, placements);
  return placements;
}

KernelStart launch(Dim3 grid, int sms, int ctas_per_sm) {
  KernelStart start;
  start.grid = grid;
  start.sms = sms;
  start.ctas_per_sm = ctas_per_sm;
  return start;
}

TEST(RoundRobin, GivesEverySmOneCtaPerCycleInLinearOrder) {
  RoundRobin scheduler;
  scheduler.begin_kernel(launch({8, 1, 1}, 3, 2));
  const auto placed = dispatch(scheduler, 10, 14, {2, 2, 2});
  ASSERT_EQ(placed.size(), 6u);
  for (std::size_t i = 0; i < placed.size(); ++i) {
    EXPECT_EQ(placed[i].cta, i);
    EXPECT_EQ(placed[i].sm, static_cast<int>(i % 3));
    EXPECT_EQ(placed[i].at, Cycle{10 + i / 3});
  }
  EXPECT_FALSE(scheduler.exhausted());
}

TEST(RoundRobin, PlacesLaterCtasOnSmsWithRoom) {
  RoundRobin scheduler;
  scheduler.begin_kernel(launch({4, 1, 1}, 3, 1));
  dispatch(scheduler, 0, 1, {1, 1, 1});
  const auto placed = dispatch(scheduler, 50, 54, {0, 0, 1});
  ASSERT_EQ(placed.size(), 1u);
  EXPECT_EQ(placed[0].sm, 2);
  EXPECT_EQ(placed[0].cta, 3u);
  EXPECT_TRUE(scheduler.exhausted());
}

TEST(RoundRobin, StartsAfterTheSmServedLast) {
  RoundRobin scheduler;
  scheduler.begin_kernel(launch({10, 1, 1}, 3, 2));
  dispatch(scheduler, 0, 1, {1, 1, 0});
  const auto placed = dispatch(scheduler, 4, 5, {1, 1, 1});
  ASSERT_EQ(placed.size(), 3u);
  EXPECT_EQ(placed[0].sm, 2);
  EXPECT_EQ(placed[1].sm, 0);
}

TEST(RoundRobin, SlotsAreServedInTheOrderInWhichTheyBecameFree) {
  RoundRobin scheduler;
  scheduler.begin_kernel(launch({12, 1, 1}, 3, 3));
  dispatch(scheduler, 0, 3, {3, 3, 3});
  for (const auto& [sm, end] : {std::pair{0, 24}, {1, 22}, {1, 21}, {1, 21}})
    scheduler.on_finished({sm, 0, Cycle{}, Cycle{static_cast<std::uint64_t>(end)}});
  // SM 1 is the only one with room in cycles 21 to 23. A search now would begin with SM 0.
  const auto placed = dispatch(scheduler, 28, 35, {1, 3, 0});
  ASSERT_EQ(placed.size(), 3u);
  for (std::size_t i = 0; i < placed.size(); ++i) {
    EXPECT_EQ(placed[i].sm, 1);
    EXPECT_EQ(placed[i].at, Cycle{28 + i});
  }
}

TEST(RoundRobin, AFreedSlotWithoutRoomIsNotServed) {
  RoundRobin scheduler;
  scheduler.begin_kernel(launch({6, 1, 1}, 2, 2));
  dispatch(scheduler, 0, 2, {2, 2});
  for (const int sm : {0, 0, 1}) scheduler.on_finished({sm, 0, Cycle{}, Cycle{5}});
  const auto placed = dispatch(scheduler, 7, 14, {1, 0});
  ASSERT_EQ(placed.size(), 1u);
  EXPECT_EQ(placed[0].sm, 0);
}

TEST(RoundRobin, TheNextKernelStartsAfterTheSmServedLast) {
  RoundRobin scheduler;
  for (int kernel = 0; kernel < 4; ++kernel) {
    scheduler.begin_kernel(launch({2, 1, 1}, 3, 2));
    const auto placed = dispatch(scheduler, 0, 1, {2, 2, 2});
    ASSERT_EQ(placed.size(), 2u);
    EXPECT_EQ(placed[0].sm, 2 * kernel % 3);
    EXPECT_EQ(placed[1].sm, (2 * kernel + 1) % 3);
  }
}

TEST(RoundRobin, TheFirstCtaGoesToTheFirstCluster) {
  RoundRobin scheduler(SmLayout{3, 2, 1});
  scheduler.begin_kernel(launch({2, 1, 1}, 6, 1));
  const auto placed = dispatch(scheduler, 0, 1, {1, 1, 1, 1, 1, 1});
  ASSERT_EQ(placed.size(), 2u);
  EXPECT_EQ(placed[0].sm, 2);
  EXPECT_EQ(placed[1].sm, 3);
}

TEST(SkippingClusters, AServedClusterMovesTheStartOfTheSearch) {
  SkippingClusters scheduler(SmLayout{10, 1, 0});
  scheduler.begin_kernel(launch({7, 1, 1}, 10, 1));
  const auto placed = dispatch(scheduler, 0, 1, std::vector<int>(10, 1));
  const std::vector<int> expected{0, 2, 5, 9, 4, 1};  // ten tries
  ASSERT_EQ(placed.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(placed[i].sm, expected[i]);
}

TEST(SkippingClusters, AClusterTakesOneCtaPerTryForItsSmsInTurn) {
  SkippingClusters scheduler(SmLayout{1, 3, 0});
  scheduler.begin_kernel(launch({4, 1, 1}, 3, 2));
  const auto placed = dispatch(scheduler, 5, 9, {2, 0, 2});
  ASSERT_EQ(placed.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(placed[i].sm, i % 2 == 0 ? 0 : 2);
    EXPECT_EQ(placed[i].at, Cycle{5 + i});
  }
  EXPECT_TRUE(scheduler.exhausted());
}

}  // namespace
}  // namespace heddle::gpu
