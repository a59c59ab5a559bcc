// The common part of orders that serve one group of warps at a time (fetch-groups, owl).
#pragma once

#include <cstdint>
#include <tuple>

#include "stats/fields.h"

namespace heddle::sched {

enum class SwitchOn { any_stall, long_stall };

struct GroupStatistics {
  std::uint64_t group_switches = 0;
  static constexpr auto fields() {
    return std::make_tuple(stats::counter("group_switches", stats::Unit::events,
                                          "issues from another group than the previous issue",
                                          &GroupStatistics::group_switches));
  }
};

}  // namespace heddle::sched
