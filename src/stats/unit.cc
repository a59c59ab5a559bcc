#include "stats/fields.h"

namespace heddle::stats {

std::string_view to_string(Unit unit) {
  switch (unit) {
    case Unit::cycles: return "cycles";
    case Unit::instructions: return "instructions";
    case Unit::warp_instructions: return "warp instructions";
    case Unit::requests: return "requests";
    case Unit::accesses: return "accesses";
    case Unit::sectors: return "sectors";
    case Unit::lines: return "lines";
    case Unit::packets: return "packets";
    case Unit::bytes: return "bytes";
    case Unit::slots: return "slots";
    case Unit::warps: return "warps";
    case Unit::ctas: return "CTAs";
    case Unit::lanes: return "lanes";
    case Unit::flits: return "flits";
    case Unit::events: return "events";
    case Unit::row_hits: return "row hits";
    case Unit::ratio: return "ratio";
    case Unit::points: return "points";
  }
  return "";
}

}  // namespace heddle::stats
