#include <gtest/gtest.h>

#include "tests/mem/cache_bench.h"

namespace heddle::mem {
namespace {

// As in GPGPU-Sim: a line that was replaced while its MSHR drains gets a way again, but no fetch.
class DrainingBench : public CacheBench {
 public:
  DrainingBench() : CacheBench(spec()) {}
  static config::CacheSpec spec() {
    config::CacheSpec spec = small();
    spec.ways = 1;
    spec.size_bytes /= 2;
    spec.merges_while_draining = true;
    return spec;
  }
  // The line of one read is replaced before the MSHR has served the read.
  void replace_while_draining(std::uint64_t line) {
    EXPECT_EQ(read(line, 1).outcome, Outcome::miss);
    fill();
    EXPECT_EQ(read(line + set0(1), 2).outcome, Outcome::miss);
    fill();
    EXPECT_EQ(read(line, 3).outcome, Outcome::pending_hit);
    EXPECT_FALSE(cache.has_miss());
  }
  void fill() {
    const Miss miss = pop_miss();
    cache.fill(miss.tag, miss.bytes / kSectorBytes, now += 10, stats);
  }
};

TEST(Cache, AnMshrThatIsNotEmptyServesReadsOfItsLineAfterTheLineWasReplaced) {
  DrainingBench b;
  b.replace_while_draining(0);
  std::vector<std::uint32_t> served;
  while (b.cache.has_ready()) served.push_back(b.cache.pop_ready().tag);
  EXPECT_EQ(served, (std::vector<std::uint32_t>{1, 3, 2}));
  EXPECT_FALSE(b.contains(0));
  EXPECT_FALSE(b.contains(set0(1)));
  EXPECT_EQ(b.read(0, 4).outcome, Outcome::pending_hit);  // the way is reserved
  b.fill();
  EXPECT_TRUE(b.contains(0));
  EXPECT_EQ(b.stats.fetches, 3u);
}

TEST(Cache, AWayThatWaitsForNoFetchIsReplacedOnlyWhenNoFetchIsInFlight) {
  DrainingBench b;
  b.replace_while_draining(0);
  EXPECT_EQ(b.read(set0(2)).cause, FailCause::no_replaceable_way);
  while (b.cache.has_ready()) b.cache.pop_ready();
  EXPECT_EQ(b.read(set0(2)).outcome, Outcome::miss);
}

}  // namespace
}  // namespace heddle::mem
