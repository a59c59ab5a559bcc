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

TEST(SharedMemory, WideAccessesAreServedByPartsOfTheWarp) {
  const auto of = [](std::uint32_t bytes, std::uint64_t stride) {
    std::array<std::uint64_t, kWarpSize> addresses;
    for (std::uint64_t lane = 0; lane < kWarpSize; ++lane) addresses[lane] = stride * lane;
    const SharedAccess access = shared_access(LaneMask::all(), addresses, bytes, 32);
    return std::pair(access.cycles, access.conflicts);
  };
  EXPECT_EQ(of(4, 4), std::pair(1u, 0u));
  EXPECT_EQ(of(8, 8), std::pair(2u, 0u));
  EXPECT_EQ(of(16, 16), std::pair(4u, 0u));
  EXPECT_EQ(of(8, 16), std::pair(4u, 2u));
  EXPECT_EQ(of(16, 0), std::pair(4u, 0u));
  EXPECT_EQ(of(16, 128), std::pair(32u, 28u));
  std::array<std::uint64_t, kWarpSize> none{};
  EXPECT_EQ(shared_access(LaneMask::first(8), none, 16, 32).cycles, 1u);
}

}  // namespace
}  // namespace heddle::sm
