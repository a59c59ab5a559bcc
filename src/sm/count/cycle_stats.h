// What an SM counts once in each cycle in which a CTA is resident.
#pragma once

#include <cstdint>
#include <tuple>

#include "stats/fields.h"

namespace heddle::sm {

// What the statistics know of a cycle, after its issue stage. Pipeline::issue() fills it, and
// nothing_can_issue() does for skipped cycles that follow. It holds while nothing changes in the
// core, so it has nothing of the load/store unit.
struct CycleFacts {
  bool issued = false;  // a scheduler issued
};

// A new statistic is a member, its row, and its line in count(). A kernel counts the cycles of the
// SM in which it has CTAs.
struct CycleStats {
  std::uint64_t cycles = 0, cycles_without_issue = 0;

  // Counts so many cycles of which `facts` holds.
  void count(const CycleFacts& facts, std::uint64_t times) {
    cycles += times;
    if (!facts.issued) cycles_without_issue += times;
  }

  static constexpr auto fields() {
    using S = CycleStats;
    return std::make_tuple(
        stats::counter("cycles", stats::Unit::cycles, "core cycles with a CTA resident",
                       &S::cycles),
        stats::counter("cycles_without_issue", stats::Unit::cycles,
                       "the part of cycles in which no scheduler of the SM issued",
                       &S::cycles_without_issue));
  }
};

}  // namespace heddle::sm
