// Which kernel a slot counts for while warps of several kernels are resident. The slots of the
// kernels add up to those of the SM.
//
//   issued      the kernel of the warp that issues
//   idle        the scheduler has no live warp: the kernels with CTAs on the SM, in turn
//   other uses  the kernel of the oldest warp of the group that decides the use
//               (IssueStage::use_without_issue)
#include <algorithm>

#include "sm/issue/issue.h"

namespace heddle::sm {

WarpSlot IssueStage::warp_that_decides(const Scheduler& s) const {
  const WarpMask live = warps_.live & s.supervised;
  const WarpMask group = s.last == SlotUse::throttled || s.last == SlotUse::pipeline ? warps_.ready
                         : s.last == SlotUse::scoreboard                             ? warps_.valid
                         : s.last == SlotUse::instruction_buffer_empty ? live & ~warps_.waiting
                                                                       : live;
  return warps_.oldest(group & s.supervised, s.decided);
}

// Null for an idle slot that several kernels divide.
KernelContext* IssueStage::decide_kernel(Scheduler& s) {
  const WarpSlot w = warp_that_decides(s);
  if (!w) return nullptr;
  s.decided = w;
  return warps_[w].kernel;
}

// An idle slot counts for the kernel of the lowest resident warp.
int IssueStage::kernel_for_observer(const Scheduler& s) const {
  if (only_) return only_->index;
  WarpSlot w = warp_that_decides(s);
  if (!w) w = warps_.resident.lowest();
  return w ? warps_[w].kernel->index : 0;
}

void IssueStage::divide_idle_slots(const Scheduler& s, std::uint64_t cycles) {
  std::array<KernelContext*, kMaxWarpsPerSm> kernels;
  std::size_t n = 0;
  warps_.resident.for_each([&](WarpSlot w) {
    KernelContext* const kernel = warps_[w].kernel;
    if (std::find(kernels.begin(), kernels.begin() + n, kernel) == kernels.begin() + n)
      kernels[n++] = kernel;
  });
  std::sort(kernels.begin(), kernels.begin() + n,
            [](const KernelContext* a, const KernelContext* b) { return a->index < b->index; });
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t extra = ((i + n - idle_turn_ % n) % n) < cycles % n;
    count_slots(kernels[i]->stats, s.last, s.facts, cycles / n + extra);
  }
  idle_turn_ = (idle_turn_ + cycles) % n;
}

}  // namespace heddle::sm
