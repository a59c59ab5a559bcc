// Which kernel a slot counts for in which a scheduler issues nothing. The slots of the kernels on
// an SM add up to those of the SM.
//
//   idle        the scheduler has no live warp: the kernels with CTAs on the SM, in turn
//   other uses  the kernel of the oldest warp of the group that decides the use
//               (IssueStage::use_without_issue)
#pragma once

#include <cstdint>

#include "base/types.h"
#include "sm/count/sm_stats.h"
#include "sm/issue/slot_statistics.h"
#include "sm/warp/warp_table.h"

namespace heddle::sm {

// The last slot of a scheduler.
struct SchedulerSlot {
  WarpMask supervised;  // the scheduler's warps
  SlotUse last = SlotUse::idle;
  SlotFacts facts;
  WarpSlot decided;  // the warp for whose kernel a lost slot counted last
};

class LostSlots {
 public:
  explicit LostSlots(const WarpTable& warps) : warps_(warps) {}

  // Slots count for the kernel; several: for the kernels of the resident warps.
  void count_for(KernelContext& kernel, bool several) { only_ = several ? nullptr : &kernel; }
  bool count_for_one_kernel() const { return only_ != nullptr; }

  // Counts `slots` equal slots.
  [[gnu::always_inline]] void count(SchedulerSlot& s, std::uint64_t slots) {
    if (KernelContext* const kernel = only_ ? only_ : decide_kernel(s)) [[likely]]
      count_slots(kernel->stats, s.last, s.facts, slots);
    else
      divide_idle_slots(s, slots);
  }
  // An idle slot counts for the kernel of the lowest resident warp.
  int kernel_for_observer(const SchedulerSlot& s) const;

 private:
  WarpSlot warp_that_decides(const SchedulerSlot& s) const;
  KernelContext* decide_kernel(SchedulerSlot& s);
  void divide_idle_slots(const SchedulerSlot& s, std::uint64_t slots);

  const WarpTable& warps_;
  KernelContext* only_ = nullptr;  // the only kernel with CTAs; null: there are several
  std::uint64_t idle_turn_ = 0;    // which kernel the next idle slot counts for
};

}  // namespace heddle::sm
