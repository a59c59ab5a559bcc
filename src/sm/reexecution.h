// Where memory accesses that the L1 data cache refused wait, so that others behind them can go on
// (Mascar's cache access re-execution; Sethia et al., HPCA 2015). A warp has one entry: all its
// accesses pass through it in order as long as it exists. Entries are tried in turn, the oldest
// first; one that is refused again goes behind the others.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/bounded_queue.h"
#include "base/types.h"
#include "sm/op.h"

namespace heddle::sm {

// An access between the coalescer and the tags of the L1 data cache.
struct QueuedAccess {
  Cycle at;
  OpId op;
  MemoryAccess access;
  bool store;
  WarpSlot warp;
  ptx::Space space;
  Pc pc;
};

class ReexecutionQueue {
 public:
  explicit ReexecutionQueue(std::uint32_t entries);

  // For policies. Who may bring lines in; others' accesses succeed only when they hit.
  void let_miss(WarpMask warps) {
    if (may_miss_ == warps) return;
    may_miss_ = warps;
    ++rule_changes_;
  }
  bool may_miss(WarpSlot warp) const { return may_miss_.test(warp); }
  // A closed queue takes nothing in: what is refused waits in the pipeline as if there were no
  // queue.
  void close(bool closed) { closed_ = closed; }
  bool closed() const { return closed_; }
  bool full() const { return order_.full() || free_.size() < kWarpSize; }
  bool empty() const { return order_.empty(); }
  bool idle() const { return closed_ && empty(); }
  WarpMask warps() const { return warps_; }  // that have an entry
  WarpSlot head() const { return order_.empty() ? WarpSlot::none : order_.front(); }
  std::uint64_t changes() const {
    return changes_;
  }  // grows with every access that comes or leaves

  // For the load/store unit.
  bool can_take(WarpSlot warp) const {
    return !closed_ && (warps_.test(warp) ? !free_.empty() : !full());
  }
  void put(const QueuedAccess& access);
  const QueuedAccess& next() const { return accesses_[first(head())].access; }
  void done();                                // the access next() was accepted
  void refused(std::uint64_t cache_changes);  // it was not; until the cache has changed there is no
                                              // use in trying again
  // The access next() waits for its line, which was not in the cache when its contents had changed
  // so often.
  void remember_absent(std::uint64_t content_changes) {
    absent_at_[static_cast<std::size_t>(head().index)] = content_changes;
  }
  bool known_absent(std::uint64_t content_changes) const {
    return absent_at_[static_cast<std::size_t>(head().index)] == content_changes;
  }
  // Whether some entry has not been tried since the cache, or who may miss, has changed.
  bool worth_trying(std::uint64_t cache_changes) const {
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
  std::array<std::uint64_t, kMaxWarpsPerSm> absent_at_{};  // of each warp's first access
  std::size_t tried_ = 0;  // entries refused in a row while nothing changed
  std::uint64_t tried_at_cache_ = 0, tried_at_rule_ = 0;
};

}  // namespace heddle::sm
