#include "sm/lsu/shared_memory.h"

#include <gtest/gtest.h>

namespace heddle::sm {
namespace {

std::array<std::uint64_t, kWarpSize> words(std::uint64_t stride) {
  std::array<std::uint64_t, kWarpSize> a{};
  for (std::size_t i = 0; i < kWarpSize; ++i) a[i] = 4 * stride * i;
  return a;
}

TEST(SharedMemory, ConsecutiveWordsAndBroadcastsAreFree) {
  EXPECT_EQ(shared_memory_cycles(LaneMask::all(), words(1), 32, 1), 1u);
  EXPECT_EQ(shared_memory_cycles(LaneMask::all(), words(0), 32, 1), 1u);
  EXPECT_EQ(shared_memory_cycles(LaneMask::all(), words(33), 32, 1), 1u);
}
TEST(SharedMemory, StrideGivesItsConflictDegree) {
  EXPECT_EQ(shared_memory_cycles(LaneMask::all(), words(2), 32, 1), 2u);
  EXPECT_EQ(shared_memory_cycles(LaneMask::all(), words(8), 32, 1), 8u);
  EXPECT_EQ(shared_memory_cycles(LaneMask::all(), words(32), 32, 1), 32u);
  EXPECT_EQ(shared_memory_cycles(LaneMask::first(4), words(32), 32, 1), 4u);
}
TEST(SharedMemory, HalfWarpsAreServedOneAfterTheOther) {
  EXPECT_EQ(shared_memory_cycles(LaneMask::all(), words(1), 16, 2), 2u);
}

}  // namespace
}  // namespace heddle::sm
