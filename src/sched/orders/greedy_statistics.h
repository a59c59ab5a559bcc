// What greedy orders tell.
#pragma once

#include <cstdint>
#include <tuple>

#include "stats/fields.h"

namespace heddle::sched {

// How long greed lasts: issues of a scheduler between two switches.
struct GreedStatistics {
  std::uint64_t switches = 0;
  static constexpr auto fields() {
    return std::make_tuple(stats::counter("switches", stats::Unit::events,
                                          "issues of another warp than the one that issued before; "
                                          "all issues over these: how long greed lasts",
                                          &GreedStatistics::switches));
  }
};

}  // namespace heddle::sched
