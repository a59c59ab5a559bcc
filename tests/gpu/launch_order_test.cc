// The order of launches from kernels, without kernels and time.
#include "gpu/nested/launch_order.h"

#include <gtest/gtest.h>

namespace heddle::gpu {
namespace {

using Stream = LaunchOrder::Stream;
using Kind = Stream::Kind;
using Works = std::vector<LaunchOrder::Work>;
using Grids = std::vector<LaunchOrder::Grid>;

constexpr Stream of_cta(std::uint64_t cta) { return {Kind::cta, cta}; }
constexpr Stream kTail{Kind::tail, 0}, kAlone{Kind::alone, 0};

TEST(LaunchOrder, WorkOfOneStreamRunsInOrder) {
  LaunchOrder order;
  order.begin_root(1);
  const auto first = order.add(1, 0, of_cta(0)), second = order.add(1, 0, of_cta(0));
  EXPECT_EQ(order.take_ready(), Works{first});
  order.begin(first, 2);
  EXPECT_EQ(order.take_ready(), Works{});
  order.ctas_ended(2);
  EXPECT_EQ(order.take_ready(), Works{second});
}

TEST(LaunchOrder, StreamsOfTwoCtasAndFireAndForgetAreNotOrdered) {
  LaunchOrder order;
  order.begin_root(1);
  const auto a = order.add(1, 0, of_cta(0)), b = order.add(1, 1, of_cta(1)),
             c = order.add(1, 0, kAlone), d = order.add(1, 0, kAlone);
  EXPECT_EQ(order.take_ready(), (Works{a, b, c, d}));
}

TEST(LaunchOrder, AGridIsCompleteWhenItsLaunchesAre) {
  LaunchOrder order;
  order.begin_root(1);
  order.begin(order.add(1, 0, of_cta(0)), 2);
  order.ctas_ended(1);
  EXPECT_EQ(order.take_complete(), Grids{});
  const auto grandchild = order.add(2, 0, of_cta(0));
  order.begin(grandchild, 3);
  EXPECT_EQ(order.depth(3), 2u);
  order.ctas_ended(2);
  EXPECT_EQ(order.take_complete(), Grids{});
  order.ctas_ended(3);
  EXPECT_EQ(order.take_complete(), Grids{1});
  EXPECT_EQ(order.incomplete(), 0u);
}

TEST(LaunchOrder, TailLaunchesFollowAllOtherWorkDepthFirst) {
  LaunchOrder order;
  order.begin_root(1);
  const auto tail = order.add(1, 0, kTail), last = order.add(1, 0, kTail),
             child = order.add(1, 0, of_cta(0));
  EXPECT_EQ(order.take_ready(), Works{child});
  order.begin(child, 2);
  order.ctas_ended(1);
  EXPECT_EQ(order.take_ready(), Works{});
  order.ctas_ended(2);
  EXPECT_EQ(order.take_ready(), Works{tail});
  order.begin(tail, 3);
  const auto inner = order.add(3, 0, kTail);
  order.ctas_ended(3);
  EXPECT_EQ(order.take_ready(), Works{inner});
  order.begin(inner, 4);
  order.ctas_ended(4);
  EXPECT_EQ(order.take_ready(), Works{last});
  order.begin(last, 5);
  order.ctas_ended(5);
  EXPECT_EQ(order.take_complete(), Grids{1});
}

TEST(LaunchOrder, AStreamWaitsForTheRecordOfAnEvent) {
  LaunchOrder order;
  order.begin_root(1);
  const Stream first{Kind::named, 8}, second{Kind::named, 16};
  const auto a = order.add(1, 0, first);
  const auto record = order.add_record(1, 0, first);
  order.add_wait(1, 0, second, record);
  const auto b = order.add(1, 0, second);
  EXPECT_EQ(order.take_ready(), Works{a});
  order.finish(a);
  EXPECT_EQ(order.take_ready(), Works{b});
}

TEST(LaunchOrder, ACtaIsIdleWhenItsOwnWorkIsComplete) {
  LaunchOrder order;
  order.begin_root(1);
  const auto a = order.add(1, 0, of_cta(0));
  order.add(1, 1, of_cta(1));
  order.add(1, 0, kTail);
  EXPECT_FALSE(order.is_idle(1, 0));
  EXPECT_TRUE(order.is_idle(1, 2));
  EXPECT_TRUE(order.descends(a, 1, 0));
  EXPECT_FALSE(order.descends(a, 1, 1));
  order.finish(a);
  EXPECT_TRUE(order.is_idle(1, 0));
  EXPECT_FALSE(order.is_idle(1, 1));
}

TEST(LaunchOrder, ALongStreamEndsWithoutRecursion) {
  LaunchOrder order;
  order.begin_root(1);
  const auto a = order.add(1, 0, of_cta(0));
  for (int i = 0; i < 200'000; ++i) order.add_record(1, 0, of_cta(0));
  order.ctas_ended(1);
  order.finish(a);
  EXPECT_EQ(order.take_complete(), Grids{1});
}

// Numbers of groups begin at 10: an outer one, a graph that the host launches, one that it fires.
TEST(LaunchOrder, AGraphEndsWithItsNodesAndWithWhatItFires) {
  LaunchOrder order;
  order.begin_root_group(10);
  order.begin_group_in(10, 11);
  order.begin_root_in(11, 1);
  EXPECT_EQ(order.group_of(1), 11u);
  EXPECT_EQ(order.depth(1), 0u);
  const auto tail = order.add(11, 0, kTail), fired = order.add(11, 0, kAlone);
  EXPECT_EQ(order.take_ready(), Works{fired});
  order.begin_group(fired, 12);
  const auto node = order.add(12, 0, kAlone);
  order.ctas_ended(12);
  EXPECT_EQ(order.take_ready(), Works{node});
  order.begin(node, 2);
  order.ctas_ended(1);
  EXPECT_EQ(order.take_complete(), Grids{1});
  order.ctas_ended(11);
  order.ctas_ended(10);
  EXPECT_EQ(order.take_ready(), Works{});
  order.ctas_ended(2);
  EXPECT_EQ(order.take_ended_groups(), (Grids{12, 11}));
  EXPECT_EQ(order.take_ready(), Works{tail});
  EXPECT_EQ(order.take_complete(), Grids{});
  order.begin_group(tail, 13);
  order.ctas_ended(13);
  EXPECT_EQ(order.take_ended_groups(), (Grids{13, 10}));
  EXPECT_EQ(order.take_complete(), Grids{10});
  EXPECT_EQ(order.incomplete(), 0u);
}

TEST(LaunchOrder, ASiblingIsWorkOfTheOuterGroupAlsoFromATailLaunch) {
  LaunchOrder order;
  order.begin_root_group(10);
  order.begin_group_in(10, 11);
  EXPECT_EQ(order.outer_group(11), 10u);
  const auto tail = order.add(11, 0, kTail);
  order.ctas_ended(11);
  order.ctas_ended(10);
  EXPECT_EQ(order.take_ready(), Works{tail});
  order.begin_group(tail, 12);
  EXPECT_EQ(order.outer_group(12), 10u);
  const auto sibling = order.add(order.outer_group(12), 0, kAlone);
  order.ctas_ended(12);
  EXPECT_EQ(order.take_complete(), Grids{});
  EXPECT_EQ(order.take_ready(), Works{sibling});
  order.finish(sibling);
  EXPECT_EQ(order.take_complete(), Grids{10});
}

TEST(LaunchOrder, LaunchesOfANodeAreNoGroupOfItsLaunches) {
  LaunchOrder order;
  order.begin_root(1);
  order.begin(order.add(1, 0, of_cta(0)), 2);
  EXPECT_EQ(order.group_of(1), std::nullopt);
  EXPECT_EQ(order.group_of(2), std::nullopt);
}

}  // namespace
}  // namespace heddle::gpu
