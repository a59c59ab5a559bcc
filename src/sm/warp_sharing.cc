// Warp sharing: after every scheduler has had its turn, a warp that is ready but whose own
// scheduler's latch is taken may issue through a scheduler that is free and idle. Vo and Kim, JIPS
// 2021, figures 3 and 4.
#include <bit>

#include "sm/issue.h"

namespace heddle::sm {

std::uint32_t IssueStage::with_room(std::size_t unit) const {
  std::uint32_t free = 0;
  for (int s = 0; s < schedulers(); ++s) free |= std::uint32_t{latches_[unit].has_room(s)} << s;
  return free;
}

// Ready warps of this unit whose own latch is taken and whose own policy would let them go; nobody
// twice in a cycle.
WarpMask IssueStage::shareable(std::size_t unit, std::uint32_t free, Cycle now) {
  WarpMask all;
  for (int i = 0; i < schedulers(); ++i) {
    Scheduler& s = schedulers_[static_cast<std::size_t>(i)];
    const WarpMask here = warps_.ready & warps_.head_unit[unit] & s.supervised & ~issued_now_;
    if (((free >> i) & 1) || here.none()) continue;
    all |= s.policy->shareable(look(s, now, warps_.ready & s.supervised, here)) & here;
  }
  return all;
}

bool IssueStage::share(Cycle now, Issuer& issuer) {
  bool moved = false;
  std::uint32_t idle = 0;
  for (int i = 0; i < schedulers(); ++i)
    idle |= std::uint32_t{schedulers_[static_cast<std::size_t>(i)].last != SlotUse::issued} << i;
  for (std::size_t u = 0; u < kUnitClasses && idle; ++u) {
    if ((warps_.ready & warps_.head_unit[u] & ~issued_now_).none()) continue;
    const std::uint32_t free = with_room(u);
    std::uint32_t takers = free & idle;
    if (*sharing_ == SharingRule::exactly_one && std::popcount(free) != 1) takers = 0;
    if (takers == 0) continue;
    WarpMask candidates = shareable(u, free, now);
    for (; takers && candidates.any(); takers &= takers - 1) {
      const int taker = std::countr_zero(takers);
      WarpSlot oldest;
      candidates.for_each([&](WarpSlot w) {
        if (!oldest || warps_.age[static_cast<std::size_t>(w.index)] <
                           warps_.age[static_cast<std::size_t>(oldest.index)])
          oldest = w;
      });
      issuer.issue(oldest, scheduler_of(oldest), taker, now);
      candidates.reset(oldest);
      issued_now_.set(oldest);
      idle &= ~(1u << taker);
      schedulers_[static_cast<std::size_t>(taker)].last = SlotUse::issued;
      ++stats_.shared_issues;
      moved = true;
    }
  }
  return moved;
}

// The slots that neither the schedulers nor sharing used, once both are done.
void IssueStage::account(Cycle now) {
  for (int i = 0; i < schedulers(); ++i) {
    Scheduler& s = schedulers_[static_cast<std::size_t>(i)];
    if (s.last == SlotUse::issued)
      used_slot();
    else
      no_issue(s, i, now, s.last, 1);
  }
}

}  // namespace heddle::sm
