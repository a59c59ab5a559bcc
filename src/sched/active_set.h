// The active set and pending queue of GPGPU-Sim's two-level scheduler: few warps take part, a warp that meets a long operation makes
// room for another.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sched/parameters.h"
#include "sm/warp_scheduler.h"

namespace heddle::sched {

struct ActiveSetOptions {
  std::uint32_t max_active = 6;
  bool promote_only_eligible = false;
  static auto parameters() {
    using O = ActiveSetOptions;
    return std::make_tuple(
        number("max_active", &O::max_active, 1u, 64u, "warps", "warps in the active set of one scheduler", "GPGPU-Sim's example two_level_active:6:0:1"),
        choice("promote_only_eligible", &O::promote_only_eligible, {"no", "yes"},
               "whether a pending warp that is blocked stays pending; no: it is promoted and demoted again", "GPGPU-Sim's two_level_active"));
  }
};

struct ActiveSetStatistics {
  std::uint64_t demotions = 0, promotions = 0;
  static constexpr auto fields() {
    using S = ActiveSetStatistics;
    return std::make_tuple(stats::counter("demotions", stats::Unit::events, "times that a blocked warp left the active set", &S::demotions),
                           stats::counter("promotions", stats::Unit::events, "times that a pending warp came into the active set", &S::promotions));
  }
};
struct ActiveSetLevels {
  std::uint64_t active_warps = 0, pending_warps = 0;
  static constexpr auto fields() {
    using L = ActiveSetLevels;
    return std::make_tuple(stats::counter("active_warps", stats::Unit::warps, "warps in active sets", &L::active_warps),
                           stats::counter("pending_warps", stats::Unit::warps, "warps that wait outside", &L::pending_warps));
  }
};

class ActiveSet {
 public:
  explicit ActiveSet(const ActiveSetOptions& options) : options_(options) {}

  // What the hardware does each cycle before it issues. True when a warp changed sides.
  bool step(const sm::IssueView& view) {
    const WarpMask blocked = view.waiting | view.waits_for_long;
    bool moved = false;
    if ((members_ & blocked).any()) {
      const auto first = std::stable_partition(active_.begin(), active_.end(), [&](WarpSlot w) { return !blocked.test(w); });
      told_.demotions += static_cast<std::uint64_t>(active_.end() - first);
      pending_.insert(pending_.end(), first, active_.end());
      active_.erase(first, active_.end());
      members_ &= ~blocked;
      moved = true;
    }
    for (std::size_t i = 0; i < pending_.size() && active_.size() < options_.max_active;) {
      if (options_.promote_only_eligible && blocked.test(pending_[i])) {
        ++i;
        continue;
      }
      ++told_.promotions;
      active_.push_back(pending_[i]);
      members_.set(pending_[i]);
      pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(i));
      moved = true;
    }
    return moved;
  }
  void launch(WarpSlot warp) { pending_.push_back(warp); }
  void exit(WarpSlot warp) {
    std::erase(active_, warp);
    std::erase(pending_, warp);
    members_.reset(warp);
  }
  // Round robin inside: the warp behind the one that issued comes first.
  void rotate_behind(WarpSlot warp) {
    const auto at = std::find(active_.begin(), active_.end(), warp);
    if (at != active_.end()) std::rotate(active_.begin(), at + 1, active_.end());
  }
  // The first active warp of the set.
  WarpSlot first_of(WarpMask among) const {
    if ((among & members_).any())
      for (const WarpSlot w : active_)
        if (among.test(w)) return w;
    return WarpSlot::none;
  }
  WarpMask members() const { return members_; }
  const ActiveSetStatistics& statistics() const { return told_; }
  ActiveSetLevels levels() const {
    ActiveSetLevels now;
    now.active_warps = active_.size();
    now.pending_warps = pending_.size();
    return now;
  }

 private:
  ActiveSetOptions options_;
  ActiveSetStatistics told_;
  std::vector<WarpSlot> active_, pending_;
  WarpMask members_;  // of active_
};

}  // namespace heddle::sched
