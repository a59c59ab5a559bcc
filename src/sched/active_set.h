// The active set and pending queue of GPGPU-Sim's two-level scheduler: few warps take part, a warp that meets a long operation makes
// room for another.
#pragma once

#include <algorithm>
#include <array>
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
    const std::uint64_t moves = told_.demotions + told_.promotions;
    if ((members_ & blocked).any()) {
      std::erase_if(active_, [&](WarpSlot w) {
        if (!blocked.test(w)) return false;
        pending_.push_back(w);
        ++told_.demotions;
        return true;
      });
      members_ &= ~blocked;
    }
    if (active_.size() < options_.max_active && !pending_.empty()) {
      std::erase_if(pending_, [&](WarpSlot w) {
        if (active_.size() >= options_.max_active || (options_.promote_only_eligible && blocked.test(w))) return false;
        active_.push_back(w);
        members_.set(w);
        ++told_.promotions;
        return true;
      });
    }
    return told_.demotions + told_.promotions != moves;
  }
  // As many steps while nothing of the view changes, until one moves no warp. True when the last one did.
  bool steps(const sm::IssueView& view, std::uint64_t count) {
    bool moved = count > 0 && step(view);
    const WarpMask blocked = view.waiting | view.waits_for_long;
    if (moved && count > 2 && only_turns(blocked)) {
      turn(static_cast<std::size_t>((members_ & blocked).count()), count - 1);
      return true;
    }
    for (std::uint64_t i = 1; i < count && moved; ++i) moved = step(view);
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
  // Its active warps before this one.
  WarpMask before(WarpMask among, WarpSlot warp) const {
    WarpMask found;
    for (const WarpSlot w : active_) {
      if (w == warp) break;
      if (among.test(w)) found.set(w);
    }
    return found;
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
  // All that a step does is to send the blocked warps at the end of the set behind the pending ones, which are blocked too.
  bool only_turns(WarpMask blocked) const {
    const auto is_blocked = [&](WarpSlot w) { return blocked.test(w); };
    const auto turning = static_cast<std::ptrdiff_t>((members_ & blocked).count());
    return !options_.promote_only_eligible && turning > 0 && std::all_of(active_.end() - turning, active_.end(), is_blocked) &&
           std::all_of(pending_.begin(), pending_.end(), is_blocked);
  }
  // `count` such steps at once: the last `turning` active warps and the pending ones are a ring that turns.
  void turn(std::size_t turning, std::uint64_t count) {
    std::array<WarpSlot, kMaxWarpsPerSm> ring;
    const std::size_t size = turning + pending_.size(), inside = active_.size() - turning;
    std::copy(active_.begin() + static_cast<std::ptrdiff_t>(inside), active_.end(), ring.begin());
    std::copy(pending_.begin(), pending_.end(), ring.begin() + static_cast<std::ptrdiff_t>(turning));
    const std::size_t first = count % size * turning % size;
    for (std::size_t i = 0; i < size; ++i) {
      const WarpSlot w = ring[(first + i) % size];
      if (i < turning) active_[inside + i] = w;
      else pending_[i - turning] = w;
      members_.assign(w, i < turning);
    }
    told_.demotions += count * turning;
    told_.promotions += count * turning;
  }

  ActiveSetOptions options_;
  ActiveSetStatistics told_;
  std::vector<WarpSlot> active_, pending_;
  WarpMask members_;  // of active_
};

}  // namespace heddle::sched
