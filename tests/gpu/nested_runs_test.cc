#include "gpu/nested/nested_runs.h"

#include <gtest/gtest.h>

#include "tests/gpu/device_call_bench.h"

namespace heddle::gpu {
namespace {

using LaunchNumbers = std::vector<std::uint64_t>;
constexpr LaunchOrder::Stream kCtaStream{LaunchOrder::Stream::Kind::cta, 0},
    kForgotten{LaunchOrder::Stream::Kind::alone, 0};

struct NestedRunsTest : testing::Test {
  void begin_root(bool timed) {
    order.begin_root(1);
    runs.begin_root(1, {timed, 3});
  }
  void add(LaunchOrder::Stream stream, NestedRuns::Pending pending) {
    runs.add(order.add(1, 0, stream), std::move(pending));
    runs.start_ready();
  }
  static NestedRuns::Pending launch(bool timed) { return {{{}, 0, 1, 3, timed, Cycle{}}, {}, {}}; }

  test::NotingHost host;
  test::NoRuntime runtime;
  exec::GlobalMemory memory{1 << 20};
  LaunchOrder order;
  CallErrors errors{memory};
  GraphLaunches graphs{order, 0};
  DeviceCopies copies{memory, nullptr};
  WaitingCalls calls{order, runtime};
  NestedRuns runs{host, order, graphs, copies, errors, calls};
};

TEST_F(NestedRunsTest, ATimedLaunchBeginsWhenTheOneBeforeItHasEnded) {
  begin_root(true);
  add(kCtaStream, launch(true));
  add(kCtaStream, launch(true));
  EXPECT_EQ(host.timed, LaunchNumbers{101});
  EXPECT_EQ(runs.grid(101).priority, 3);
  runs.ctas_ended(101);
  EXPECT_EQ(host.timed, (LaunchNumbers{101, 102}));
  EXPECT_TRUE(host.untimed.empty());
}

TEST_F(NestedRunsTest, AnUntimedLaunchWaitsUntilItIsRun) {
  begin_root(false);
  add(kForgotten, launch(false));
  add(kForgotten, launch(false));
  EXPECT_TRUE(host.untimed.empty());
  EXPECT_TRUE(runs.run_one_for(1, 0));
  EXPECT_EQ(host.untimed, LaunchNumbers{101});
  runs.run_ready();
  EXPECT_EQ(host.untimed, (LaunchNumbers{101, 102}));
  EXPECT_FALSE(runs.run_one_for(1, 0));
  EXPECT_TRUE(order.is_idle(1, 0));
}

TEST_F(NestedRunsTest, ACopyActsInItsPlace) {
  begin_root(true);
  bool acted = false;
  add(kCtaStream, launch(true));
  add(kCtaStream, {{}, [&] { acted = true; }, {}});
  EXPECT_FALSE(acted);
  runs.ctas_ended(101);
  EXPECT_TRUE(acted);
  EXPECT_TRUE(order.is_idle(1, 0));
}

TEST_F(NestedRunsTest, AfterTimingEndsLaunchesThatDidNotStartRunUntimedUnderTheirNumbers) {
  begin_root(true);
  add(kForgotten, launch(true));
  add(kForgotten, launch(true));
  EXPECT_TRUE(runs.is_timed(1));
  runs.stop_timing({102});
  EXPECT_FALSE(runs.is_timed(1));
  add(kForgotten, launch(true));
  runs.run_ready();
  EXPECT_EQ(host.timed, (LaunchNumbers{101, 102}));
  EXPECT_EQ(host.untimed, (LaunchNumbers{102, 103}));
}

TEST_F(NestedRunsTest, TheErrorsOfAGridEndWithItsCtas) {
  begin_root(true);
  test::DeviceCallBench bench;
  const auto call = bench.call(ptx::RuntimeCall::peek_last_error);
  errors.answer(call, 9);
  runs.ctas_ended(1);
  EXPECT_EQ(errors.last(call, CallErrors::Then::keep), 0u);
}

TEST_F(NestedRunsTest, TheNodesOfAGraphRunAfterThoseThatTheyDependOn) {
  const auto group = graphs.group_of_host(1, 0x10);
  order.begin_root_in(group, 1);
  runs.begin_root(1, {true, 0});
  auto graph = std::make_shared<DeviceGraph>();
  graph->handle = 0x20;
  graph->nodes.resize(3);
  graph->nodes[0].launch = graph->nodes[2].launch = LaunchRequest{};
  graph->nodes[1].after = {0};
  graph->nodes[2].after = {1};
  runs.add(*graphs.launch(group, std::uint64_t{2} << 56, 0x20), {launch(true).launch, {}, graph});
  runs.start_ready();
  EXPECT_EQ(host.timed, LaunchNumbers{101});
  runs.ctas_ended(101);
  EXPECT_EQ(host.timed, (LaunchNumbers{101, 102}));
}

}  // namespace
}  // namespace heddle::gpu
