#include <gtest/gtest.h>

#include "mem/catalogue.h"
#include "tests/mem/dram_queue_bench.h"

namespace heddle::mem {

TEST(FrFcfs, RowHitsOvertakeTheOldestRequestOfTheirBank) {
  DramQueueBench queue("fr-fcfs");
  queue.push(0, 5, 1);
  queue.push(0, 7, 2);
  queue.push(1, 7, 3);
  queue.push(0, 7, 4);
  EXPECT_EQ(queue.banks(), 0b11u);
  EXPECT_EQ(queue.take(0, 7), 2u);
  EXPECT_EQ(queue.take(0, 7), 4u);
  EXPECT_EQ(queue.take(0, 7), 1u);  // no row hit is left
  EXPECT_EQ(queue.banks(), 0b10u);
}

TEST(FrFcfs, BoundedPassesServeTheOldestRequest) {
  config::DramSpec spec;
  spec.frfcfs_passes = 1;
  DramQueueBench queue("fr-fcfs", spec);
  queue.push(0, 5, 1);
  for (const std::uint32_t tag : {2, 3}) queue.push(0, 7, tag);
  EXPECT_EQ(queue.take(0, 7), 2u);
  EXPECT_EQ(queue.take(0, 7), 1u);
  EXPECT_EQ(queue.take(0, 7), 3u);
}

}  // namespace heddle::mem
