// The asynchronous copies in flight of each warp (cp.async), by the groups that it commits, and the
// mbarrier arrivals that wait for copies (cp.async.mbarrier.arrive). Also used for products of
// matrices (wgmma). Uses no memory until a warp starts a copy.
#pragma once

#include <cstdint>
#include <vector>

#include "base/types.h"
#include "isa/instruction.h"

namespace heddle::sm {

class AsyncCopies {
 public:
  // Starts a copy in the warp's open group. Returns the group's number.
  std::uint32_t start(WarpSlot w) {
    if (warps_.empty()) warps_.resize(kMaxWarpsPerSm);
    Groups& g = groups(w);
    if (g.open() == g.in_flight.size()) g.in_flight.push_back(0);
    ++g.in_flight[g.open()];
    ++g.copies;
    return g.committed;
  }
  // Defers the arrival `handle` until the warp's copies in flight are complete. False when there
  // are none.
  bool defer_arrival(WarpSlot w, std::uint32_t handle, std::uint64_t sequence) {
    if (warps_.empty() || groups(w).copies == 0) return false;
    groups(w).deferred.push_back({handle, groups(w).copies, sequence});
    return true;
  }
  void commit(WarpSlot w) {
    if (warps_.empty()) return;
    Groups& g = groups(w);
    if (g.open() == g.in_flight.size()) g.in_flight.push_back(0);
    ++g.committed;
    g.drop_complete_groups();
  }
  // A copy is complete. sequence: of the copy. Calls arrive(handle) for each arrival that waited
  // for this copy last.
  template <class Arrive>
  void finish(WarpSlot w, std::uint32_t group, std::uint64_t sequence, Arrive arrive) {
    Groups& g = groups(w);
    --g.in_flight[group - g.first];
    --g.copies;
    g.drop_complete_groups();
    std::erase_if(g.deferred, [&](DeferredArrival& l) {
      if (l.sequence < sequence || --l.copies > 0) return false;
      arrive(l.handle);
      return true;
    });
  }
  // Whether a committed group is incomplete, the `allowed` groups committed last excepted. Without
  // `allowed`: whether any copy is in flight, those of the open group included.
  bool pending(WarpSlot w, std::uint32_t allowed) const {
    if (warps_.empty()) return false;
    const Groups& g = warps_[static_cast<std::size_t>(w.index)];
    // The oldest group kept is incomplete, or it is the open one.
    return g.committed - g.first > allowed;
  }
  bool pending(WarpSlot w) const {
    if (warps_.empty()) return false;
    const Groups& g = warps_[static_cast<std::size_t>(w.index)];
    return g.committed != g.first || (!g.in_flight.empty() && g.in_flight[0] > 0);
  }

 private:
  struct DeferredArrival {
    std::uint32_t handle, copies;
    std::uint64_t sequence;
  };
  struct Groups {
    std::uint32_t first = 0;               // number of the oldest group kept
    std::uint32_t committed = 0;           // number of the open group
    std::uint32_t copies = 0;              // in flight in all groups
    std::vector<std::uint32_t> in_flight;  // copies by group, from the oldest on
    std::vector<DeferredArrival> deferred;
    std::size_t open() const { return committed - first; }
    void drop_complete_groups() {
      std::size_t complete = 0;
      while (complete < open() && in_flight[complete] == 0) ++complete;
      in_flight.erase(in_flight.begin(), in_flight.begin() + static_cast<std::ptrdiff_t>(complete));
      first += static_cast<std::uint32_t>(complete);
    }
  };
  Groups& groups(WarpSlot w) { return warps_[static_cast<std::size_t>(w.index)]; }

  std::vector<Groups> warps_;
};

}  // namespace heddle::sm
