// What one warp of a CTA did, as text: the answer to "why does this warp wait at this cycle?".
#pragma once

#include <cstdint>
#include <string>

#include "stats/timeline.h"

namespace heddle::report {

// For every launch that has the CTA in the timeline's window: a row for every interval in which the
// warp was in one state, in core cycles of the device, and a last line with the share of each
// state. `width` is that of the terminal; 0: any.
std::string warp_log(const stats::Timeline& timeline, std::uint64_t cta, std::uint32_t warp,
                     int width);

}  // namespace heddle::report
