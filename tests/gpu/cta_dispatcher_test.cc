#include "gpu/cta/cta_dispatcher.h"

#include <gtest/gtest.h>

namespace heddle::gpu {
namespace {

std::vector<CtaDispatcher::Placement> dispatch(CtaDispatcher& dispatcher, std::uint64_t from,
                                               std::uint64_t to, std::vector<int> room) {
  std::vector<CtaDispatcher::Placement> placements;
  dispatcher.dispatch(Cycle{from}, Cycle{to}, room, placements);
  return placements;
}

TEST(RoundRobinDispatcher, GivesEverySmOneCtaPerCycleInLinearOrder) {
  RoundRobinDispatcher dispatcher;
  dispatcher.begin_kernel({8, 1, 1}, 3, 2);
  const auto placed = dispatch(dispatcher, 10, 14, {2, 2, 2});
  ASSERT_EQ(placed.size(), 6u);
  for (std::size_t i = 0; i < placed.size(); ++i) {
    EXPECT_EQ(placed[i].cta, i);
    EXPECT_EQ(placed[i].sm, static_cast<int>(i % 3));
    EXPECT_EQ(placed[i].at, Cycle{10 + i / 3});
  }
  EXPECT_FALSE(dispatcher.exhausted());
}

TEST(RoundRobinDispatcher, PlacesLaterCtasOnSmsWithRoom) {
  RoundRobinDispatcher dispatcher;
  dispatcher.begin_kernel({4, 1, 1}, 3, 1);
  dispatch(dispatcher, 0, 1, {1, 1, 1});
  const auto placed = dispatch(dispatcher, 50, 54, {0, 0, 1});
  ASSERT_EQ(placed.size(), 1u);
  EXPECT_EQ(placed[0].sm, 2);
  EXPECT_EQ(placed[0].cta, 3u);
  EXPECT_TRUE(dispatcher.exhausted());
}

TEST(RoundRobinDispatcher, StartsAfterTheSmServedLast) {
  RoundRobinDispatcher dispatcher;
  dispatcher.begin_kernel({10, 1, 1}, 3, 2);
  dispatch(dispatcher, 0, 1, {1, 1, 0});
  const auto placed = dispatch(dispatcher, 4, 5, {1, 1, 1});
  ASSERT_EQ(placed.size(), 3u);
  EXPECT_EQ(placed[0].sm, 2);
  EXPECT_EQ(placed[1].sm, 0);
}

TEST(RoundRobinDispatcher, TheNextKernelStartsAfterTheSmServedLast) {
  RoundRobinDispatcher dispatcher;
  for (int kernel = 0; kernel < 4; ++kernel) {
    dispatcher.begin_kernel({2, 1, 1}, 3, 2);
    const auto placed = dispatch(dispatcher, 0, 1, {2, 2, 2});
    ASSERT_EQ(placed.size(), 2u);
    EXPECT_EQ(placed[0].sm, 2 * kernel % 3);
    EXPECT_EQ(placed[1].sm, (2 * kernel + 1) % 3);
  }
}

TEST(RoundRobinDispatcher, TheFirstCtaGoesToTheFirstCluster) {
  RoundRobinDispatcher dispatcher(SmLayout{3, 2, 1});
  dispatcher.begin_kernel({2, 1, 1}, 6, 1);
  const auto placed = dispatch(dispatcher, 0, 1, {1, 1, 1, 1, 1, 1});
  ASSERT_EQ(placed.size(), 2u);
  EXPECT_EQ(placed[0].sm, 2);
  EXPECT_EQ(placed[1].sm, 3);
}

TEST(SkippingDispatcher, AServedClusterMovesTheStartOfTheSearch) {
  SkippingDispatcher dispatcher(SmLayout{10, 1, 0});
  dispatcher.begin_kernel({7, 1, 1}, 10, 1);
  const auto placed = dispatch(dispatcher, 0, 1, std::vector<int>(10, 1));
  const std::vector<int> expected{0, 2, 5, 9, 4, 1};  // ten tries
  ASSERT_EQ(placed.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(placed[i].sm, expected[i]);
}

TEST(SkippingDispatcher, AClusterTakesOneCtaPerTryForItsSmsInTurn) {
  SkippingDispatcher dispatcher(SmLayout{1, 3, 0});
  dispatcher.begin_kernel({4, 1, 1}, 3, 2);
  const auto placed = dispatch(dispatcher, 5, 9, {2, 0, 2});
  ASSERT_EQ(placed.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(placed[i].sm, i % 2 == 0 ? 0 : 2);
    EXPECT_EQ(placed[i].at, Cycle{5 + i});
  }
  EXPECT_TRUE(dispatcher.exhausted());
}

}  // namespace
}  // namespace heddle::gpu
