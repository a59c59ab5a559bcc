// The active set and pending queue of GPGPU-Sim's two-level scheduler: few warps take part, a warp
// that meets a long operation makes room for another.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "sched/framework/parameters.h"
#include "sm/warp_scheduler.h"

namespace heddle::sched {

struct ActiveSetOptions {
  std::uint32_t max_active = 6;
  bool promote_only_eligible = false;
  static auto parameters() {
    using O = ActiveSetOptions;
    return std::make_tuple(number("max_active", &O::max_active, 1u, 64u, "warps",
                                  "warps in the active set of one scheduler",
                                  "GPGPU-Sim's example two_level_active:6:0:1"),
                           choice("promote_only_eligible", &O::promote_only_eligible, {"no", "yes"},
                                  "whether a pending warp that is blocked stays pending; no: it is "
                                  "promoted and demoted again",
                                  "GPGPU-Sim's two_level_active"));
  }
};

struct ActiveSetStatistics {
  std::uint64_t demotions = 0, promotions = 0;
  static constexpr auto fields() {
    using S = ActiveSetStatistics;
    return std::make_tuple(
        stats::counter("demotions", stats::Unit::events,
                       "times that a blocked warp left the active set", &S::demotions),
        stats::counter("promotions", stats::Unit::events,
                       "times that a pending warp came into the active set", &S::promotions));
  }
};
struct ActiveSetLevels {
  std::uint64_t active_warps = 0, pending_warps = 0;
  static constexpr auto fields() {
    using L = ActiveSetLevels;
    return std::make_tuple(stats::counter("active_warps", stats::Unit::warps,
                                          "warps in active sets", &L::active_warps),
                           stats::counter("pending_warps", stats::Unit::warps,
                                          "warps that wait outside", &L::pending_warps));
  }
};

// Warps in an order, each at most once. Never full: no more warps exist.
class WarpRing {
 public:
  std::uint32_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  WarpSlot& operator[](std::uint32_t i) { return slots_[(head_ + i) % kMaxWarpsPerSm]; }
  WarpSlot operator[](std::uint32_t i) const { return slots_[(head_ + i) % kMaxWarpsPerSm]; }
  void push(WarpSlot warp) { (*this)[size_++] = warp; }
  WarpSlot pop() {
    const WarpSlot warp = slots_[head_ % kMaxWarpsPerSm];
    ++head_, --size_;
    return warp;
  }
  // Takes those out that `leaves` names, first to last; the others keep their order.
  template <class Leaves>
  void sift(Leaves&& leaves) {
    for (std::uint32_t i = size_; i > 0; --i)
      if (const WarpSlot w = pop(); !leaves(w)) push(w);
  }

 private:
  std::array<WarpSlot, kMaxWarpsPerSm> slots_;
  std::uint32_t head_ = 0, size_ = 0;
};

class ActiveSet {
 public:
  explicit ActiveSet(const ActiveSetOptions& options) : options_(options) {}

