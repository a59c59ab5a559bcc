#include "mem/cache_state.h"

#include <algorithm>
#include <utility>

#include "mem/catalogue.h"

namespace heddle::mem {

using config::LineAllocation;

namespace {

// A streaming cache never refuses an access because no line is free, so it has an MSHR per line.
std::uint32_t mshr_entries(const config::CacheSpec& spec) {
  return spec.allocation == LineAllocation::streaming
             ? std::max(spec.mshr_entries, spec.sets() * spec.ways)
             : spec.mshr_entries;
}
// In a cache that allocates on fill, fills may evict dirty lines although accesses have filled the
// miss queue.
std::size_t miss_queue_capacity(const config::CacheSpec& spec) {
  const std::size_t requests_of_eviction = spec.fills_partial_writes ? 2 : 1;
  return std::size_t{spec.miss_queue} + 3 +
         (spec.allocation == LineAllocation::on_miss ? 0
                                                     : requests_of_eviction * mshr_entries(spec));
}

}  // namespace

CacheState::CacheState(const config::CacheSpec& spec_of_cache)
    : spec(spec_of_cache),
      tags(spec),
      mshrs(mshr_entries(spec), spec.mshr_merges, spec.merges_while_draining),
      misses(miss_queue_capacity(spec)),
      reserves(spec.allocation == LineAllocation::on_miss) {
  if (spec.miss_queue < 2) throw UserError("a cache's miss queue needs at least two entries");
  replace_by(policies::parse<ReplacementEntry>(spec.replacement)->build(spec));
}

void CacheState::replace_by(std::unique_ptr<ReplacementPolicy> policy) {
  replacement = std::move(policy);
  replacement->resize(spec.sets() * spec.ways, spec.ways);
  lru = dynamic_cast<Lru*>(replacement.get());
}

void CacheState::send(const Departure& departure) {
  if (departure.partial_sectors) {
    Miss fill = departure.write_back;
    fill.kind = Miss::Kind::partial_fill;
    fill.sectors = departure.partial_sectors;
    fill.bytes = tags.bytes_of(fill.sectors);
    fill.mask = {};
    misses.push(fill);
  }
  misses.push(departure.write_back);
}

}  // namespace heddle::mem
