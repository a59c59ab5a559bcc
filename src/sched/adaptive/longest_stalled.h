// Finds the warp that has been stalled for longest because a latch of its unit was taken.
#pragma once

#include <array>
#include <cstdint>
#include <deque>

#include "sm/policy/warp_scheduler.h"

namespace heddle::sched {

// A queue of the warps of one scheduler that are ready but whose unit takes no instruction. A warp
// stays in the queue until it issues or ends.
class LongestStalled {
 public:
  // now: the warps that are stalled now; new ones join the queue, the oldest first. Returns the
  // head of the queue, or none when the head is not stalled now.
  WarpSlot longest(WarpMask now, const sm::IssueView& view) {
    for (WarpMask fresh = now & ~waiting_; fresh.any();) {
      const WarpSlot w = view.oldest(fresh);
      fresh.reset(w);
      waiting_.set(w);
      queue_.push_back({w, ++ticket_of(w)});
    }
    while (!queue_.empty() && (!waiting_.test(queue_.front().warp) ||
                               ticket_of(queue_.front().warp) != queue_.front().ticket))
      queue_.pop_front();
    return queue_.empty() || !now.test(queue_.front().warp) ? WarpSlot::none : queue_.front().warp;
  }
  // The warp issued or ended.
  void remove(WarpSlot warp) { waiting_.reset(warp); }

 private:
  struct Entry {
    WarpSlot warp;
    std::uint64_t ticket;
  };
  std::uint64_t& ticket_of(WarpSlot w) { return tickets_[static_cast<std::size_t>(w.index)]; }

  WarpMask waiting_;
  std::deque<Entry> queue_;  // only the latest entry of a warp is valid
  std::array<std::uint64_t, kMaxWarpsPerSm> tickets_{};
};

}  // namespace heddle::sched
