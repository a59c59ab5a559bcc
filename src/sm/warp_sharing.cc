// Warp sharing: after all schedulers have picked, a ready warp whose own scheduler's latch is taken
// may issue through another scheduler that has a free latch and has issued nothing. Vo and Kim,
// JIPS 2021, figures 3 and 4.
#include <bit>

#include "sm/issue.h"

namespace heddle::sm {

std::uint32_t IssueStage::schedulers_with_free_latch(std::size_t unit) const {
  std::uint32_t free = 0;
  for (int s = 0; s < schedulers(); ++s) free |= std::uint32_t{latches_[unit].has_room(s)} << s;
  return free;
}

// Ready warps for this unit whose own latch is taken and whose own policy allows sharing. A warp
// issues at most once in a cycle.
WarpMask IssueStage::shareable(std::size_t unit, std::uint32_t free, Cycle now) {
  WarpMask all;
  for (int i = 0; i < schedulers(); ++i) {
    Scheduler& s = schedulers_[static_cast<std::size_t>(i)];
    const WarpMask here = warps_.ready & warps_.head_unit[unit] & s.supervised & ~issued_now_;
    if (((free >> i) & 1) || here.none()) continue;
    all |= s.policy->shareable(update_view(s, now, warps_.ready & s.supervised, here)) & here;
  }
  return all;
}

bool IssueStage::issue_shared(Cycle now, Issuer& issuer) {
  bool moved = false;
  std::uint32_t idle = 0;
  for (int i = 0; i < schedulers(); ++i)
    idle |= std::uint32_t{schedulers_[static_cast<std::size_t>(i)].last != SlotUse::issued} << i;
  for (std::size_t u = 0; u < kUnitClasses && idle; ++u) {
    if ((warps_.ready & warps_.head_unit[u] & ~issued_now_).none()) continue;
    const std::uint32_t free = schedulers_with_free_latch(u);
    std::uint32_t free_schedulers = free & idle;
    if (*sharing_ == SharingRule::exactly_one && std::popcount(free) != 1) free_schedulers = 0;
    if (free_schedulers == 0) continue;
    WarpMask candidates = shareable(u, free, now);
    for (; free_schedulers && candidates.any(); free_schedulers &= free_schedulers - 1) {
      const int through = std::countr_zero(free_schedulers);
      WarpSlot oldest;
      candidates.for_each([&](WarpSlot w) {
        if (!oldest || warps_.age[static_cast<std::size_t>(w.index)] <
                           warps_.age[static_cast<std::size_t>(oldest.index)])
          oldest = w;
      });
      issuer.issue(oldest, scheduler_of(oldest), through, now);
      candidates.reset(oldest);
      issued_now_.set(oldest);
      idle &= ~(1u << through);
      schedulers_[static_cast<std::size_t>(through)].last = SlotUse::issued;
      ++stats_.shared_issues;
      moved = true;
    }
  }
  return moved;
}

// Counts the slots of a cycle after the schedulers and warp sharing have used them.
void IssueStage::count_slots(Cycle now) {
  for (int i = 0; i < schedulers(); ++i) {
    Scheduler& s = schedulers_[static_cast<std::size_t>(i)];
    if (s.last == SlotUse::issued)
      count_issued_slot();
    else
      count_lost_slots(s, i, now, 1);
  }
}

}  // namespace heddle::sm
