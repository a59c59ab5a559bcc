#include "sm/issue/lost_slots.h"

#include <algorithm>
#include <array>

namespace heddle::sm {

WarpSlot LostSlots::warp_that_decides(const SchedulerSlot& s) const {
  const WarpMask live = warps_.live & s.supervised;
  const WarpMask group = s.last == SlotUse::throttled || s.last == SlotUse::pipeline ? warps_.ready
                         : s.last == SlotUse::scoreboard                             ? warps_.valid
                         : s.last == SlotUse::instruction_buffer_empty ? live & ~warps_.waiting
                                                                       : live;
  return warps_.oldest(group & s.supervised, s.decided);
}

// Null for an idle slot that several kernels divide.
KernelContext* LostSlots::decide_kernel(SchedulerSlot& s) {
  const WarpSlot w = warp_that_decides(s);
  if (!w) return nullptr;
  s.decided = w;
  return warps_[w].kernel;
}

int LostSlots::kernel_for_observer(const SchedulerSlot& s) const {
  if (only_) return only_->index;
  WarpSlot w = warp_that_decides(s);
  if (!w) w = warps_.resident.lowest();
  return w ? warps_[w].kernel->index : 0;
}

void LostSlots::divide_idle_slots(const SchedulerSlot& s, std::uint64_t slots) {
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
    const std::uint64_t extra = ((i + n - idle_turn_ % n) % n) < slots % n;
    count_slots(kernels[i]->stats, s.last, s.facts, slots / n + extra);
  }
  idle_turn_ = (idle_turn_ + slots) % n;
}

}  // namespace heddle::sm
