#include "sm/lsu/reexecution.h"

#include <numeric>

#include "base/diagnostics.h"

namespace heddle::sm {

// An entry has room for the accesses of a whole instruction.
ReexecutionQueue::ReexecutionQueue(std::uint32_t entries)
    : order_(entries), accesses_(std::size_t{entries} * kWarpSize), free_(accesses_.size()) {
  check_invariant(entries > 0 && accesses_.size() < kEnd,
                  "a re-execution queue of no or too many entries was requested");
  std::iota(free_.rbegin(), free_.rend(), std::uint16_t{0});
}

void ReexecutionQueue::put(const QueuedAccess& access) {
  check_invariant(has_room(access.warp()), "an access entered a full re-execution queue");
  const std::uint16_t node = free_.back();
  free_.pop_back();
  accesses_[node] = {access, kEnd};
  std::uint16_t& last = last_[static_cast<std::size_t>(access.warp().index)];
  if (warps_.test(access.warp())) {
    accesses_[last].next = node;
  } else {
    warps_.set(access.warp());
    order_.push(access.warp());
    first(access.warp()) = node;
    absent_at_[static_cast<std::size_t>(access.warp().index)] = kUnknown;
  }
  ++changes_;
  last = node;
}

// The entry stays at the head until its last access is served.
void ReexecutionQueue::pop_accepted() {
  const WarpSlot warp = head();
  const std::uint16_t node = first(warp);
  first(warp) = accesses_[node].next;
  free_.push_back(node);
  absent_at_[static_cast<std::size_t>(warp.index)] = kUnknown;
  tried_ = 0;
  ++changes_;
  if (first(warp) != kEnd) return;
  warps_.reset(warp);
  order_.pop();
}

void ReexecutionQueue::rotate_refused(std::uint64_t cache_changes) {
  const bool changed = tried_at_cache_ != cache_changes || tried_at_rule_ != rule_changes_;
  tried_ = changed ? 1 : tried_ + 1;
  tried_at_cache_ = cache_changes;
  tried_at_rule_ = rule_changes_;
  const WarpSlot warp = order_.pop();
  order_.push(warp);
}

}  // namespace heddle::sm
