// Decides which work of an SM need not be simulated because it would change nothing. There are two
// levels:
//
// - The core is quiescent: every part but the load/store unit repeats the cycle before. The
//   cycle still receives a reply, writes back results and advances the load/store unit; all other
//   stages are left out, and each issue slot is counted as in the cycle before.
// - The SM is quiescent: the load/store unit, too, does nothing but count the same stalls. No cycle
//   is simulated before next_event(); Sm::run skips them and accounts for them at once.
//
// Both are exact: a statistic or a schedule is the same when every cycle is simulated.
#pragma once

#include <algorithm>

#include "base/types.h"
#include "mem/sm_port.h"
#include "sm/cta/cta_slots.h"
#include "sm/stages/sm_state.h"
#include "sm/stages/stages.h"

namespace heddle::sm {

class Quiescence {
 public:
  Quiescence(const SmState& state, const Stages& stages, const CtaSlots& ctas,
             const mem::SmPort& port)
      : state_(state), stages_(stages), ctas_(ctas), port_(port) {}

  // Something outside the core changed what the core can do: a completed instruction, an
  // acknowledged store, a reply to the instruction cache, an eviction, a CTA that started, a change
  // of the re-execution queue, a policy that changed its mind.
  void disturb_core() { disturbed_ = true; }
  // Simulate the next cycle in full, whatever happened before.
  void wake() { core_ = sm_ = false; }

  bool core_quiescent() const { return core_; }
  bool sm_quiescent() const { return sm_; }
  // Whether the core repeats the cycle before in the cycle `now`.
  bool core_stays_quiescent(Cycle now) const {
    return core_ && !disturbed_ && !lsu_can_be_fed() && stages_.front_end.next_arrival() > now &&
           next_guided_change(now) > now &&
           (ctas_.resident() == 0 || stages_.issue.wake_at(now) > now);
  }

  // The cycle `now` was simulated in full. repeats(): whether the schedulers use their slots of the
  // next cycle as they are counted last, while nothing else changes in the core.
  template <class Repeats>
  void end_cycle(Cycle now, Repeats&& repeats) {
    disturbed_ = false;
    core_ = core_becomes_quiescent(now + 1) && repeats();
    sm_ = false;
    if (core_) end_core_repeat(now);
  }
  // The cycle `now` was simulated without the core.
  void end_core_repeat(Cycle now) {
    sm_ = stages_.lsu.quiet();
    if (sm_) own_change_ = find_own_change(now + 1);
  }

  // The first cycle >= from in which the SM may change: `from` unless it is quiescent.
  Cycle next_event(Cycle from) const {
    if (!sm_) return from;
    return std::max(std::min({own_change_, change_from_others(), port_.next_reply()}), from);
  }
  // The SM is quiescent, and nothing but a reply can change it in the cycle `now`.
  bool only_reply_at(Cycle now) const {
    return sm_ && own_change_ > now && change_from_others() > now;
  }

 private:
  // A CTA starts, a barrier of a cluster opens, or shared memory of another SM answers.
  Cycle change_from_others() const {
    return std::min({ctas_.next_start(), ctas_.next_opening(), stages_.lsu.remote().next_answer()});
  }
  bool lsu_can_be_fed() const;
  bool core_becomes_quiescent(Cycle next) const;
  // The first cycle >= from in which a stage of a compiler-guided core moves by itself, or a
  // control word lets a warp issue or wait.
  Cycle next_guided_change(Cycle from) const {
    if (!stages_.guided) return Cycle::never();
    const Cycle next =
        std::min(stages_.guided->next_move(), state_.warps.control.next_change(from));
    return stages_.issue.waits_for_units() ? std::min(next, stages_.guided->next_opening()) : next;
  }
  Cycle find_own_change(Cycle from) const;

  const SmState& state_;
  const Stages& stages_;
  const CtaSlots& ctas_;
  const mem::SmPort& port_;
  bool core_ = false;       // the core is quiescent until it is disturbed
  bool disturbed_ = false;  // since the last cycle that was simulated in full
  bool sm_ = true;          // the SM is quiescent until next_event()
  // While it is: when it changes without a reply and without other SMs.
  Cycle own_change_ = Cycle::never();
};

}  // namespace heddle::sm
