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
  delay.push(7, 0b1, 0, 100);
  delay.push(8, 0b1, 1, 103);
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
  delay.push(7, 0b1010, 0, 100);
  delay.push(8, 0b0001, 0, 100);
  for (const auto& [transaction, sector] : {std::pair(7u, 1u), {7u, 3u}, {8u, 0u}}) {
    EXPECT_EQ(delay.front().transaction(), transaction);
    EXPECT_EQ(delay.front().sector(), sector);
    delay.pop();
  }
  EXPECT_TRUE(delay.empty());
}

TEST(RopDelay, AnL2WithoutHalvesIsNearEverySm) {
  const config::GpuSpec spec = gtx480_memory();
  for (const std::uint32_t slice : {0u, spec.memory.slices() - 1})
    for (const std::uint32_t sm : {0u, 1u})
      EXPECT_FALSE(RopDelay(spec, slice, Clocks(spec.clocks)).is_far(sm));
}

}  // namespace
}  // namespace heddle::mem
