// The resident CTAs of an SM and their warps, for policies that treat the warps of a CTA together.
#pragma once

#include <array>
#include <cstdint>

#include "base/types.h"
#include "sm/policy/warp_scheduler.h"

namespace heddle::sched {

// Numbers the resident CTAs of an SM: a CTA gets the lowest free number when its first warp starts,
// and frees it when its last warp ends. Shared by the SM's schedulers (shared_in_sm); each reports
// the launches and exits of its own warps from on_warp().
class CtaTable {
 public:
  struct Cta {
    std::uint64_t linear = 0;  // number in the grid
    int kernel = 0;            // number of its kernel
    std::uint32_t age = 0;     // of its first warp
    WarpMask warps;            // live ones
  };
  // Adds a warp. Returns its CTA's number. `is_new`: it is the first warp of its CTA.
  int launch(const sm::WarpEvent& event, bool& is_new) {
    int free = -1;
    is_new = false;
    for (int i = 0; i < kMaxWarpsPerSm; ++i) {
      const Cta& cta = at(i);
      if (cta.warps.none())
        free = free < 0 ? i : free;
      else if (cta.linear == event.cta && cta.kernel == event.kernel)
        return join(event.warp, i);
    }
    is_new = true;
    at(free) = {event.cta, event.kernel, event.age, {}};
    return join(event.warp, free);
  }
  // Removes a warp. Returns its CTA's number, or -1.
  int exit(WarpSlot warp) {
    const int cta = of(warp);
    if (cta >= 0) at(cta).warps.reset(warp);
    cta_of_[static_cast<std::size_t>(warp.index)] = -1;
    return cta;
  }
  // The number of the warp's CTA, or -1.
  int of(WarpSlot warp) const { return cta_of_[static_cast<std::size_t>(warp.index)]; }
  const Cta& operator[](int cta) const { return ctas_[static_cast<std::size_t>(cta)]; }

  CtaTable() { cta_of_.fill(-1); }

 private:
  Cta& at(int cta) { return ctas_[static_cast<std::size_t>(cta)]; }
  int join(WarpSlot warp, int cta) {
    at(cta).warps.set(warp);
    cta_of_[static_cast<std::size_t>(warp.index)] = cta;
    return cta;
  }
  std::array<Cta, kMaxWarpsPerSm> ctas_{};
  std::array<int, kMaxWarpsPerSm> cta_of_{};
};

}  // namespace heddle::sched
