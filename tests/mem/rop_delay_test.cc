#include "mem/rop_delay.h"

#include <gtest/gtest.h>

#include "tests/mem/memory_bench.h"

namespace heddle::mem {
namespace {

TEST(RopDelay, PartsOfTheOtherHalfAreOvertaken) {
  config::GpuSpec spec = gtx480_memory();
  spec.memory.rop_latency = 10;
  spec.memory.far_latency = 5;
  RopDelay delay(spec, spec.memory.slices() - 1, Clocks(spec.clocks));  // in the upper half
  EXPECT_TRUE(delay.is_far(0));
  EXPECT_FALSE(delay.is_far(1));
  delay.push({7, 0b1, 0, 1, true}, 100);
  delay.push({8, 0b1, 1, 2, true}, 103);
  EXPECT_EQ(delay.ready(), 113u);
  EXPECT_EQ(delay.front().transaction(), 8u);
  delay.pop();
  EXPECT_EQ(delay.ready(), 115u);
  delay.pop();
  EXPECT_TRUE(delay.empty());
}

TEST(RopDelay, ThePartsOfATransactionEndItInTheOrderOfTheirSectors) {
  const config::GpuSpec spec = gtx480_memory();
  RopDelay delay(spec, 0, Clocks(spec.clocks));
  delay.push({7, 0b1010, 0, 1, true}, 100);
  delay.push({8, 0b0001, 0, 1, true}, 100);
  for (const auto& [transaction, sector] : {std::pair(7u, 1u), {7u, 3u}, {8u, 0u}}) {
    EXPECT_EQ(delay.front().transaction(), transaction);
    EXPECT_EQ(delay.front().sector(), sector);
    delay.pop();
  }
  EXPECT_TRUE(delay.empty());
}

// When a request of the cluster that arrives at `cycle` ends its delay.
std::uint64_t end_of(RopDelay& delay, std::uint32_t cluster, std::uint64_t line, bool reads,
                     std::uint64_t cycle) {
  delay.push({0, 0b1, cluster, line, reads}, cycle);
  const std::uint64_t end = delay.ready();
  delay.pop();
  return end;
}

TEST(RopDelay, AReadMakesACopyInTheOtherHalfUntilTheLineIsWritten) {
  config::GpuSpec spec = gtx480_memory();
  spec.memory.rop_latency = 10;
  spec.memory.far_latency = 5;
  RopDelay delay(spec, spec.memory.slices() - 1, Clocks(spec.clocks));
  EXPECT_EQ(end_of(delay, 0, 3, true, 100), 115u);
  EXPECT_EQ(end_of(delay, 0, 3, true, 101), 116u);  // the copy is on its way
  EXPECT_EQ(end_of(delay, 0, 4, true, 120), 135u);  // another line
  EXPECT_EQ(end_of(delay, 2, 3, true, 120), 130u);
  EXPECT_EQ(end_of(delay, 1, 3, false, 140), 150u);  // written by the near half
  EXPECT_EQ(end_of(delay, 0, 3, true, 160), 175u);
  EXPECT_EQ(end_of(delay, 0, 3, false, 180), 195u);  // a write goes to the line's half
  EXPECT_EQ(end_of(delay, 0, 3, true, 200), 215u);
  delay.forget_copies();
  EXPECT_EQ(end_of(delay, 0, 3, true, 300), 315u);
}

TEST(RopDelay, AnL2WithoutHalvesIsNearEverySm) {
  const config::GpuSpec spec = gtx480_memory();
  for (const std::uint32_t slice : {0u, spec.memory.slices() - 1})
    for (const std::uint32_t sm : {0u, 1u})
      EXPECT_FALSE(RopDelay(spec, slice, Clocks(spec.clocks)).is_far(sm));
}

}  // namespace
}  // namespace heddle::mem
