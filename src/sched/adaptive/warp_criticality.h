// How critical a warp is: how long it is expected to take from now on. Lee et al., ISCA 2015.
#pragma once

#include <array>
#include <cstdint>

#include "base/types.h"
#include "mem/critical_partition.h"
#include "sched/framework/cta_table.h"
#include "sm/warp_scheduler.h"

namespace heddle::sched {

struct WarpCriticality {
  Cycle launched, last;    // last: when it issued last
  std::int64_t ahead = 0;  // instructions that lie before it, as far as its branches told
  std::uint64_t committed = 0, stalled = 0;

  void issued(Cycle now) {
    if (now > last) stalled += now - last - 1;
    last = now;
    ++committed;
    --ahead;
  }
  // Instructions ahead at the pace kept so far, and the cycles that it has been kept waiting.
  double at(Cycle now) const {
    const double pace =
        committed ? static_cast<double>(now - launched) / static_cast<double>(committed) : 0;
    return static_cast<double>(ahead) * pace + static_cast<double>(stalled);
  }
};

// The warps of an SM.
class WarpCriticalities final : public mem::CriticalityJudge {
 public:
  explicit WarpCriticalities(std::uint32_t interval) : interval_(interval) {}

  WarpCriticality& operator[](WarpSlot w) { return warps_[static_cast<std::size_t>(w.index)]; }
  void launch(const sm::WarpEvent& event) {
    (*this)[event.warp] = {event.now, event.now};
    bool arrived = false;
    judged_[static_cast<std::size_t>(ctas_.launch(event, arrived))] = {};
  }
  void exit(WarpSlot warp) { ctas_.exit(warp); }

  // Whether the warp lies in the upper half between the least and the most critical warp of its
  // CTA, as judged at most `interval` cycles ago.
  bool is_critical(WarpSlot warp, std::uint64_t now) override {
    const int cta = ctas_.of(warp);
    if (cta < 0) return false;
    Judged& judged = judged_[static_cast<std::size_t>(cta)];
    if (!judged.any || now - judged.at >= interval_) judge(ctas_[cta].warps, Cycle{now}, judged);
    return judged.critical.test(warp);
  }

  // The SM's warps at one moment, whatever was judged before.
  struct Survey {
    int critical = 0, resident = 0;
    double least = 0, most = 0;
  };
  Survey survey(Cycle now) const;

 private:
  struct Judged {
    bool any = false;
    std::uint64_t at = 0;
    WarpMask critical;
  };
  void judge(WarpMask warps, Cycle now, Judged& judged) const;

  std::uint32_t interval_;
  CtaTable ctas_;
  std::array<WarpCriticality, kMaxWarpsPerSm> warps_{};
  std::array<Judged, kMaxWarpsPerSm> judged_{};
};

}  // namespace heddle::sched
