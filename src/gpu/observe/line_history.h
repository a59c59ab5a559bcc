// Which warp fetched each line of a cache, over the whole kernel. Distinguishes a first access from
// a miss on an evicted line.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "gpu/kernel_details.h"
#include "mem/cache.h"

namespace heddle::gpu {

class LineHistory {
 public:
  explicit LineHistory(const config::CacheSpec& spec)
      : shift_(static_cast<unsigned>(std::countr_zero(
            spec.filling == config::Filling::sectors ? mem::kSectorBytes : spec.line_bytes))),
        writes_allocate_(spec.write_allocation != config::WriteAllocation::none) {}

  std::uint64_t key(Address a) const { return a.value >> shift_; }
  AccessKind classify(Address address, mem::Requester who, bool write, const mem::Access& access) {
    if (access.outcome == mem::Outcome::hit)
      return access.owner == who ? AccessKind::hit_same_warp : AccessKind::hit_other_warp;
    const auto known = fetchers_.find(key(address));
    const bool same = known != fetchers_.end() && known->second == who;
    if (access.outcome == mem::Outcome::pending_hit)
      return same ? AccessKind::pending_same_warp : AccessKind::pending_other_warp;
    const AccessKind kind = known == fetchers_.end() ? AccessKind::miss_cold
                            : same                   ? AccessKind::miss_same_warp
                                                     : AccessKind::miss_other_warp;
    if (!write || writes_allocate_) fetchers_[key(address)] = who;
    return kind;
  }
  void clear() { fetchers_.clear(); }

 private:
  unsigned shift_;
  bool writes_allocate_;
  std::unordered_map<std::uint64_t, mem::Requester> fetchers_;
};

}  // namespace heddle::gpu
