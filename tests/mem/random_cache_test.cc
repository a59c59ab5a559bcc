// Caches under random use, compared with models of lists and maps.
#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <map>
#include <random>
#include <vector>

#include "mem/cache.h"

namespace heddle::mem {
namespace {

using config::CacheSpec;
using config::Filling;
using config::LineAllocation;
using config::WriteAllocation;
using config::WritePolicy;

// Reads through a cache that allocates on miss; fetches return in any order.
class ReferenceReadCache {
 public:
  explicit ReferenceReadCache(const CacheSpec& spec) : s_(spec), sets_(spec.sets()) {}

  struct Fetch {
    std::vector<std::uint32_t> waiting;
  };
  std::map<std::uint64_t, Fetch> fetches;  // by sector or line
  std::size_t unsent = 0;

  Access access(std::uint64_t address, std::uint32_t tag) {
    const std::uint64_t line = address / s_.line_bytes, unit = unit_of(address);
    auto& set = sets_[line % sets_.size()];
    const auto found =
        std::find_if(set.begin(), set.end(), [&](const Line& l) { return l.line == line; });
    if (found != set.end() && found->here.count(unit)) {
      if (s_.replacement == "lru") set.splice(set.end(), set, found);
      return said(Outcome::hit, {}, Answer::now);
    }
    const auto fetch = fetches.find(unit);
    if (found == set.end() && set.size() == s_.ways && victim(set) == set.end())
      return refused(FailCause::no_replaceable_way);
    if (unsent >= s_.miss_queue) return refused(FailCause::miss_queue_full);
    if (fetch == fetches.end() && fetches.size() == s_.mshr_entries)
      return refused(FailCause::mshr_full);
    if (fetch != fetches.end() && fetch->second.waiting.size() == s_.mshr_merges)
      return refused(FailCause::merge_full);
    const bool pending = fetch != fetches.end();
    if (found == set.end()) {
      if (set.size() == s_.ways) set.erase(victim(set));
      set.push_back({line, {}, {}});
      set.back().coming[unit] = true;
    } else {
      found->coming[unit] = true;
      if (s_.replacement == "lru") set.splice(set.end(), set, found);
    }
    if (!pending) ++unsent;
    fetches[unit].waiting.push_back(tag);
    return said(pending ? Outcome::pending_hit : Outcome::miss, {}, Answer::on_fill);
  }

  std::vector<std::uint32_t> fill(std::uint64_t unit) {
    for (auto& set : sets_)
      for (Line& line : set)
        if (line.coming.erase(unit)) line.here[unit] = true;
    const std::vector<std::uint32_t> served = fetches.at(unit).waiting;
    fetches.erase(unit);
    return served;
  }

  std::uint64_t unit_of(std::uint64_t address) const {
    return address & ~std::uint64_t{(s_.filling == Filling::sectors ? 32 : s_.line_bytes) - 1};
  }

 private:
  struct Line {
    std::uint64_t line;
    std::map<std::uint64_t, bool> here, coming;
  };
  using Set = std::list<Line>;  // in the order of replacement

  static Set::iterator victim(Set& set) {
    return std::find_if(set.begin(), set.end(), [](const Line& l) { return l.coming.empty(); });
  }
  static Access said(Outcome outcome, FailCause cause, Answer answer) {
    return {outcome, cause, answer, {}};
  }
  static Access refused(FailCause cause) {
    return said(Outcome::reservation_fail, cause, Answer::none);
  }

