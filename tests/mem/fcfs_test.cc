#include <gtest/gtest.h>

#include <random>

#include "mem/catalogue.h"
#include "tests/mem/dram_queue_bench.h"

namespace heddle::mem {

TEST(Fcfs, OnlyTheBankOfTheOldestRequestIsServed) {
  DramQueueBench queue("fcfs");
  queue.push(2, 5, 1);
  queue.push(0, 7, 2);
  queue.push(2, 7, 3);
  EXPECT_EQ(queue.banks(), 0b100u);
  EXPECT_EQ(queue.take(2, 7), 1u);  // although 3 is a row hit
  EXPECT_EQ(queue.banks(), 0b1u);
  EXPECT_EQ(queue.take(0, 7), 2u);
  EXPECT_EQ(queue.banks(), 0b100u);
}

TEST(Fcfs, WritesOfAQueueOfTheirOwnKeepTheirOrderToo) {
  config::DramSpec spec;
  spec.separate_writes = true;
  spec.write_high = 2;
  spec.write_low = 1;
  DramQueueBench queue("fcfs", spec);
  queue.push(0, 1, 1, true);
  queue.push(1, 1, 2, true);
  EXPECT_EQ(queue.banks(), 0b1u);
  EXPECT_EQ(queue.take(0, 1), 1u);
  EXPECT_EQ(queue.take(1, 1), 2u);
}

TEST(Fcfs, RandomRequestsAreServedInTheOrderInWhichTheyCame) {
  std::mt19937 draw(5);
  DramQueueBench queue("fcfs");
  std::uint32_t came = 0, left = 0;
  while (left < 2000) {
    if (draw() % 2 && !queue.full())
      queue.push(draw() % 16, draw() % 4, came++);
    else if (queue.banks())
      ASSERT_EQ(queue.take(static_cast<std::uint32_t>(std::countr_zero(queue.banks())), draw() % 4),
                left++);
  }
}

}  // namespace heddle::mem
