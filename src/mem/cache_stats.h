// The statistics of a cache: L1D, L1I, constant cache, texture cache or L2.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/diagnostics.h"
#include "stats/fields.h"

namespace heddle::mem {

// The cause of a reservation failure.
enum class FailCause : std::uint8_t {
  no_replaceable_way,
  mshr_full,
  merge_full,
  miss_queue_full,
  port_busy
};
inline constexpr std::size_t kFailCauses = 5;
inline constexpr std::array<std::string_view, kFailCauses> kFailCauseNames{
    "no_replaceable_way", "mshr_full", "merge_full", "miss_queue_full", "port_busy"};

struct CacheStats {
  std::uint64_t accesses = 0, hits = 0, pending_hits = 0, misses = 0;
  std::uint64_t sector_misses = 0;
  std::uint64_t write_accesses = 0, write_hits = 0, write_pending_hits = 0, write_misses = 0;
  std::uint64_t hits_same_warp = 0, hits_other_warp = 0;
  std::array<std::uint64_t, kFailCauses> reservation_fails{};
  std::uint64_t fetches = 0, forwarded_writes = 0, writebacks = 0, evictions = 0;

  void count_refusals(FailCause cause, std::uint64_t times = 1) {
    reservation_fails[static_cast<std::size_t>(cause)] += times;
  }
  void check_conservation() const {
    check_invariant(accesses == hits + pending_hits + misses,
                    "the accesses of a cache are not its hits + pending hits + misses");
    check_invariant(write_accesses == write_hits + write_pending_hits + write_misses,
                    "the writes of a cache are not its write hits + pending hits + misses");
    check_invariant(hits == hits_same_warp + hits_other_warp,
                    "the hits of a cache are not those of the same warp + those of other warps");
    check_invariant(sector_misses <= misses, "a cache has more sector misses than misses");
  }

  static constexpr auto fields() {
    using enum stats::Unit;
    using S = CacheStats;
    return stats::table(
        stats::counter("accesses", requests,
                       "accepted reads and writes: hits + pending hits + misses", &S::accesses),
        stats::counter("hits", requests, "accesses whose data were in the cache", &S::hits),
        stats::counter("pending_hits", requests, "accesses merged into an outstanding fetch",
                       &S::pending_hits),
        stats::counter("misses", requests,
                       "accesses whose data were neither in the cache nor being fetched",
                       &S::misses),
        stats::counter("sector_misses", requests,
                       "misses whose line was in the cache, but not the data of the sector",
                       &S::sector_misses),
        stats::counter("write_accesses", requests, "writes among the accesses", &S::write_accesses),
        stats::counter("write_hits", requests, "writes among the hits", &S::write_hits),
        stats::counter("write_pending_hits", requests, "writes among the pending hits",
                       &S::write_pending_hits),
        stats::counter("write_misses", requests, "writes among the misses", &S::write_misses),
        stats::counter("hits_same_warp", requests, "hits on lines that the same warp brought in",
                       &S::hits_same_warp),
        stats::counter("hits_other_warp", requests, "hits on lines that another warp brought in",
                       &S::hits_other_warp),
        stats::breakdown("reservation_fails", cycles,
                         "attempts refused because a resource was full, by cause", kFailCauseNames,
                         &S::reservation_fails),
        stats::counter("fetches", requests, "reads sent to the next level", &S::fetches),
        stats::counter("forwarded_writes", requests, "writes forwarded to the next level",
                       &S::forwarded_writes),
        stats::counter("writebacks", lines, "dirty lines written to the next level on eviction",
                       &S::writebacks),
        stats::counter("evictions", lines, "valid lines replaced", &S::evictions));
  }
};

}  // namespace heddle::mem
