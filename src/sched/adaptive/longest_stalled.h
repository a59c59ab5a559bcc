// Which warp has been held up longest: first come, first out.
#pragma once

#include <array>
#include <cstdint>
#include <deque>

#include "sm/warp_scheduler.h"

namespace heddle::sched {

// Warps of one scheduler that could issue but for their unit, from when that is first seen until
// they issue.
class HeldUp {
 public:
  // The warps that are held up now; of those that are new the oldest come first. Returns who waits
  // longest.
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
  void gone(WarpSlot warp) { waiting_.reset(warp); }  // it issued, or ended

 private:
  struct Place {
    WarpSlot warp;
    std::uint64_t ticket;
  };
  std::uint64_t& ticket_of(WarpSlot w) { return tickets_[static_cast<std::size_t>(w.index)]; }

  WarpMask waiting_;
  std::deque<Place> queue_;  // a warp's latest place counts
  std::array<std::uint64_t, kMaxWarpsPerSm> tickets_{};
};

}  // namespace heddle::sched
