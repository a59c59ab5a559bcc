// What one warp slot of an SM did, as text: the answer to "why does this warp wait at this cycle?".
#pragma once

#include <cstdint>
#include <string>

#include "stats/timeline.h"

namespace heddle::report {

// A row for every interval of the timeline's window in which the warp of slot `warp` of SM `sm` was
// in one state, in core cycles of the device, and a last line with the share of each state. `width`
// is that of the terminal; 0: any.
std::string warp_log(const stats::Timeline& timeline, std::uint32_t sm, std::uint32_t warp,
                     int width);

}  // namespace heddle::report
