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
  return std::size_t{spec.miss_queue} + 3 +
         (spec.allocation == LineAllocation::on_miss ? 0 : mshr_entries(spec));
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

}  // namespace heddle::mem
