// Which allocations the CTAs of a functional launch read and write, while some run before earlier
// ones have ended (functional/ahead_ctas.h). These must not read what the launch writes: an earlier
// CTA may have yet to write it.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <set>

#include "exec/state/ahead_stores.h"
#include "exec/state/allocations.h"

namespace heddle::exec {

// Of a launch, for all its threads.
class AllocationClaims {
 public:
  // False when the launch writes the allocation.
  bool read_ahead(const Allocation& allocation);
  // False when CTAs that run ahead read the allocation.
  bool write(const Allocation& allocation);
  // Is an allocation written that CTAs read which run ahead?
  bool conflict() const { return conflict_.load(std::memory_order_relaxed); }

 private:
  std::mutex mutex_;
  std::set<std::uint64_t> read_, written_;  // bases
  std::atomic<bool> conflict_{false};
};

// Of one thread.
class ThreadClaims {
 public:
  // stores: of a thread that runs ahead; null: of the one that runs the CTAs in their order.
  ThreadClaims(AllocationClaims& claims, AheadStores* stores) : claims_(claims), stores_(stores) {}

  AheadStores* stores() const { return stores_; }
  bool runs_ahead() const { return stores_ != nullptr; }
  // The thread reads or writes the allocation from now on. Throws CannotRunAhead.
  void claim(const Allocation& allocation, bool writes);

 private:
  AllocationClaims& claims_;
  AheadStores* stores_;
  std::array<std::uint64_t, 2> last_{};  // bases of the allocations read and written last
};

}  // namespace heddle::exec