  // What the hardware does each cycle before it issues. True when a warp changed sides.
  bool step(const sm::IssueView& view) {
    settle();
    const WarpMask blocked = view.waiting | view.waits_for_long;
    const bool demotes = (members_ & blocked).any();
    if (demotes) demote(blocked);
    if (active_.size() == options_.max_active || pending_.empty()) return demotes;
    if (options_.promote_only_eligible) return promote_eligible(blocked) || demotes;
    for (std::uint32_t i = std::min(options_.max_active - active_.size(), pending_.size()); i > 0;
         --i)
      promote(pending_.pop());
    return true;
  }
  // As many steps while nothing of the view changes, until one moves no warp. True when the last
  // one did.
  bool steps(const sm::IssueView& view, std::uint64_t count) {
    const WarpMask blocked = view.waiting | view.waits_for_long;
    if (turning_ > 0 && blocked == turns_while_) {
      owed_ += count;
      return true;
    }
    for (; count > 0; --count) {
      if (!step(view)) return false;
      if (only_turns(blocked)) {
        turning_ = static_cast<std::uint32_t>((members_ & blocked).count());
        turns_while_ = blocked;
        owed_ = count - 1;
        return true;
      }
    }
    return true;
  }
  void launch(WarpSlot warp) {
    settle();
    pending_.push(warp);
  }
  void exit(WarpSlot warp) {
    settle();
    (members_.test(warp) ? active_ : pending_).sift([&](WarpSlot w) { return w == warp; });
    members_.reset(warp);
  }
  // Round robin inside: the warp behind the one that issued comes first.
  void rotate_behind(WarpSlot warp) {
    settle();
    if (!members_.test(warp)) return;
    for (WarpSlot w; w != warp;) active_.push(w = active_.pop());
  }
  // The first active warp of the set.
  WarpSlot first_of(WarpMask among) const {
    if ((among & members_).any())
      for (std::uint32_t i = 0; i < active_.size(); ++i)
        if (among.test(active_[i])) return active_[i];
    return WarpSlot::none;
  }
  // Its active warps before this one.
  WarpMask before(WarpMask among, WarpSlot warp) const {
    WarpMask found;
    for (std::uint32_t i = 0; i < active_.size() && active_[i] != warp; ++i)
      if (among.test(active_[i])) found.set(active_[i]);
    return found;
  }
  ActiveSetStatistics statistics() const {
    return {told_.demotions + owed_ * turning_, told_.promotions + owed_ * turning_};
  }
  ActiveSetLevels levels() const {
    ActiveSetLevels now;
    now.active_warps = active_.size();
    now.pending_warps = pending_.size();
    return now;
  }

 private:
  void promote(WarpSlot warp) {
    active_.push(warp);
    members_.set(warp);
    ++told_.promotions;
  }
  void demote(WarpMask blocked) {
    active_.sift([&](WarpSlot w) {
      if (!blocked.test(w)) return false;
      pending_.push(w);
      ++told_.demotions;
      return true;
    });
    members_ &= ~blocked;
  }
  bool promote_eligible(WarpMask blocked) {
    const std::uint32_t before = active_.size();
    pending_.sift([&](WarpSlot w) {
      if (active_.size() == options_.max_active || blocked.test(w)) return false;
      promote(w);
      return true;
    });
    return active_.size() != before;
  }
  // All that a step does is to send the blocked warps at the end of the set behind the pending
  // ones, which are blocked too.
  bool only_turns(WarpMask blocked) const {
    const auto turning = static_cast<std::uint32_t>((members_ & blocked).count());
    if (options_.promote_only_eligible || turning == 0) return false;
    for (std::uint32_t i = active_.size() - turning; i < active_.size(); ++i)
      if (!blocked.test(active_[i])) return false;
    for (std::uint32_t i = 0; i < pending_.size(); ++i)
      if (!blocked.test(pending_[i])) return false;
    return true;
  }
  // The steps that are owed, at once: the last `turning_` active warps and the pending ones are a
  // ring that turns.
  void settle() {
    if (owed_ > 0) {
      std::array<WarpSlot, kMaxWarpsPerSm> ring;
      const std::uint32_t size = turning_ + pending_.size(), inside = active_.size() - turning_;
      for (std::uint32_t i = 0; i < size; ++i)
        ring[i] = i < turning_ ? active_[inside + i] : pending_[i - turning_];
      const auto first = static_cast<std::uint32_t>(owed_ % size * turning_ % size);
      for (std::uint32_t i = 0; i < size; ++i) {
        const WarpSlot w = ring[(first + i) % size];
        (i < turning_ ? active_[inside + i] : pending_[i - turning_]) = w;
        members_.assign(w, i < turning_);
      }
      told_ = statistics();
    }
    turning_ = 0;
    owed_ = 0;
  }

  ActiveSetOptions options_;
  ActiveSetStatistics told_;
  WarpRing active_, pending_;
  WarpMask members_;  // of active_

  // Nobody sees the order of warps that are all blocked, so such turns are only counted until
  // somebody is no longer.
  std::uint32_t turning_ = 0;  // warps that change sides in each of them; 0: the set does not turn
  std::uint64_t owed_ = 0;
  WarpMask turns_while_;  // these are blocked
};

}  // namespace heddle::sched
