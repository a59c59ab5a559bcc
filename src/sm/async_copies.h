// Copies from global to shared memory that a warp has started and not yet got (cp.async), by the
// groups that it commits. Costs nothing until a warp starts one. Arrivals at mbarriers may wait for
// those started before them.
#pragma once

#include <cstdint>
#include <vector>

#include "base/types.h"
#include "ptx/instruction.h"

namespace heddle::sm {

class AsyncCopies {
 public:
  // The group that the copy belongs to: the warp's open one.
  std::uint32_t start(WarpSlot w) {
    if (warps_.empty()) warps_.resize(kMaxWarpsPerSm);
    Groups& g = groups(w);
    if (g.open() == g.under_way.size()) g.under_way.push_back(0);
    ++g.under_way[g.open()];
    ++g.copies;
    return g.committed;
  }
  // Something acts when the warp's copies have come. False when none is under way.
  bool put_off(WarpSlot w, std::uint32_t handle, std::uint64_t sequence) {
    if (warps_.empty() || groups(w).copies == 0) return false;
    groups(w).later.push_back({handle, groups(w).copies, sequence});
    return true;
  }
  void commit(WarpSlot w) {
    if (warps_.empty()) return;
    Groups& g = groups(w);
    if (g.open() == g.under_way.size()) g.under_way.push_back(0);
    ++g.committed;
    g.forget_complete();
  }
  // sequence: of the copy. act(handle) for what waited for it last.
  template <class Act>
  void finish(WarpSlot w, std::uint32_t group, std::uint64_t sequence, Act act) {
    Groups& g = groups(w);
    --g.under_way[group - g.first];
    --g.copies;
    g.forget_complete();
    std::erase_if(g.later, [&](Later& l) {
      if (l.sequence < sequence || --l.copies > 0) return false;
      act(l.handle);
      return true;
    });
  }
  // Is a group under way other than the `allowed` that were committed last? Without a number, any
  // at all, the open one included.
  bool pending(WarpSlot w, std::uint32_t allowed) const {
    if (warps_.empty()) return false;
    const Groups& g = warps_[static_cast<std::size_t>(w.index)];
    return g.committed - g.first >
           allowed;  // the first group kept is never complete, unless it is the open one
  }
  bool pending(WarpSlot w) const {
    if (warps_.empty()) return false;
    const Groups& g = warps_[static_cast<std::size_t>(w.index)];
    return g.committed != g.first || (!g.under_way.empty() && g.under_way[0] > 0);
  }

 private:
  struct Later {
    std::uint32_t handle, copies;
    std::uint64_t sequence;
  };
  struct Groups {
    std::uint32_t first = 0,
                  committed = 0;           // numbers of the oldest group kept, and of the open one
    std::uint32_t copies = 0;              // under way in all groups
    std::vector<std::uint32_t> under_way;  // copies, from the oldest group on
    std::vector<Later> later;
    std::size_t open() const { return committed - first; }
    void forget_complete() {
      std::size_t complete = 0;
      while (complete < open() && under_way[complete] == 0) ++complete;
      under_way.erase(under_way.begin(), under_way.begin() + static_cast<std::ptrdiff_t>(complete));
      first += static_cast<std::uint32_t>(complete);
    }
  };
  Groups& groups(WarpSlot w) { return warps_[static_cast<std::size_t>(w.index)]; }

  std::vector<Groups> warps_;
};

}  // namespace heddle::sm
