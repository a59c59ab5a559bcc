#include "gpu/engine/launch_queue.h"

#include <gtest/gtest.h>

namespace heddle::gpu {
namespace {

QueuedKernel launch(std::uint64_t number, int priority = 0) {
  QueuedKernel kernel;
  kernel.launch_number = number;
  kernel.priority = priority;
  return kernel;
}

QueuedKernel nested(std::uint64_t number, Cycle earliest, std::uint32_t program = 0) {
  QueuedKernel kernel = launch(number);
  kernel.nested = true;
  kernel.earliest = earliest;
  kernel.result.program = program;
  return kernel;
}

}  // namespace

TEST(LaunchQueue, LaunchesStartByPriorityThenByTheirOrder) {
  LaunchQueue queue;
  queue.add(launch(1, 1));
  queue.add(launch(2, 1));
  queue.add(launch(3, 0));
  EXPECT_EQ(queue.front().launch_number, 3u);
  EXPECT_EQ(queue.take_front().launch_number, 3u);
  EXPECT_EQ(queue.take_front().launch_number, 1u);
  EXPECT_EQ(queue.take_front().launch_number, 2u);
  EXPECT_TRUE(queue.idle());
}

TEST(LaunchQueue, ANestedLaunchWaitsForItsTime) {
  LaunchQueue queue;
  queue.add(nested(1, Cycle{100}));
  EXPECT_TRUE(queue.empty());
  EXPECT_FALSE(queue.idle());
  EXPECT_EQ(queue.next_release(), Cycle{100});
  queue.release(Cycle{100});
  EXPECT_TRUE(queue.empty());
  queue.release(Cycle{101});
  EXPECT_EQ(queue.take_front().launch_number, 1u);
  EXPECT_EQ(queue.next_release(), Cycle::never());
}

TEST(LaunchQueue, TakesNestedLaunchesByProgramAndNumberAndKeepsTheHosts) {
  LaunchQueue queue;
  queue.add(launch(1));
  queue.add(nested(5, Cycle{10}, 1));
  queue.add(nested(4, Cycle{20}, 1));
  queue.add(nested(3, Cycle{5}));
  queue.release(Cycle{11});
  const auto numbers = queue.take_nested(2);
  EXPECT_EQ(numbers, (std::vector<std::vector<std::uint64_t>>{{3}, {4, 5}}));
  EXPECT_EQ(queue.take_front().launch_number, 1u);
  EXPECT_TRUE(queue.idle());
}

}  // namespace heddle::gpu
