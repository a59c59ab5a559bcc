// The criticality of a warp: the cycles that it is expected to need until its end, plus its stall
// cycles. Lee et al., ISCA 2015.
#pragma once

#include <array>
#include <cstdint>

#include "base/types.h"
#include "mem/replacement/critical_partition.h"
#include "sched/framework/cta_table.h"
#include "sm/policy/warp_scheduler.h"

namespace heddle::sched {

struct WarpCriticality {
  Cycle launched, last;    // last: of its last issue
  std::int64_t ahead = 0;  // instructions ahead of it, known from its branches
  std::uint64_t committed = 0, stalled = 0;

  void issued(Cycle now) {
    if (now > last) stalled += now - last - 1;
    last = now;
    ++committed;
    --ahead;
  }
  // Instructions ahead times cycles per instruction so far, plus stall cycles.
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
    bool is_new = false;
    judged_[static_cast<std::size_t>(ctas_.launch(event, is_new))] = {};
  }
  void exit(WarpSlot warp) { ctas_.exit(warp); }

  // Whether the warp's criticality is in the upper half of the range of its CTA. A judgement is
  // used for `interval` cycles.
  bool is_critical(WarpSlot warp, std::uint64_t now) override {
    const int cta = ctas_.of(warp);
    if (cta < 0) return false;
    Judged& judged = judged_[static_cast<std::size_t>(cta)];
    if (!judged.any || now - judged.at >= interval_) judge(ctas_[cta].warps, Cycle{now}, judged);
    return judged.critical.test(warp);
  }

  // The criticality of the SM's warps now, independent of earlier judgements.
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
