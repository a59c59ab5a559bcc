// Which warps of an SM belong together.
#pragma once

#include <array>
#include <cstdint>

#include "base/types.h"
#include "sm/warp_scheduler.h"

namespace heddle::sched {

// The CTAs of an SM by number: a free one is given to each that arrives.
class CtaTable {
 public:
  struct Cta {
    std::uint64_t linear = 0;
    std::uint32_t age = 0;  // of its first warp
    WarpMask warps;         // that have not ended
  };
  // Must hear every launch and every exit of the SM's warps. Returns the CTA's number; `arrived`
  // says whether it is a new one.
  int launch(const sm::WarpEvent& event, bool& arrived) {
    int free = -1;
    arrived = false;
    for (int i = 0; i < kMaxWarpsPerSm; ++i) {
      const Cta& cta = at(i);
      if (cta.warps.none())
        free = free < 0 ? i : free;
      else if (cta.linear == event.cta)
        return join(event.warp, i);
    }
    arrived = true;
    at(free) = {event.cta, event.age, {}};
    return join(event.warp, free);
  }
  int exit(WarpSlot warp) {
    const int cta = of(warp);
    if (cta >= 0) at(cta).warps.reset(warp);
    cta_of_[static_cast<std::size_t>(warp.index)] = -1;
    return cta;
  }
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
