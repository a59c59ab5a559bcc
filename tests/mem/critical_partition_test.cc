// The ways of a cache that are reserved for lines of critical warps.
#include <gtest/gtest.h>

#include "mem/cache.h"
#include "mem/replacement/critical_partition.h"

namespace heddle::mem {
namespace {

// A judge with a fixed set of critical warps.
class Named final : public CriticalityJudge {
 public:
  bool is_critical(WarpSlot warp, std::uint64_t) override { return critical.test(warp); }
  WarpMask critical;
};

constexpr Pc kUsed = 3, kStreamed = 9;  // instructions

// Sets of four ways.
class PartitionedCache {
 public:
  explicit PartitionedCache(std::uint64_t sets = 1) : cache_(spec(sets)) {
    auto partition =
        std::make_unique<CriticalPartition>(CriticalPartition::Options{50, 1u << 20}, judge);
    partition_ = partition.get();
    cache_.replace_by(std::move(partition));
  }
  static config::CacheSpec spec(std::uint64_t sets) {
    config::CacheSpec spec;
    spec.size_bytes = sets * 4 * 128;
    spec.set_index = config::SetIndex::linear;
    spec.ways = 4;
    spec.allocation = config::LineAllocation::on_miss;
    spec.write = config::WritePolicy::write_evict;
    spec.mshr_entries = 8;
    spec.miss_queue = 8;
    return spec;
  }
  Outcome read(int line, Pc pc, int warp = 0, bool answer = true) {
    Request request;
    request.address = Address{static_cast<std::uint64_t>(line) * 128};
    request.bytes = 32;
    request.origin.pc = pc;
    request.origin.warp = WarpSlot(warp);
    const Outcome outcome = cache_.access(request, now_ += 10, stats_).outcome;
    while (answer && cache_.has_miss()) {
      cache_.fill(cache_.front_miss().tag, 4, now_ += 10, stats_);
      cache_.pop_miss();
      while (cache_.has_ready()) cache_.pop_ready();
    }
    return outcome;
  }
  // Two hits of a critical warp on a line that `pc` brought in.
  void teach_critical(int line, Pc pc) {
    judge.critical.set(WarpSlot(7));
    read(line, pc);
    read(line, pc, 7);
    read(line, pc, 7);
  }
  bool holds(int line) const {
    const Address address{static_cast<std::uint64_t>(line) * 128};
    return cache_.tags().readable(cache_.tags().find(address), address);
  }
  const CriticalPartitionStats& stats() const { return partition_->stats(); }
  bool predicts_critical(Pc pc) const { return partition_->predicts_critical(Address{0}, pc); }

  Named judge;

 private:
  Cache cache_;
  CacheStats stats_;
  CriticalPartition* partition_;
  std::uint64_t now_ = 0;
};

}  // namespace

TEST(CriticalPartition, ReservesHalfOfTheWays) {
  const auto critical_ways = [](std::uint32_t share, std::uint32_t ways) {
    Named judge;
    CriticalPartition partition({share, 128}, judge);
    partition.resize(ways, ways);
    return partition.critical_ways();
  };
  EXPECT_EQ(critical_ways(50, 4), 2u);
  EXPECT_EQ(critical_ways(50, 6), 3u);
  EXPECT_EQ(critical_ways(1, 4), 1u);
  EXPECT_EQ(critical_ways(99, 4), 3u);
  EXPECT_EQ(critical_ways(50, 1), 0u);
}

TEST(CriticalPartition, PredictsACriticalLineAfterTwoHitsOfCriticalWarps) {
  PartitionedCache cache;
  EXPECT_FALSE(cache.predicts_critical(kUsed));
  cache.judge.critical.set(WarpSlot(7));
  cache.read(0, kUsed);
  cache.read(0, kUsed, 7);
  EXPECT_FALSE(cache.predicts_critical(kUsed));
  cache.read(0, kUsed, 1);  // not a critical warp
  EXPECT_FALSE(cache.predicts_critical(kUsed));
  cache.read(0, kUsed, 7);
  EXPECT_TRUE(cache.predicts_critical(kUsed));
  EXPECT_FALSE(cache.predicts_critical(kStreamed));
  EXPECT_EQ(cache.stats().hits_by_critical, 2u);
  EXPECT_EQ(cache.stats().hits_by_others, 1u);
}

TEST(CriticalPartition, StreamedLinesDoNotReplaceLinesOfCriticalWarps) {
  PartitionedCache cache;
  cache.teach_critical(0, kUsed);
  cache.read(1, kUsed);
  cache.read(2, kUsed);  // 1 and 2 fill the critical ways
  EXPECT_EQ(cache.stats().critical_insertions, 2u);
  for (int line = 10; line < 30; ++line) cache.read(line, kStreamed);
  EXPECT_TRUE(cache.holds(1));
  EXPECT_TRUE(cache.holds(2));
}

TEST(CriticalPartition, ALineReplacesOneOfItsSet) {
  PartitionedCache cache(2);
  for (const int line : {0, 2, 4}) cache.read(line, kStreamed);  // of set 0, two ways
  EXPECT_TRUE(cache.holds(4));
  EXPECT_EQ(cache.holds(0) + cache.holds(2), 1);
}

TEST(CriticalPartition, LosesThePredictionWhenOnlyOtherWarpsUseItsLines) {
  PartitionedCache cache;
  cache.teach_critical(0, kUsed);
  for (int line = 1; line < 6; ++line) {
    cache.read(line, kUsed);
    cache.read(line, kUsed, 1);  // reused, but by other warps
  }
  EXPECT_FALSE(cache.predicts_critical(kUsed));
}

TEST(CriticalPartition, LinesThatAreNeverReusedAreInsertedAsTheNextVictims) {
  PartitionedCache cache;
  cache.read(0, kUsed);
  cache.read(0, kUsed, 1);
  for (int line = 10; line < 14; ++line) cache.read(line, kStreamed);
  EXPECT_GT(cache.stats().unused_evictions, 0u);
  EXPECT_GT(cache.stats().distant_insertions, 0u);
  EXPECT_TRUE(cache.holds(0));
}

TEST(CriticalPartition, RefusesWhenEveryWayOfAPartIsBeingFetched) {
  PartitionedCache cache;
  cache.read(0, kStreamed, 0, false);
  cache.read(1, kStreamed, 0, false);
  EXPECT_EQ(cache.read(2, kStreamed, 0, false), Outcome::reservation_fail);
}

}  // namespace heddle::mem