  CacheSpec s_;
  std::vector<Set> sets_;
};

CacheSpec spec_of(std::mt19937& draw) {
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(draw() % n); };
  CacheSpec spec;
  spec.ways = 1 + below(6);
  spec.filling = below(2) ? Filling::sectors : Filling::lines;
  spec.line_bytes = 128;
  spec.size_bytes = std::uint64_t{1 + below(6)} * spec.ways * spec.line_bytes;
  spec.replacement = below(3) ? "lru" : "fifo";
  spec.write = WritePolicy::read_only;
  spec.allocation = LineAllocation::on_miss;
  spec.mshr_entries = 1 + below(12);
  spec.mshr_merges = 1 + below(4);
  spec.miss_queue = 2 + below(6);
  return spec;
}

TEST(RandomCache, AnswersReadsAsTheReferenceModelDoes) {
  std::mt19937 draw(1);
  for (int round = 0; round < 60; ++round) {
    const CacheSpec spec = spec_of(draw);
    Cache cache(spec);
    CacheStats stats;
    ReferenceReadCache slow(spec);
    const std::uint32_t lines =
        2 + static_cast<std::uint32_t>(draw() % (3 * spec.ways * spec.sets()));
    std::vector<std::pair<std::uint64_t, std::uint32_t>> in_flight;  // unit, the cache's tag
    std::uint32_t tag = 0;
    std::uint64_t now = 0, hits = 0, accepted = 0;
    for (int step = 0; step < 1500; ++step, now += 10) {
      switch (draw() % 4) {
        case 0:
          if (cache.has_miss()) {
            in_flight.emplace_back(cache.front_miss().address.value, cache.front_miss().tag);
            cache.pop_miss();
            --slow.unsent;
          }
          break;
        case 1:
          if (!in_flight.empty()) {
            const auto which =
                in_flight.begin() + static_cast<std::ptrdiff_t>(draw() % in_flight.size());
            EXPECT_TRUE(
                cache.fill(which->second, spec.filling == Filling::sectors ? 1 : 4, now, stats));
            std::vector<std::uint32_t> served;
            while (cache.has_ready()) served.push_back(cache.pop_ready().tag);
            ASSERT_EQ(served, slow.fill(which->first)) << "round " << round << ", step " << step;
            in_flight.erase(which);
          }
          break;
        default: {
          Request request;
          request.address = Address{draw() % lines * 128 + draw() % 4 * 32};
          request.bytes = 32;
          request.tag = ++tag;
          const Access said = cache.access(request, now, stats),
                       expected = slow.access(request.address.value, tag);
          ASSERT_EQ(said.outcome, expected.outcome) << "round " << round << ", step " << step;
          ASSERT_EQ(said.answer, expected.answer);
          ASSERT_TRUE(said.outcome != Outcome::reservation_fail || said.cause == expected.cause)
              << "round " << round << ", step " << step;
          hits += said.outcome == Outcome::hit;
          accepted += said.outcome != Outcome::reservation_fail;
        }
      }
    }
    EXPECT_EQ(stats.accesses, accepted);
    EXPECT_EQ(stats.hits, hits);
    stats.check_conservation();
    cache.mshrs().check_conservation();
  }
}

// A write-back L2 with lazy fetch on read: no written byte is lost, whatever is evicted.
TEST(RandomCache, EveryWrittenByteReachesTheNextLevelOrRemains) {
  std::mt19937 draw(2);
  for (int round = 0; round < 30; ++round) {
    CacheSpec spec = spec_of(draw);
    spec.filling = Filling::sectors;
    spec.write = WritePolicy::write_back;
    spec.write_allocation = WriteAllocation::lazy_fetch_on_read;
    spec.miss_queue = 8;
    spec.fills_partial_writes = round % 2 != 0;
    Cache cache(spec);
    CacheStats stats;
    std::map<std::uint64_t, bool> unwritten_below;  // bytes written and not seen at the next level
    std::uint64_t now = 0;
    const std::uint32_t lines = 3 * spec.ways * spec.sets();
    const auto drain = [&] {
      while (cache.has_miss()) {
        const Miss miss = cache.front_miss();
        cache.pop_miss();
        if (miss.kind == Miss::Kind::fetch)
          cache.fill(miss.tag, 1, now += 10, stats);
        else
          for (unsigned byte = 0; byte < 128; ++byte)
            if (miss.mask.words[byte >> 6] >> (byte & 63) & 1)
              unwritten_below.erase((miss.address.value & ~std::uint64_t{127}) + byte);
      }
      while (cache.has_ready()) cache.pop_ready();
    };
    for (int step = 0; step < 1500; ++step) {
      Request request;
      const unsigned offset = static_cast<unsigned>(draw() % 4 * 32),
                     first = static_cast<unsigned>(draw() % 32),
                     bytes = 1 + static_cast<unsigned>(draw() % (32 - first));
      request.address = Address{draw() % lines * 128 + offset};
      request.bytes = 32;
      if (draw() % 2) {
        request.kind = PacketKind::write;
        request.mask.set(offset + first, bytes);
      }
      const Access access = cache.access(request, now += 40, stats);
      if (access.outcome != Outcome::reservation_fail && request.kind == PacketKind::write)
        for (unsigned byte = first; byte < first + bytes; ++byte)
          unwritten_below[request.address.value + byte] = true;
      if (draw() % 3 == 0) drain();
    }
    drain();
    // Reads of other lines evict the written ones.
    for (std::uint64_t line = 1000; line < 1000 + 4 * spec.ways * spec.sets(); ++line) {
      Request request;
      request.address = Address{line * 128};
      request.bytes = 32;
      cache.access(request, now += 40, stats);
      drain();
    }
    EXPECT_TRUE(unwritten_below.empty())
        << "round " << round << ": " << unwritten_below.size() << " bytes lost";
    EXPECT_TRUE(cache.idle());
  }
}

}  // namespace
}  // namespace heddle::mem
