#include "mem/warming.h"

#include <gtest/gtest.h>

#include "tests/mem/cache_bench.h"

namespace heddle::mem {
namespace {

// Of the n-th line of set 0.
Request whole_line(PacketKind kind, std::uint64_t n) {
  Request request;
  request.kind = kind;
  request.address = Address{set0(n)};
  request.bytes = kLineBytes;
  if (kind == PacketKind::write) request.mask.set(0, kLineBytes);
  return request;
}

// The third line evicts the first, which is dirty: 128 bytes are two bursts.
TEST(Warming, ReadsAndWritesAtOnceAndKeepsPortsFree) {
  Cache cache(small_l2());
  DramBursts bursts;
  warm(cache, whole_line(PacketKind::write, 0), 64, bursts);
  EXPECT_EQ(bursts.reads + bursts.writes, 0u);
  warm(cache, whole_line(PacketKind::read, 1), 64, bursts);
  warm(cache, whole_line(PacketKind::read, 1), 64, bursts);
  EXPECT_EQ(bursts.reads, 4u);  // one for each sector
  warm(cache, whole_line(PacketKind::read, 2), 64, bursts);
  EXPECT_EQ(bursts.writes, 2u);
  EXPECT_EQ(cache.tags().find(Address{0}), kNoLine);
  EXPECT_TRUE(cache.idle());
  EXPECT_TRUE(cache.ports().data_free(0));
}

TEST(Warming, ReadsASectorThatWasWrittenInPartBeforeItsWriteBack) {
  config::CacheSpec spec = small_l2();
  spec.fills_partial_writes = true;
  Cache cache(spec);
  DramBursts bursts;
  Request part = whole_line(PacketKind::write, 0);
  part.bytes = 4;
  part.mask = {};
  part.mask.set(0, 4);
  warm(cache, part, 32, bursts);
  warm(cache, whole_line(PacketKind::write, 1), 32, bursts);
  EXPECT_EQ(bursts.reads + bursts.writes, 0u);
  warm(cache, whole_line(PacketKind::write, 2), 32, bursts);
  EXPECT_EQ(bursts.reads, 1u);
  EXPECT_EQ(bursts.writes, 1u);
  EXPECT_TRUE(cache.idle());
}

TEST(Warming, EachSectorThatIsWrittenThroughIsABurst) {
  config::CacheSpec spec = small_l2();
  spec.write = config::WritePolicy::write_through;
  spec.write_allocation = config::WriteAllocation::none;
  Cache cache(spec);
  DramBursts bursts;
  warm(cache, whole_line(PacketKind::write, 0), 64, bursts);
  EXPECT_EQ(bursts.writes, 4u);
  EXPECT_EQ(bursts.reads, 0u);
}

TEST(Warming, ReadsTheLinesThatHoldTheBytes) {
  const std::vector<Request> reads = line_reads(Address{100}, 200, 128);
  ASSERT_EQ(reads.size(), 3u);
  EXPECT_EQ(reads[0].address, Address{0});
  EXPECT_EQ(reads[2].address, Address{256});
  EXPECT_EQ(reads[2].bytes, 128u);
  EXPECT_TRUE(line_reads(Address{100}, 0, 128).empty());
}

}  // namespace
}  // namespace heddle::mem
