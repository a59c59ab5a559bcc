#include "mem/cache_state.h"

#include <gtest/gtest.h>

namespace heddle::mem {
namespace {

config::CacheSpec spec(config::LineAllocation allocation) {
  config::CacheSpec spec;
  spec.size_bytes = 8 * kLineBytes;
  spec.ways = 2;
  spec.mshr_entries = 3;
  spec.miss_queue = 4;
  spec.allocation = allocation;
  return spec;
}

TEST(CacheState, ACacheThatAllocatesOnFillHasRoomForAWriteBackOfEachFetch) {
  const CacheState miss(spec(config::LineAllocation::on_miss)),
      fill(spec(config::LineAllocation::on_fill)),
      streaming(spec(config::LineAllocation::streaming));
  EXPECT_TRUE(miss.reserves);
  EXPECT_FALSE(fill.reserves);
  EXPECT_EQ(miss.mshrs.entries(), 3u);
  EXPECT_EQ(streaming.mshrs.entries(), 8u);  // one per line
  EXPECT_EQ(fill.misses.capacity(), miss.misses.capacity() + 3);
  EXPECT_EQ(streaming.misses.capacity(), miss.misses.capacity() + 8);
  config::CacheSpec with_fills = spec(config::LineAllocation::on_fill);
  with_fills.fills_partial_writes = true;
  EXPECT_EQ(CacheState(with_fills).misses.capacity(), miss.misses.capacity() + 6);
}

TEST(CacheState, RefusesAMissQueueOfOneEntry) {
  config::CacheSpec one = spec(config::LineAllocation::on_miss);
  one.miss_queue = 1;
  EXPECT_THROW(CacheState{one}, UserError);
}

}  // namespace
}  // namespace heddle::mem
