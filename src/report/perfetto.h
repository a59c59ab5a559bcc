// A timeline in the format of the Perfetto trace viewer (ui.perfetto.dev): protocol buffers with
// track events. The few fields are written without a library. In the viewer one microsecond is one
// core cycle.
#pragma once

#include <string>

#include "stats/timeline.h"

namespace heddle::report {

std::string to_perfetto(const stats::Timeline& timeline);

}  // namespace heddle::report
