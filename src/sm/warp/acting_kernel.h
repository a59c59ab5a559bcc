// For which kernel a part of the SM counts: that of the warp that acts. What concerns no resident
// warp, such as the reply to a warp that has ended, counts for the kernel of the event before.
#pragma once

#include "base/types.h"
#include "mem/packet.h"
#include "sm/count/sm_stats.h"
#include "sm/warp/warp_table.h"

namespace heddle::sm {

class ActingKernel {
 public:
  ActingKernel(const WarpTable& warps, KernelContext& kernel) : warps_(warps), last_(&kernel) {}

  void set(KernelContext& kernel) { last_ = &kernel; }
  SmStats& of(WarpSlot warp) {
    last_ = warps_[warp].kernel;
    return last_->stats;
  }
  // Of a miss or a reply.
  SmStats& of(const mem::Requester& who) {
    if (who.warp && warps_.resident.test(who.warp) && warps_[who.warp].kernel->index == who.kernel)
      last_ = warps_[who.warp].kernel;
    return last_->stats;
  }
  // Of instructions, which no warp owns.
  SmStats& of_kernel(int number) {
    if (last_->index != number) [[unlikely]]
      warps_.resident.for_each([&](WarpSlot w) {
        if (warps_[w].kernel->index == number) last_ = warps_[w].kernel;
      });
    return last_->stats;
  }

 private:
  const WarpTable& warps_;
  KernelContext* last_;
};

}  // namespace heddle::sm
