// Which warp fetched each line of a cache, over the whole kernel. Distinguishes a first access from
// a miss on an evicted line.
#pragma once

#include <cstdint>

#include "gpu/kernel_details.h"
#include "mem/cache.h"
#include "mem/line_owners.h"

namespace heddle::gpu {

class LineHistory {
 public:
  explicit LineHistory(const config::CacheSpec& spec)
      : shift_(static_cast<unsigned>(std::countr_zero(
            spec.filling == config::Filling::sectors ? mem::kSectorBytes : spec.line_bytes))),
        writes_allocate_(spec.write_allocation > config::WriteAllocation::none_with_way) {}

  std::uint64_t key(Address a) const { return a.value >> shift_; }
  AccessKind classify(Address address, mem::Requester who, bool write, const mem::Access& access) {
    if (access.outcome == mem::Outcome::hit)
      return access.owner == who ? AccessKind::hit_same_warp : AccessKind::hit_other_warp;
    if (access.outcome == mem::Outcome::pending_hit)
      return fetchers_.find(key(address)) == who ? AccessKind::pending_same_warp
                                                 : AccessKind::pending_other_warp;
    const bool brings = !write || writes_allocate_;
    const auto known = brings ? fetchers_.replace(key(address), who) : fetchers_.find(key(address));
    switch (mem::class_of_miss(known, who)) {
      case mem::MissClass::cold: return AccessKind::miss_cold;
      case mem::MissClass::same_warp: return AccessKind::miss_same_warp;
      default: return AccessKind::miss_other_warp;
    }
  }
  void clear() { fetchers_.clear(); }

 private:
  unsigned shift_;
  bool writes_allocate_;
  mem::LineOwners fetchers_;
};

}  // namespace heddle::gpu
