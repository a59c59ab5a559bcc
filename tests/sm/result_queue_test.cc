#include "sm/issue/result_queue.h"

#include <gtest/gtest.h>

namespace heddle::sm {
namespace {

TEST(ResultQueue, WritesOneResultPerCycle) {
  ResultQueue queue;
  for (int n = 0; n < 3; ++n) queue.add(Cycle{10}, true);
  EXPECT_EQ(queue.next_exit(), Cycle{10});
  queue.write(Cycle{9});
  EXPECT_EQ(queue.size(), 3);
  queue.write(Cycle{11});
  EXPECT_EQ(queue.size(), 1);
  EXPECT_EQ(queue.next_exit(), Cycle{12});
}

TEST(ResultQueue, WaitsWhileAnotherResultTakesThePort) {
  ResultQueue queue;
  queue.add(Cycle{10}, true);
  queue.add(Cycle{11}, true);
  queue.take_port(Cycle{10});
  EXPECT_EQ(queue.next_exit(), Cycle{11});
  queue.write(Cycle{11});
  EXPECT_EQ(queue.size(), 1);
  EXPECT_EQ(queue.next_exit(), Cycle{12});
}

TEST(ResultQueue, AnInstructionWithoutRegisterNeedsNoPort) {
  ResultQueue queue;
  queue.add(Cycle{10}, true);
  queue.add(Cycle{10}, true);
  queue.add(Cycle{10}, false);
  queue.write(Cycle{10});
  EXPECT_EQ(queue.size(), 1);
}

TEST(ResultQueue, OrdersResultsByTheCycleInWhichTheyAreDue) {
  ResultQueue queue;
  queue.add(Cycle{20}, true);
  queue.add(Cycle{10}, true);
  queue.write(Cycle{19});
  EXPECT_EQ(queue.size(), 1);
  EXPECT_EQ(queue.next_exit(), Cycle{20});
}

}  // namespace
}  // namespace heddle::sm
