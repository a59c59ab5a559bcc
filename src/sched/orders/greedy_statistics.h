// Statistics of greedy orders (gto, cggty, gtrr).
#pragma once

#include <cstdint>
#include <tuple>

#include "stats/fields.h"

namespace heddle::sched {

// Issues divided by switches: the mean number of issues from one warp in a row.
struct GreedyStatistics {
  std::uint64_t switches = 0;
  static constexpr auto fields() {
    return std::make_tuple(stats::counter("switches", stats::Unit::events,
                                          "issues from another warp than the previous issue",
                                          &GreedyStatistics::switches));
  }
};

}  // namespace heddle::sched
