// A small cache whose misses a test answers by hand.
#pragma once

#include <cstdint>
#include <vector>

#include "mem/cache.h"

namespace heddle::mem {

// 4 sets of 2 ways of whole 128-byte lines.
inline config::CacheSpec small() {
  config::CacheSpec spec;
  spec.size_bytes = 4 * 2 * 128;
  spec.ways = 2;
  spec.allocation = config::LineAllocation::on_miss;
  spec.write = config::WritePolicy::write_evict;
  spec.mshr_entries = 4;
  spec.mshr_merges = 2;
  spec.miss_queue = 8;
  return spec;
}
inline config::CacheSpec small_l2() {
  config::CacheSpec spec = small();
  spec.filling = config::Filling::sectors;
  spec.write = config::WritePolicy::write_back;
  spec.write_allocation = config::WriteAllocation::lazy_fetch_on_read;
  return spec;
}

// The n-th line that maps to set 0.
inline constexpr std::uint64_t set0(std::uint64_t n) { return n * 4 * 128; }

class CacheBench {
 public:
  explicit CacheBench(const config::CacheSpec& spec) : cache(spec) {}
  static Request request(PacketKind kind, std::uint64_t address, std::uint32_t bytes,
                         std::uint32_t tag = 0, int warp = 0) {
    Request r;
    r.kind = kind;
    r.address = Address{address};
    r.bytes = bytes;
    r.tag = tag;
    r.origin.warp = WarpSlot{warp};
    if (kind == PacketKind::write) r.mask.set(static_cast<unsigned>(address & 127), bytes);
    return r;
  }
  Access read(std::uint64_t address, std::uint32_t tag = 0, int warp = 0) {
    return cache.access(request(PacketKind::read, address, 32, tag, warp), now += 10, stats);
  }
  Access write(std::uint64_t address, std::uint32_t bytes = 32, std::uint32_t tag = 0) {
    return cache.access(request(PacketKind::write, address, bytes, tag), now += 10, stats);
  }
  Miss pop_miss() {
    const Miss miss = cache.front_miss();
    cache.pop_miss();
    return miss;
  }
  // Fills all fetches. Returns the tags of the served requests.
  std::vector<std::uint32_t> answer_all() {
    while (cache.has_miss()) {
      const Miss miss = pop_miss();
      if (miss.kind == Miss::Kind::fetch)
        cache.fill(miss.tag, miss.bytes / kSectorBytes, now += 10, stats);
    }
    std::vector<std::uint32_t> tags;
    while (cache.has_ready()) tags.push_back(cache.pop_ready().tag);
    return tags;
  }
  void load(std::uint64_t address, int warp = 0) {
    read(address, 0, warp);
    answer_all();
  }

  bool contains(std::uint64_t address) const {
    return cache.tags().readable(cache.tags().find(Address{address}), Address{address});
  }

  Cache cache;
  CacheStats stats;
  std::uint64_t now = 0;
};

}  // namespace heddle::mem
