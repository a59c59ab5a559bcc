// CTAs as an SM reports them between windows.
#pragma once

#include <cstdint>
#include <vector>

#include "base/types.h"

namespace heddle::sm {

// issued: warp instructions, 0 when not counted.
struct FinishedCta {
  std::uint64_t cta;
  Cycle start, end;
  std::uint64_t issued = 0;
  int kernel = 0;
  std::vector<std::uint64_t> others_issued{};  // by the CTAs that were resident then
};

struct ResidentCta {
  std::uint64_t cta, issued;
  Cycle start;
  bool paused;
};

}  // namespace heddle::sm
