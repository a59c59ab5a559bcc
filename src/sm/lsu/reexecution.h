// The re-execution queue: accesses that the L1 data cache refused wait here, so that they do not
// block the accesses after them (Sethia et al., "Mascar", HPCA 2015). A warp has at most one entry,
// which holds its accesses in order. The head entry is tried; when it is refused again it moves to
// the end of the queue.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/bounded_queue.h"
#include "base/types.h"
#include "sm/issue/op.h"

namespace heddle::sm {

// An access between the coalescer and the tags of the L1 data cache.
struct QueuedAccess {
  Cycle at;
  mem::Origin origin;
  MemoryAccess access;
  OpId op;
  bool store;
  isa::Space space;

  WarpSlot warp() const { return origin.warp; }
  std::uint32_t sectors() const { return access.sectors(); }
};

class ReexecutionQueue {
 public:
  explicit ReexecutionQueue(std::uint32_t entries);

  // For policies. The warps that may miss; accesses of other warps are served only when they hit.
  void let_miss(WarpMask warps) {
    if (may_miss_ == warps) return;
    may_miss_ = warps;
    ++rule_changes_;
  }
  bool may_miss(WarpSlot warp) const { return may_miss_.test(warp); }
  // A closed queue accepts no access: refused accesses block the L1's pipeline, as without a queue.
  void close(bool closed) { closed_ = closed; }
  bool closed() const { return closed_; }
  bool full() const { return order_.full() || free_.size() < kWarpSize; }
  bool empty() const { return order_.empty(); }
  bool idle() const { return closed_ && empty(); }
  WarpMask warps() const { return warps_; }  // warps that have an entry
  WarpSlot head() const { return order_.empty() ? WarpSlot::none : order_.front(); }
  // Grows with every access that enters the queue or is served.
  std::uint64_t changes() const { return changes_; }

  // For the load/store unit.
  bool has_room(WarpSlot warp) const {
    return !closed_ && (warps_.test(warp) ? !free_.empty() : !full());
  }
  void put(const QueuedAccess& access);
  const QueuedAccess& next() const { return accesses_[first(head())].access; }
  // The access next() was accepted.
  void pop_accepted();
  // The access next() was refused. cache_changes: Cache::changes() now; until it grows, the same
  // access would be refused again.
  void rotate_refused(std::uint64_t cache_changes);
  // The line of the access next() is absent. content_changes: Cache::content_changes() now.
  void note_absent(std::uint64_t content_changes) {
    absent_at_[static_cast<std::size_t>(head().index)] = content_changes;
  }
  bool known_absent(std::uint64_t content_changes) const {
    return absent_at_[static_cast<std::size_t>(head().index)] == content_changes;
  }
  // Whether some entry has not been tried since the cache or the set of warps that may miss
  // changed.
  bool can_progress(std::uint64_t cache_changes) const {
    return !order_.empty() && (tried_ < order_.size() || tried_at_cache_ != cache_changes ||
                               tried_at_rule_ != rule_changes_);
  }

 private:
  static constexpr std::uint16_t kEnd = 0xffff;
  struct Node {
    QueuedAccess access;
    std::uint16_t next;
  };
  std::uint16_t& first(WarpSlot w) { return first_[static_cast<std::size_t>(w.index)]; }
  std::uint16_t first(WarpSlot w) const { return first_[static_cast<std::size_t>(w.index)]; }

  WarpMask may_miss_ = WarpMask::all(), warps_;
  bool closed_ = false;
  std::uint64_t changes_ = 0, rule_changes_ = 0;
  BoundedQueue<WarpSlot> order_;
  std::vector<Node> accesses_;
  std::vector<std::uint16_t> free_;
  std::array<std::uint16_t, kMaxWarpsPerSm> first_{}, last_{};
  static constexpr std::uint64_t kUnknown = ~std::uint64_t{0};
  std::array<std::uint64_t, kMaxWarpsPerSm> absent_at_{};  // by warp, for its first access
  std::size_t tried_ = 0;  // entries refused in a row while nothing changed
  std::uint64_t tried_at_cache_ = 0, tried_at_rule_ = 0;
};

}  // namespace heddle::sm
