#include "gpu/engine/engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/gpu/engine_bench.h"

namespace heddle::gpu {
namespace {

using test::EngineBench;

}  // namespace

TEST(Engine, PassesTimeWithoutLaunches) {
  EngineBench bench;
  Until until;
  until.time = Cycle{500};
  EXPECT_TRUE(bench.engine().advance(until, {}).empty());
  EXPECT_EQ(bench.engine().now(), Cycle{500});
}

TEST(Engine, ReturnsAtTheGivenTimeThoughALaunchRuns) {
  EngineBench bench;
  bench.begin(8, 256);
  Until until;
  until.time = Cycle{bench.run.gpu.kernel_launch_latency + 100};
  EXPECT_TRUE(bench.engine().advance(until, {}).empty());
  EXPECT_GE(bench.engine().now(), until.time);
  EXPECT_TRUE(bench.engine().busy());
  EXPECT_EQ(bench.engine().running().size(), 1u);
  EXPECT_EQ(bench.finish().size(), 1u);
  EXPECT_FALSE(bench.engine().busy());
}

// The GPU of the bench runs two at once.
TEST(Engine, ALaunchBeyondTheLimitStartsWhenAnotherHasEnded) {
  EngineBench bench;
  const std::uint64_t first = bench.begin(2, 64);
  bench.begin(30, 256);
  const std::uint64_t third = bench.begin(2, 64);
  std::vector<QueuedKernel> ended;
  std::size_t most = 0;
  while (bench.engine().busy())
    for (QueuedKernel& k : bench.engine().advance(
             {}, [&] { most = std::max(most, bench.engine().running().size()); }))
      ended.push_back(std::move(k));
  EXPECT_EQ(most, 2u);
  ASSERT_EQ(ended.size(), 3u);
  EXPECT_EQ(ended[0].launch_number, first);
  const auto later = std::find_if(ended.begin(), ended.end(),
                                  [&](const QueuedKernel& k) { return k.launch_number == third; });
  EXPECT_GE(later->result.start, ended[0].result.start + ended[0].result.cycles);
}

TEST(Engine, TheSmallerPriorityStartsFirst) {
  EngineBench bench;
  bench.begin(2, 64, 1);
  bench.begin(2, 64, 1);
  const std::uint64_t urgent = bench.begin(2, 64, 0);
  const auto ended = bench.finish();
  ASSERT_EQ(ended.size(), 3u);
  EXPECT_EQ(ended.front().launch_number, urgent);
  EXPECT_GT(ended.back().result.start, ended.front().result.start);
}

TEST(Engine, AStopRequestEndsTheRun) {
  EngineBench bench;
  bench.begin(1, 32);
  const exec::StopRequest stop = 2;
  Until until;
  until.stop = &stop;
  try {
    bench.engine().advance(until, {});
    FAIL() << "the run went on";
  } catch (const exec::Interrupted& interrupted) {
    EXPECT_EQ(interrupted.signal, 2);
  }
}

}  // namespace heddle::gpu
