// Warp sharing: a stalled warp issues through another scheduler that has nothing to issue. Vo and
// Kim, JIPS 2021, section 3, figures 3 and 4.
#include <bit>

#include "sm/issue/issue.h"

namespace heddle::sm {

// The paper's control unit works between decode and issue (section 3): a shared warp is issued
// before its own scheduler picks, and the scheduler that issues it picks none of its own.
bool IssueStage::cycle_with_sharing(std::size_t scheduler, Cycle now, Issuer& issuer) {
  const bool before = sharing_->moment == WarpSharing::Moment::before_issue;
  const std::size_t n = schedulers_.size();
  issued_now_ = WarpMask{};
  // Bit per scheduler that has nothing to issue, or has issued nothing.
  const auto idle_schedulers = [&] {
    std::uint32_t idle = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const Scheduler& s = schedulers_[i];
      const WarpMask ready = warps_.ready & ~warps_.paused & s.supervised;
      const bool is_idle =
          before ? with_free_latch(ready, static_cast<int>(i)).none() : s.last != SlotUse::issued;
      idle |= std::uint32_t{is_idle} << i;
    }
    return idle;
  };
  std::uint32_t through = 0;  // bit per scheduler that issues a shared warp
  if (before) through = issue_shared(idle_schedulers(), now, issuer);
  bool moved = through != 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (through >> scheduler & 1) {
      schedulers_[scheduler].facts = {};
      flush(warps_.mismatched & schedulers_[scheduler].supervised);
    } else {
      moved |= cycle_one(scheduler, now, issuer);
    }
    if (++scheduler == n) scheduler = 0;
  }
  if (!before) {
    through = issue_shared(idle_schedulers(), now, issuer);
    moved |= through != 0;
  }
  for (; through; through &= through - 1)
    schedulers_[static_cast<std::size_t>(std::countr_zero(through))].last = SlotUse::issued;
  for (int i = 0; i < schedulers(); ++i) {
    Scheduler& s = schedulers_[static_cast<std::size_t>(i)];
    if (s.last == SlotUse::issued)
      count_issued_slot(s);
    else
      count_lost_slots(s, i, now, 1);
  }
  return moved;
}

// The schedulers that accept an instruction of this unit class, as far as the class decides. A
// compiler-guided core has no collectors; it says itself what it accepts.
std::uint32_t IssueStage::accepting_schedulers(std::size_t unit) const {
  std::uint32_t accepting = 0;
  for (int s = 0; s < schedulers(); ++s) {
    const bool accepts = sharing_->moment == WarpSharing::Moment::before_issue && !warps_.guided
                             ? collector_->has_free(unit, s) &&
                                   (!sharing_->reads_latches || latches_.has_room(unit, s))
                             : latches_.has_room(unit, s);
    accepting |= std::uint32_t{accepts} << s;
  }
  return accepting;
}

// Ready warps for this unit class whose own scheduler does not accept it and whose own policy
// allows sharing.
WarpMask IssueStage::stalled_warps(std::size_t unit, std::uint32_t accepting, Cycle now) {
  WarpMask all;
  for (int i = 0; i < schedulers(); ++i) {
    Scheduler& s = schedulers_[static_cast<std::size_t>(i)];
    const WarpMask here =
        warps_.ready & warps_.heads(unit) & s.supervised & ~issued_now_ & ~warps_.paused;
    if ((accepting >> i & 1) || here.none()) continue;
    all |= s.policy->shareable(update_view(s, now, warps_.ready & s.supervised, here)) & here;
  }
  return all;
}

// Issues stalled warps, the oldest first, through schedulers of the set `idle`. Returns the set of
// schedulers that issued one.
std::uint32_t IssueStage::issue_shared(std::uint32_t idle, Cycle now, Issuer& issuer) {
  std::uint32_t used = 0;
  for (std::size_t u = 0; u < kUnitClasses && idle; ++u) {
    if ((warps_.ready & warps_.heads(u) & ~issued_now_).none()) continue;
    const std::uint32_t accepting = accepting_schedulers(u);
    if (sharing_->gate == WarpSharing::Gate::exactly_one && std::popcount(accepting) != 1) continue;
    std::uint32_t free_schedulers = accepting & idle;
    if (free_schedulers == 0) continue;
    WarpMask candidates = stalled_warps(u, accepting, now);
    for (; free_schedulers && candidates.any(); free_schedulers &= free_schedulers - 1) {
      const int through = std::countr_zero(free_schedulers);
      if (!latches_.has_room(u, through)) continue;
      WarpSlot oldest;
      candidates.for_each([&](WarpSlot w) {
        if (!oldest || warps_.age[static_cast<std::size_t>(w.index)] <
                           warps_.age[static_cast<std::size_t>(oldest.index)])
          oldest = w;
      });
      issuer.issue(oldest, policies_.scheduler_of(oldest), through, now);
      candidates.reset(oldest);
      issued_now_.set(oldest);
      idle &= ~(1u << through);
      used |= 1u << through;
      ++warps_[oldest].kernel->stats.shared_issues;
      schedulers_[static_cast<std::size_t>(through)].issued = oldest;
    }
  }
  return used;
}

}  // namespace heddle::sm
