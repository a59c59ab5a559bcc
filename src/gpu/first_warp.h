// The caches until the first warp of a launch has ended (Lee et al., HPCA 2016, figures 4 and 20).
// Exists only when a run asks for it (config::WatchSpec::first_warp); it changes no other result.
#pragma once

#include <array>
#include <cstdint>
#include <tuple>

#include "mem/cache_stats.h"
#include "mem/line_owners.h"
#include "stats/fields.h"

namespace heddle::gpu {

// Launches that shared the GPU when their first warp ended are not counted.
struct FirstWarpStats {
  std::uint64_t launches = 0, cycles = 0;
  mem::CacheStats l1d, l2;  // all SMs, all slices
  std::array<std::uint64_t, mem::kMissClasses> l1d_misses{};

  static constexpr auto fields() {
    using S = FirstWarpStats;
    using stats::Unit;
    return std::make_tuple(
        stats::counter("launches", Unit::events, "launches that are counted", &S::launches),
        stats::counter("cycles", Unit::cycles,
                       "from the launch to the end of the window in which its first warp ended",
                       &S::cycles),
        stats::group("l1d", &S::l1d), stats::group("l2", &S::l2),
        stats::breakdown("l1d_misses", Unit::accesses,
                         "misses of the L1 data cache, as sm.l1d_misses", mem::kMissClassNames,
                         &S::l1d_misses));
  }
};

}  // namespace heddle::gpu
