#include "gpu/nested/graph_launches.h"

#include <gtest/gtest.h>

namespace heddle::gpu {
namespace {

constexpr std::uint64_t kTailGraph = std::uint64_t{1} << 56, kFireGraph = std::uint64_t{2} << 56,
                        kSiblingGraph = std::uint64_t{3} << 56;
constexpr std::uint64_t kOwn = 0x10, kOther = 0x20;  // handles

// The host launches the graph kOwn, whose only node runs.
struct GraphLaunchesTest : testing::Test {
  GraphLaunchesTest() { order.begin_root_in(group, 1); }
  void end_host_graph() {
    order.ctas_ended(1);
    graphs.end_of_host(1);
    graphs.note_ended();
  }
  // A graph without nodes, from its start to its end.
  void run(LaunchOrder::Work work, std::uint64_t handle) {
    order.ctas_ended(graphs.begin(work, handle));
    graphs.note_ended();
  }

  LaunchOrder order;
  GraphLaunches graphs{order, 0};
  LaunchOrder::Grid group = graphs.group_of_host(1, kOwn);
};

TEST_F(GraphLaunchesTest, TheNodesOfOneLaunchByTheHostAreOneGroup) {
  EXPECT_EQ(graphs.group_of_host(1, kOwn), group);
  EXPECT_NE(graphs.group_of_host(2, kOther), group);
  EXPECT_EQ(order.group_of(1), group);
  end_host_graph();
  EXPECT_EQ(order.take_complete(), (std::vector<LaunchOrder::Grid>{1, group - 1}));
}

TEST_F(GraphLaunchesTest, AGraphDoesNotRunTwiceAtOnce) {
  EXPECT_FALSE(graphs.launch(group, kFireGraph, kOwn));
  const auto other = graphs.launch(group, kFireGraph, kOther);
  ASSERT_TRUE(other);
  EXPECT_FALSE(graphs.launch(group, kFireGraph, kOther));
  EXPECT_FALSE(graphs.launch(group, kTailGraph, kOther));
  EXPECT_EQ(order.take_ready(), std::vector{*other});
  run(*other, kOther);
  EXPECT_TRUE(graphs.launch(group, kSiblingGraph, kOther));
}

TEST_F(GraphLaunchesTest, AGraphMayFollowItselfOnceAtATime) {
  const auto again = graphs.launch(group, kTailGraph, kOwn);
  ASSERT_TRUE(again);
  EXPECT_FALSE(graphs.launch(group, kTailGraph, kOwn));
  EXPECT_TRUE(order.take_ready().empty());
  end_host_graph();
  EXPECT_EQ(order.take_ready(), std::vector{*again});
  run(*again, kOwn);
  EXPECT_EQ(order.take_complete().back(), group - 1);
}

TEST_F(GraphLaunchesTest, OnlyTheStreamsOfGraphsAndSoManyLaunchesAreAccepted) {
  EXPECT_FALSE(graphs.launch(group, 0, kOther));
  for (std::uint64_t n = 0; n < 120; ++n) EXPECT_TRUE(graphs.launch(group, kFireGraph, kOther + n));
  EXPECT_FALSE(graphs.launch(group, kFireGraph, kOther + 120));
  EXPECT_TRUE(graphs.launch(group, kSiblingGraph, kOther + 120));
}

TEST_F(GraphLaunchesTest, ATailLaunchIsRestoredBehindItsGraph) {
  graphs.launch(group, kTailGraph, kOther);
  EXPECT_EQ(graphs.followed_by(kOther), 1u);
  DeviceRuntimeState state;
  graphs.save(state);
  ASSERT_EQ(state.graphs.size(), 1u);
  EXPECT_EQ(state.graphs[0].handle, kOwn);
  LaunchOrder new_order;
  GraphLaunches restored(new_order, 0);
  restored.restore(state);
  const auto tail = restored.restore_tail({1, kOther, 0, 0});
  EXPECT_FALSE(restored.launch(group, kTailGraph, kOther));
  EXPECT_TRUE(restored.launch(group, kTailGraph, kOther + 1)) << "one of 255 has waited";
  EXPECT_TRUE(new_order.take_ready().empty());
  restored.end_of_host(1);
  EXPECT_EQ(new_order.take_ready(), std::vector{tail});
}

TEST_F(GraphLaunchesTest, TheLaunchesOfAGraphAndBesideItAreRestored) {
  for (const bool beside : {false, true}) {
    LaunchOrder new_order;
    GraphLaunches restored(new_order, 0);
    DeviceRuntimeState state;
    state.graphs = {{1, kOwn, beside ? 0U : 120U, beside ? 120U : 0U}};
    restored.restore(state);
    EXPECT_EQ(restored.launch(group, kFireGraph, kOther).has_value(), beside);
    EXPECT_EQ(restored.launch(group, kSiblingGraph, kOther).has_value(), !beside);
  }
}

}  // namespace
}  // namespace heddle::gpu
