// The lengths of the time slices of functional runs.
#include "exec/functional/time_slice.h"

#include <gtest/gtest.h>

namespace heddle::exec::test {
namespace {

constexpr SliceConditions kAmongWarps{.other_warps = true};

TEST(TimeSlice, GrowsWithWhatTheWarpHasExecutedSinceTheBarrier) {
  EXPECT_EQ(slice_length(0), 16u);
  EXPECT_EQ(slice_length(255), 16u);
  EXPECT_EQ(slice_length(256), 64u);
  EXPECT_EQ(slice_length(64 * 1000), 1000u);
}

TEST(TimeSlice, OfAWarpAmongOthersEndsWithAYield) {
  const TimeSlice slice = next_slice({.instructions = 300}, kAmongWarps);
  EXPECT_EQ(slice.instructions, 64u);
  EXPECT_TRUE(slice.yields);
}

TEST(TimeSlice, OfTheOnlyWarpIsLong) {
  const TimeSlice slice = next_slice({}, {});
  EXPECT_EQ(slice.instructions, kMaxSlice);
  EXPECT_FALSE(slice.yields);
}

TEST(TimeSlice, OfAWarpThatStillSpinsEndsWithItsSpinLoop) {
  EXPECT_FALSE(next_slice({}, {.other_warps = true, .spins = true}).yields);
}

TEST(TimeSlice, OfAnObservedWarpHasAFixedLength) {
  const TimeSlice slice = next_slice({}, {.observed = true, .other_warps = true});
  EXPECT_EQ(slice.instructions, kObservedSlice);
  EXPECT_FALSE(slice.yields);
}

TEST(TimeSlice, DelaysStoresToSharedMemoryOnceTheWarpIsAhead) {
  const SliceConditions stores{.other_warps = true, .shared_stores = true};
  EXPECT_EQ(next_slice({.instructions = 100}, stores).delay_stores_after, kUnlimited);
  EXPECT_EQ(next_slice({.instructions = 250}, stores).delay_stores_after, 6u);
  EXPECT_EQ(next_slice({.instructions = 300}, stores).delay_stores_after, 0u);
  EXPECT_EQ(next_slice({.instructions = 300}, kAmongWarps).delay_stores_after, kUnlimited);
}

TEST(TimeSlice, DelaysTheNextStoreAfterASixtyFourthMore) {
  EXPECT_EQ(next_store_delay(256), 512u);
  EXPECT_EQ(next_store_delay(64 * 1000), 65'000u);
}

TEST(TimeSlice, ADelayEndsWhenEachOtherWarpCouldExecuteAsMuch) {
  EXPECT_FALSE(store_delay_is_over(4095 * 4, 100, 4));
  EXPECT_TRUE(store_delay_is_over(4096 * 4, 100, 4));
  EXPECT_FALSE(store_delay_is_over(4096 * 4, 10'000, 4));
  EXPECT_TRUE(store_delay_is_over(40'000, 10'000, 4));
}

}  // namespace
}  // namespace heddle::exec::test
