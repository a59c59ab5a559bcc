#include "mem/cache.h"

#include <gtest/gtest.h>

#include "base/diagnostics.h"
#include "tests/mem/cache_bench.h"

namespace heddle::mem {
namespace {

using config::CacheSpec;
using config::Filling;
using config::LineAllocation;
using config::WriteAllocation;
using config::WritePolicy;

TEST(Cache, AMissFetchesTheWholeLineAndThenItHits) {
  CacheBench b(small());
  EXPECT_EQ(b.read(0x40, 9).outcome, Outcome::miss);
  ASSERT_TRUE(b.cache.has_miss());
  EXPECT_EQ(b.cache.front_miss().address.value, 0u);
  EXPECT_EQ(b.cache.front_miss().bytes, 128u);
  EXPECT_EQ(b.cache.front_miss().sectors, 0b1111);
  EXPECT_EQ(b.answer_all(), std::vector<std::uint32_t>{9});
  EXPECT_EQ(b.read(0x40).outcome, Outcome::hit);
  EXPECT_TRUE(b.cache.idle());
}

TEST(Cache, AFetchIsCompleteWhenAllItsSectorsHaveArrived) {
  CacheBench b(small());
  b.read(0);
  const Miss miss = b.pop_miss();
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(b.cache.fill(miss.tag, 1, 100, b.stats));
  EXPECT_FALSE(b.cache.has_ready());
  EXPECT_TRUE(b.cache.fill(miss.tag, 1, 100, b.stats));
  EXPECT_TRUE(b.cache.has_ready());
}

TEST(Cache, AFetchedLineBelongsToTheRequestThatBeganItsFetch) {
  for (const LineAllocation when : {LineAllocation::on_miss, LineAllocation::on_fill}) {
    CacheSpec spec = small();
    spec.allocation = when;
    CacheBench b(spec);
    b.read(0, 0, 5);
    EXPECT_EQ(b.read(0, 1, 6).owner.warp, WarpSlot{5});  // a pending hit
    b.answer_all();
    EXPECT_EQ(b.read(0, 2, 7).owner.warp, WarpSlot{5});
  }
}

TEST(Cache, AMissOnALineThatIsThereIsASectorMiss) {
  CacheBench b(small_l2());
  b.load(0);
  EXPECT_EQ(b.stats.sector_misses, 0u);  // the line was missing
  EXPECT_EQ(b.read(64).outcome, Outcome::miss);
  EXPECT_EQ(b.read(64).outcome, Outcome::pending_hit);
  EXPECT_EQ(b.read(0).outcome, Outcome::hit);
  EXPECT_EQ(b.stats.misses, 2u);
  EXPECT_EQ(b.stats.sector_misses, 1u);
}

TEST(Cache, RequestsToAPendingLineMergeUpToTheLimitAndAreServedInOrder) {
  CacheBench b(small());
  EXPECT_EQ(b.read(0, 1).outcome, Outcome::miss);
  EXPECT_EQ(b.read(32, 2).outcome, Outcome::pending_hit);
  const Access third = b.read(64, 3);
  EXPECT_EQ(third.outcome, Outcome::reservation_fail);
  EXPECT_EQ(third.cause, FailCause::merge_full);
  EXPECT_EQ(b.answer_all(), (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(b.stats.fetches, 1u);
}

TEST(Cache, FailsWhenAllWaysOfTheSetArePending) {
  CacheBench b(small());
  b.read(set0(0));
  b.read(set0(1));
  EXPECT_EQ(b.read(set0(2)).cause, FailCause::no_replaceable_way);
  EXPECT_EQ(b.stats.reservation_fails[0], 1u);
}

TEST(Cache, AllocationOnFillAlwaysHasAReplaceableWay) {
  CacheSpec spec = small();
  spec.allocation = LineAllocation::on_fill;
  CacheBench b(spec);
  for (std::uint64_t n = 0; n < 3; ++n) EXPECT_EQ(b.read(set0(n)).outcome, Outcome::miss);
  b.answer_all();
  EXPECT_FALSE(b.contains(set0(0)));
  EXPECT_TRUE(b.contains(set0(1)));
  EXPECT_TRUE(b.contains(set0(2)));
}

TEST(Cache, FailsWhenNoMshrIsFree) {
  CacheBench b(small());
  for (std::uint64_t line = 0; line < 4; ++line)
    EXPECT_EQ(b.read(line * 128).outcome, Outcome::miss);
  EXPECT_EQ(b.read(4 * 128).cause, FailCause::mshr_full);
  EXPECT_EQ(b.cache.mshrs().free(), 0u);
}

TEST(Cache, ARefusalForLackOfMshrsHoldsUntilOneIsFree) {
  CacheBench b(small());
  for (std::uint64_t line = 0; line < 4; ++line) b.read(line * 128);
  const FailCause cause = b.read(4 * 128).cause;
  const std::uint64_t before = b.cache.changes(cause);
  const std::uint32_t fetch = b.cache.front_miss().tag;
  b.cache.pop_miss();
  EXPECT_TRUE(b.cache.fill(fetch, 4, 100, b.stats));
  EXPECT_EQ(b.cache.changes(cause), before);
  EXPECT_EQ(b.read(4 * 128).cause, cause);
  b.cache.pop_ready();
  EXPECT_NE(b.cache.changes(cause), before);
  EXPECT_EQ(b.read(4 * 128).outcome, Outcome::miss);
}

TEST(Cache, AReadReservesAMissQueueEntryForAWriteBack) {
  CacheSpec spec = small();
  spec.miss_queue = 3;
  CacheBench b(spec);
  EXPECT_EQ(b.read(0).outcome, Outcome::miss);
  EXPECT_EQ(b.read(128).outcome, Outcome::miss);
  EXPECT_EQ(b.read(256).cause, FailCause::miss_queue_full);
  EXPECT_EQ(b.write(256).outcome, Outcome::miss);  // a forwarded write needs only one entry
  EXPECT_EQ(b.write(256).cause, FailCause::miss_queue_full);
}

TEST(Cache, ABusyDataPortRefuses) {
  CacheSpec spec = small_l2();
  spec.data_port_bytes = 8;
  CacheBench b(spec);
  b.load(0);
  const auto r = CacheBench::request(PacketKind::read, 0, 32);
  EXPECT_EQ(b.cache.access(r, 1000, b.stats).outcome, Outcome::hit);  // 32 bytes take 4 cycles
  EXPECT_EQ(b.cache.access(r, 1003, b.stats).cause, FailCause::port_busy);
  EXPECT_EQ(b.cache.access(r, 1004, b.stats).outcome, Outcome::hit);
}

TEST(Cache, EveryBankHasItsOwnDataPort) {
  CacheSpec spec = small_l2();
  spec.banks = 4;
  CacheBench b(spec);
  for (std::uint64_t sector = 0; sector < 5; ++sector) b.load(sector * 32);
  for (std::uint64_t sector = 0; sector < 4; ++sector)
    EXPECT_EQ(b.cache.access(CacheBench::request(PacketKind::read, sector * 32, 32), 1000, b.stats)
                  .outcome,
              Outcome::hit);
  EXPECT_EQ(b.cache.access(CacheBench::request(PacketKind::read, 4 * 32, 32), 1000, b.stats).cause,
            FailCause::port_busy);  // bank 0 again
  EXPECT_EQ(
      b.cache.access(CacheBench::request(PacketKind::read, 4 * 32, 32), 1001, b.stats).outcome,
      Outcome::hit);
}

TEST(Cache, APartOfAFetchIsNotTheLast) {
  CacheBench b(small());
  b.read(0);
  const Miss miss = b.pop_miss();  // of four sectors
  EXPECT_TRUE(b.cache.fill_part(miss.tag, 2));
  EXPECT_FALSE(b.cache.fill_part(miss.tag, 2));
  EXPECT_TRUE(b.cache.fill(miss.tag, 2, 100, b.stats));
}

TEST(Cache, ReplacesTheLeastRecentlyUsedLine) {
  CacheBench b(small());
  b.load(set0(0));
  b.load(set0(1));
  b.read(set0(0));
  b.load(set0(2));
  EXPECT_TRUE(b.contains(set0(0)));
  EXPECT_FALSE(b.contains(set0(1)));
}

TEST(Cache, FifoReplacesTheOldestLineEvenIfItWasUsed) {
  CacheSpec spec = small();
  spec.replacement = "fifo";
  CacheBench b(spec);
  b.load(set0(0));
  b.load(set0(1));
  b.read(set0(0));
  b.load(set0(2));
  EXPECT_FALSE(b.contains(set0(0)));
}

TEST(Cache, ReportsTheOwnersOfHitAndEvictedLines) {
  struct Listener final : CacheListener {
    void on_eviction(const Eviction& e) override {
      last = e;
      ++count;
    }
    Eviction last;
    int count = 0;
  } listener;
  CacheBench b(small());
  b.cache.listen(&listener);
  b.load(set0(0), 5);
  EXPECT_EQ(b.read(set0(0), 0, 6).owner.warp, WarpSlot{5});
  EXPECT_EQ(b.read(set0(0), 0, 5).owner.warp, WarpSlot{5});
  EXPECT_EQ(b.stats.hits_other_warp, 1u);
  EXPECT_EQ(b.stats.hits_same_warp, 1u);
  b.load(set0(1), 6);
  b.load(set0(2), 7);
  ASSERT_EQ(listener.count, 1);
  EXPECT_EQ(listener.last.line.value, set0(0));
  EXPECT_EQ(listener.last.owner.warp, WarpSlot{5});
}

TEST(Cache, AMissHasTheClassOfTheWarpThatHadBroughtItsLineIn) {
  CacheBench b(small());
  b.cache.remember_owners();
  EXPECT_EQ(b.read(set0(0), 0, 1).miss_class, MissClass::cold);
  b.answer_all();
  for (const std::uint64_t n : {1, 2}) b.load(set0(n), 3);  // two ways: line 0 is lost
  EXPECT_EQ(b.read(set0(0), 0, 1).miss_class, MissClass::same_warp);
  b.answer_all();
  EXPECT_EQ(b.read(set0(1), 0, 1).miss_class, MissClass::other_warp);
  b.answer_all();
  b.cache.invalidate_all();
  EXPECT_EQ(b.read(set0(1), 0, 1).miss_class, MissClass::cold);
}

TEST(Cache, ALineThatAWriteDropsIsLost) {
  CacheBench b(small());
  b.cache.remember_owners();
  b.load(0, 1);
  b.write(0);  // by warp 0, which brings no line in
  EXPECT_EQ(b.read(0, 0, 1).miss_class, MissClass::same_warp);
}

TEST(Cache, WriteEvictForwardsTheWriteAndDropsTheLine) {
  CacheBench b(small());
  b.load(0);
  const Access a = b.write(0, 32, 77);
  EXPECT_EQ(a.outcome, Outcome::hit);
  EXPECT_EQ(a.answer, Answer::from_below);
  EXPECT_FALSE(b.contains(0));
  const Miss miss = b.pop_miss();
  EXPECT_EQ(miss.kind, Miss::Kind::forwarded_write);
  EXPECT_EQ(miss.tag, 77u);
}

TEST(Cache, WriteThroughForwardsTheWriteAndKeepsTheLineClean) {
  CacheSpec spec = small();
  spec.write = WritePolicy::write_through;
  CacheBench b(spec);
  b.load(0);
  EXPECT_EQ(b.write(0).answer, Answer::from_below);
  EXPECT_TRUE(b.contains(0));
  b.load(set0(1));
  b.load(set0(2));
  EXPECT_EQ(b.stats.writebacks, 0u);
}

TEST(Cache, LocalDataAreWrittenBackWhereGlobalDataAreWrittenThrough) {
  CacheSpec spec = small();
  spec.write = WritePolicy::local_back_global_through;
  CacheBench b(spec);
  b.load(0);
  Request local = CacheBench::request(PacketKind::write, 0, 32);
  local.client = Client::local;
  EXPECT_EQ(b.cache.access(local, b.now += 10, b.stats).answer, Answer::now);
  EXPECT_TRUE(b.contains(0));
  b.load(set0(1));
  b.read(set0(2));
  EXPECT_EQ(b.pop_miss().kind, Miss::Kind::fetch);  // the fetch is sent before the write-back
  EXPECT_EQ(b.pop_miss().kind, Miss::Kind::write_back);
  b.load(128);
  EXPECT_EQ(b.write(128).answer, Answer::from_below);
  EXPECT_FALSE(b.contains(128));
}

TEST(Cache, WithoutWriteAllocationAWriteMissAllocatesNoLine) {
  CacheBench b(small());
  const Access a = b.write(0);
  EXPECT_EQ(a.outcome, Outcome::miss);
  EXPECT_EQ(a.answer, Answer::from_below);
  b.answer_all();
  EXPECT_FALSE(b.contains(0));
}

TEST(Cache, WriteAllocationSendsTheWriteAndFetchesTheLine) {
  CacheSpec spec = small();
  spec.write = WritePolicy::write_back;
  spec.write_allocation = WriteAllocation::allocate;
  CacheBench b(spec);
  EXPECT_EQ(b.write(0).answer, Answer::from_below);
  EXPECT_EQ(b.pop_miss().kind, Miss::Kind::forwarded_write);
  EXPECT_EQ(b.cache.front_miss().kind, Miss::Kind::fetch);
  EXPECT_TRUE(b.answer_all().empty());  // no request waits for the fetch
  EXPECT_TRUE(b.contains(0));
  EXPECT_TRUE(b.cache.idle());
}

TEST(Cache, FetchOnWriteFetchesUnlessTheWholeSectorIsWritten) {
  CacheSpec spec = small_l2();
  spec.write_allocation = WriteAllocation::fetch_on_write;
  CacheBench b(spec);
  EXPECT_EQ(b.write(0, 32).answer, Answer::now);
  EXPECT_FALSE(b.cache.has_miss());
  EXPECT_EQ(b.write(32, 4, 8).answer, Answer::on_fill);
  EXPECT_EQ(b.answer_all(), std::vector<std::uint32_t>{8});
  EXPECT_TRUE(b.contains(32));
}

TEST(Cache, LazyFetchReadsAFullyWrittenSectorWithoutFetching) {
  CacheBench b(small_l2());
  EXPECT_EQ(b.write(0, 16).answer, Answer::now);
  EXPECT_FALSE(b.contains(0));
  EXPECT_EQ(b.write(16, 16).outcome, Outcome::hit);
  EXPECT_TRUE(b.contains(0));
  EXPECT_EQ(b.read(0).outcome, Outcome::hit);
  EXPECT_FALSE(b.cache.has_miss());
}

TEST(Cache, LazyFetchFetchesWhenAPartlyWrittenSectorIsReadAndKeepsItDirty) {
  CacheBench b(small_l2());
  b.write(0, 4);
  EXPECT_EQ(b.read(0, 3).outcome, Outcome::miss);
  EXPECT_EQ(b.answer_all(), std::vector<std::uint32_t>{3});
  EXPECT_EQ(b.read(0).outcome, Outcome::hit);
  b.load(set0(1));
  b.load(set0(2));
  EXPECT_EQ(b.stats.writebacks, 1u);
}

TEST(Cache, AWriteToAPendingSectorMakesItDirtyWhenItArrives) {
  CacheBench b(small_l2());
  b.read(0);
  EXPECT_EQ(b.write(0, 4).outcome, Outcome::pending_hit);
  b.answer_all();
  EXPECT_TRUE(b.contains(0));
  b.load(set0(1));
  b.load(set0(2));
  EXPECT_EQ(b.stats.writebacks, 1u);
}

TEST(Cache, OnlyDirtySectorsAreWrittenBack) {
  CacheBench b(small_l2());
  b.write(32, 32);
  b.write(96, 32);
  b.load(0);
  b.load(set0(1));
  b.read(set0(2));
  EXPECT_EQ(b.pop_miss().kind, Miss::Kind::fetch);
  const Miss back = b.pop_miss();
  EXPECT_EQ(back.kind, Miss::Kind::write_back);
  EXPECT_EQ(back.sectors, 0b1010);
  EXPECT_EQ(back.bytes, 64u);
  EXPECT_EQ(back.address.value, 0u);
}

TEST(Cache, ASectorThatWasWrittenInPartIsReadBeforeItIsWrittenBack) {
  for (const bool fills : {false, true}) {
    CacheSpec spec = small_l2();
    spec.fills_partial_writes = fills;
    CacheBench b(spec);
    b.write(32, 32);
    b.write(64, 4);
    b.load(set0(1));
    b.read(set0(2));
    EXPECT_EQ(b.pop_miss().kind, Miss::Kind::fetch);
    if (fills) {
      const Miss fill = b.pop_miss();
      EXPECT_EQ(fill.kind, Miss::Kind::partial_fill);
      EXPECT_EQ(fill.sectors, 0b0100);
      EXPECT_EQ(fill.bytes, 32u);
      EXPECT_EQ(fill.address.value, 0u);
    }
    const Miss back = b.pop_miss();
    EXPECT_EQ(back.kind, Miss::Kind::write_back);
    EXPECT_EQ(back.sectors, 0b0110);
    EXPECT_FALSE(b.cache.has_miss());
    EXPECT_EQ(b.stats.fetches, fills ? 3u : 2u);
  }
}

TEST(Cache, ASectorWhoseBytesAreAllThereIsWrittenBackWithoutARead) {
  CacheSpec spec = small_l2();
  spec.fills_partial_writes = true;
  CacheBench b(spec);
  b.write(0, 16);
  b.write(16, 16);
  b.write(32, 4);
  b.load(32);  // brings the other 28 bytes
  b.load(set0(1));
  b.read(set0(2));
  EXPECT_EQ(b.pop_miss().kind, Miss::Kind::fetch);
  EXPECT_EQ(b.pop_miss().kind, Miss::Kind::write_back);
  EXPECT_FALSE(b.cache.has_miss());
}

TEST(Cache, SectorsOfOneLineMissSeparately) {
  CacheBench b(small_l2());
  b.load(0);
  EXPECT_EQ(b.read(0).outcome, Outcome::hit);
  EXPECT_EQ(b.read(32).outcome, Outcome::miss);
  EXPECT_EQ(b.cache.front_miss().sectors, 0b0010);
  EXPECT_EQ(b.cache.front_miss().bytes, 32u);
}

TEST(Cache, AFetchOfTwoSectorsServesBoth) {
  CacheSpec spec = small_l2();
  spec.fetch_sectors = 2;
  CacheBench b(spec);
  EXPECT_EQ(b.read(96).outcome, Outcome::miss);
  EXPECT_EQ(b.read(64).outcome, Outcome::pending_hit);
  EXPECT_EQ(b.pop_miss().bytes, 64u);
}
TEST(Cache, AnAtomicMakesItsSectorDirty) {
  CacheBench b(small_l2());
  b.cache.access(CacheBench::request(PacketKind::atomic, 0, 32), 5, b.stats);
  b.answer_all();
  b.load(set0(1));
  b.load(set0(2));
  EXPECT_EQ(b.stats.writebacks, 1u);
}

TEST(Cache, AFetchDuringAnInvalidationServesItsRequestsButFillsNoLine) {
  CacheBench b(small());
  b.read(0, 4);
  b.cache.invalidate_all();
  EXPECT_EQ(b.answer_all(), std::vector<std::uint32_t>{4});
  EXPECT_FALSE(b.contains(0));
  b.load(0);
  EXPECT_TRUE(b.contains(0));
}

TEST(Cache, EveryInvalidationDropsTheLinesFilledSinceTheLastOne) {
  CacheBench b(small());
  for (int round = 0; round < 3; ++round) {
    b.load(0);
    EXPECT_TRUE(b.contains(0)) << round;
    b.cache.invalidate_all();
    EXPECT_FALSE(b.contains(0)) << round;
    b.cache.invalidate_all();
    EXPECT_FALSE(b.contains(0)) << round;
  }
}

TEST(Cache, DropFilledLinesKeepsLinesThatAreBeingFetched) {
  CacheBench b(small());
  b.load(0);
  b.read(128, 4);
  b.cache.drop_filled_lines();
  EXPECT_FALSE(b.contains(0));
  EXPECT_EQ(b.answer_all(), std::vector<std::uint32_t>{4});
  EXPECT_TRUE(b.contains(128));
  b.load(0);
  EXPECT_TRUE(b.contains(0));
}

TEST(Cache, PreloadedLinesHit) {
  CacheBench b(small_l2());
  b.cache.preload(Address{64});
  EXPECT_EQ(b.read(64).outcome, Outcome::hit);
  EXPECT_EQ(b.read(0).outcome, Outcome::miss);
}

TEST(Cache, CountersAgreeUnderRandomUse) {
  CacheBench b(small_l2());
  std::uint32_t x = 1;
  for (int i = 0; i < 5000; ++i) {
    x = x * 1664525 + 1013904223;
    const std::uint64_t address = (x >> 8) % 64 * 32;
    if (x >> 30)
      b.read(address);
    else
      b.write(address, x & 128 ? 32 : 8);
    if (i % 7 == 0) b.answer_all();
    b.stats.check_conservation();
    b.cache.mshrs().check_conservation();
  }
  b.answer_all();
  EXPECT_TRUE(b.cache.idle());
}

TEST(Cache, RefusesAHashThatDoesNotSupportItsNumberOfSets) {
  CacheSpec spec = small();
  spec.set_index = config::SetIndex::fermi_hash;
  EXPECT_THROW(Cache{spec}, UserError);
}

TEST(Cache, LinesWithWrittenDataAreSparedUpToTheirShare) {
  CacheSpec spec = small_l2();  // 8 lines
  spec.write = WritePolicy::write_through;
  spec.written_share = 25;  // two lines
  CacheBench b(spec);
  b.write(set0(0));
  b.load(set0(1));
  b.load(set0(2));  // the written line is older, but within the share: the clean line is replaced
  EXPECT_TRUE(b.contains(set0(0)));
  EXPECT_FALSE(b.contains(set0(1)));
  b.write(set0(2));
  b.load(set0(3));  // the share is used up: the oldest line is replaced
  EXPECT_FALSE(b.contains(set0(0)));
  EXPECT_TRUE(b.contains(set0(2)));
}

TEST(Cache, AnEmptiedCacheSparesAsManyWrittenLinesAsANewOne) {
  CacheSpec spec = small_l2();
  spec.write = WritePolicy::write_through;
  spec.written_share = 25;  // two lines
  for (const bool drops : {false, true}) {
    CacheBench b(spec);
    b.load(set0(0));
    drops ? b.cache.drop_filled_lines() : b.cache.invalidate_all();
    b.write(set0(1));
    b.load(set0(2));
    b.load(set0(3));
    EXPECT_TRUE(b.contains(set0(1)));
  }
}

TEST(Cache, ChangesItsWaysWhileIdleAndIsEmptyAfterwards) {
  CacheBench b(small());
  b.load(set0(0));
  b.cache.set_ways(4);
  EXPECT_EQ(b.cache.spec().size_bytes, 4u * 4 * 128);
  EXPECT_FALSE(b.contains(set0(0)));
  for (std::uint64_t n = 0; n < 4; ++n) b.load(set0(n));
  for (std::uint64_t n = 0; n < 4; ++n) EXPECT_TRUE(b.contains(set0(n)));
  b.cache.set_ways(4);  // no change: the lines remain
  EXPECT_TRUE(b.contains(set0(3)));
}

TEST(Cache, AStreamingCacheHasAnMshrPerLineAndAlwaysAReplaceableWay) {
  CacheSpec spec = small_l2();
  spec.write = WritePolicy::write_evict;
  spec.write_allocation = WriteAllocation::none;
  spec.allocation = LineAllocation::streaming;
  spec.mshr_entries = 1;
  spec.miss_queue = 16;
  CacheBench b(spec);
  for (std::uint64_t n = 0; n < 8; ++n) EXPECT_EQ(b.read(set0(n)).outcome, Outcome::miss);
  EXPECT_EQ(b.read(set0(8)).cause, FailCause::mshr_full);
}

TEST(Cache, ALineOf256BytesIsFetchedInTwoPieces) {
  CacheSpec spec = small();
  spec.line_bytes = 256;
  spec.size_bytes = 4 * 2 * 256;
  CacheBench b(spec);
  b.read(0x1180);
  const Miss first = b.pop_miss(), second = b.pop_miss();
  EXPECT_EQ(first.address, Address{0x1100});
  EXPECT_EQ(second.address, Address{0x1180});
  EXPECT_EQ(second.bytes, 128u);
  EXPECT_FALSE(b.cache.fill(second.tag, 4, 100, b.stats));
  EXPECT_TRUE(b.cache.fill(first.tag, 4, 101, b.stats));
  EXPECT_TRUE(b.contains(0x11E0));
}

TEST(Cache, ALineOf256BytesNeedsRoomForTwoMisses) {
  CacheSpec spec = small();
  spec.line_bytes = 256;
  spec.size_bytes = 4 * 2 * 256;
  spec.write = WritePolicy::read_only;
  spec.miss_queue = 3;
  CacheBench b(spec);
  EXPECT_EQ(b.read(0).outcome, Outcome::miss);
  EXPECT_EQ(b.read(256).cause, FailCause::miss_queue_full);
  b.pop_miss();
  EXPECT_EQ(b.read(256).outcome, Outcome::miss);
}

}  // namespace
}  // namespace heddle::mem
