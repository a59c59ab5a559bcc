// The active set and the pending queue of the two-level schedulers. Only active warps issue; a
// blocked warp moves to the pending queue. As in GPGPU-Sim's two_level_active, both hold warp
// slots, also those without a live warp, which are blocked: a new warp has the place of its slot.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "policies/parameters.h"
#include "sched/framework/policy.h"
#include "sm/policy/warp_scheduler.h"

namespace heddle::sched {

enum class Demoted { long_wait, not_ready };

struct ActiveSetOptions {
  std::uint32_t max_active = 6;
  bool promote_only_eligible = false;
  Demoted demoted = Demoted::long_wait;
  static auto parameters() {
    using O = ActiveSetOptions;
    return std::make_tuple(
        number("max_active", &O::max_active, 1u, 64u, "warps",
               "warps in the active set of one scheduler",
               "GPGPU-Sim's example two_level_active:6:0:1"),
        choice("promote_only_eligible", &O::promote_only_eligible, {"no", "yes"},
               "whether a blocked warp stays pending; no: it is promoted and "
               "demoted again",
               "no: GPGPU-Sim's two_level_active; yes: Liu et al., IEICE 2023"),
        choice("demoted", &O::demoted, {"long_wait", "not_ready"},
               "the warps that become pending: those that read the result of a load "
               "or wait at a barrier, or all that are not ready",
               "long_wait: GPGPU-Sim's two_level_active; not_ready: Liu et al., "
               "IEICE 2023, section 2.1"));
  }
};

struct ActiveSetStatistics {
  std::uint64_t demotions = 0, promotions = 0;
  static constexpr auto fields() {
    using S = ActiveSetStatistics;
    return std::make_tuple(
        stats::counter("demotions", stats::Unit::events,
                       "moves of a blocked warp from the active set to the pending queue",
                       &S::demotions),
        stats::counter("promotions", stats::Unit::events,
                       "moves of a pending warp into the active set", &S::promotions));
  }
};
struct ActiveSetLevels {
  std::uint64_t active_warps = 0, pending_warps = 0;
  static constexpr auto fields() {
    using L = ActiveSetLevels;
    return std::make_tuple(stats::counter("active_warps", stats::Unit::warps,
                                          "warps in active sets", &L::active_warps),
                           stats::counter("pending_warps", stats::Unit::warps,
                                          "warps in pending queues", &L::pending_warps));
  }
};

// A queue of warps, each at most once, so it never overflows.
class WarpRing {
 public:
  std::uint32_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  WarpSlot operator[](std::uint32_t i) const { return WarpSlot(slots_[(head_ + i) % kSize]); }
  void push(WarpSlot warp) { set(size_++, warp); }
  void push_front(WarpSlot warp) {
    --head_, ++size_;
    set(0, warp);
  }
  WarpSlot pop() {
    const WarpSlot warp = (*this)[0];
    ++head_, --size_;
    return warp;
  }
  WarpSlot pop_back() { return (*this)[--size_]; }
  // Moves the first `count` warps to the end.
  void rotate(std::uint32_t count) {
    for (; count > 0; --count) push(pop());
  }
  // Moves the warp, which is in the ring, and those before it to the end; returns their number.
  std::uint32_t rotate_past(WarpSlot warp) {
    for (std::uint32_t moved = 1;; ++moved) {
      const WarpSlot w = pop();
      push(w);
      if (w == warp) return moved;
    }
  }
  // Moves the warps of `moved` to the end of `to`, first to last; the others keep their order.
  void move(WarpMask moved, WarpRing& to) {
    for (std::uint32_t i = size_; i > 0; --i) {
      const WarpSlot w = pop();
      (moved.test(w) ? to : *this).push(w);
    }
  }

 private:
  static constexpr std::uint32_t kSize = kMaxWarpsPerSm;
  void set(std::uint32_t i, WarpSlot warp) {
    slots_[(head_ + i) % kSize] = static_cast<std::uint16_t>(warp.index);
  }
  // Not bytes: a store of a byte may alias every member, which costs a reload of each.
  std::array<std::uint16_t, kSize> slots_;
  std::uint32_t head_ = 0, size_ = 0;
};

// Counts the moves of live warps, for the kernel of each.
class MoveCounts {
 public:
  void launch(WarpSlot warp, int kernel) {
    if (live_.none()) common_kernel_ = kernel;
    if (kernel != common_kernel_) common_kernel_ = kSeveral;
    kernel_[static_cast<std::size_t>(warp.index)] = kernel;
    live_.set(warp);
  }
  void exit(WarpSlot warp) { live_.reset(warp); }
  WarpMask live() const { return live_; }
  // `moves` moves of each of the warps.
  void add(WarpMask warps, std::uint64_t ActiveSetStatistics::* counter, std::uint64_t moves = 1) {
    warps &= live_;
    if (warps.none()) return;
    if (common_kernel_ != kSeveral) [[likely]]
      counts_.of(common_kernel_).*counter += static_cast<std::uint64_t>(warps.count()) * moves;
    else
      warps.for_each([&](WarpSlot w) {
        counts_.of(kernel_[static_cast<std::size_t>(w.index)]).*counter += moves;
      });
  }
  const sm::KernelCounters<ActiveSetStatistics>& counts() const { return counts_; }

 private:
  static constexpr int kSeveral = -1;
  sm::KernelCounters<ActiveSetStatistics> counts_;
  std::array<int, kMaxWarpsPerSm> kernel_{};  // of each warp
  int common_kernel_ = kSeveral;              // of all live warps
  WarpMask live_;                             // slots with a live warp
};

// While every pending warp is blocked, a step exchanges blocked active warps, which are the last of
// the set, with pending ones, and their order has no effect. Such steps are counted, and made when
// one of these warps is no longer blocked or another one is.
class ActiveSet {
 public:
  ActiveSet(const ActiveSetOptions& options, const PolicyContext& where)
      : options_(options), steps_before_ctas_(where.cycles_before_ctas) {
    for (int slot = where.scheduler; slot < where.warp_slots; slot += where.schedulers) {
      const WarpSlot warp(slot);
      const bool active = active_.size() < options_.max_active;
      (active ? active_ : pending_).push(warp);
      (active ? members_ : others_).set(warp);
    }
  }

  // The step of one cycle, before the pick: demotes blocked warps and promotes pending ones. True
  // when a warp moved.
  bool step(const sm::IssueView& view) {
    const WarpMask blocked = blocked_in(view);
    if (rotating_ > 0 && blocked == rotation_blocked_) {
      defer(1);
      return true;
    }
    make_deferred_steps();
    const WarpMask demoted = members_ & blocked;
    if (demoted.any()) demote(demoted);
    if (vacancies() == 0) return demoted.any();
    const WarpMask promoted = promote(blocked);
    begin_rotation(blocked, promoted);
    return demoted.any() || promoted.any();
  }
  // `count` steps with the same view. True when the last one moved a warp.
  bool steps(const sm::IssueView& view, std::uint64_t count) {
    for (; count > 0; --count) {
      if (rotating_ > 0 && blocked_in(view) == rotation_blocked_) {
        defer(count);
        return true;
      }
      if (!step(view)) return false;
    }
    return true;
  }
  // The steps before the first CTA, in which every slot is empty and so blocked.
  void begin_kernel() {
    if (counts_.live().none()) steps({}, steps_before_ctas_);
  }
  void launch(WarpSlot warp, int kernel) {
    make_deferred_steps();
    counts_.launch(warp, kernel);
  }
  void exit(WarpSlot warp) {
    make_deferred_steps();
    counts_.exit(warp);
  }
  // Round robin in the set: moves the warp that issued, and those before it, to the end.
  void rotate_past(WarpSlot warp) {
    if (passed_ > 0 || rotation_blocked_.test(warp)) make_deferred_steps();
    if (!members_.test(warp)) return;
    const std::uint32_t moved = active_.rotate_past(warp);
    if (rotating_ > 0) passed_ = moved;
  }
  // The first active warp that is in `among`, or none.
  WarpSlot first_of(WarpMask among) {
    // After the deferred steps, `rotating_` warps of pending_ are active.
    if ((among & members_).none() && (among & pending_from(ahead_, rotating_)).any())
      make_deferred_steps();
    if ((among & members_).any())
      for (std::uint32_t i = 0; i < active_.size(); ++i)
        if (among.test(active_[i])) return active_[i];
    return WarpSlot::none;
  }
  // The warps of `among` that a cycle without an issue examines. A pending warp with a stale buffer
  // is never eligible, so where only eligible ones are promoted, all are examined.
  WarpMask examined(WarpMask among) {
    make_deferred_steps();
    return options_.promote_only_eligible ? among : among & members_;
  }
  // The active warps of `among` before `warp`.
  WarpMask before(WarpMask among, WarpSlot warp) const {
    WarpMask found;
    for (std::uint32_t i = 0; i < active_.size() && active_[i] != warp; ++i)
      if (among.test(active_[i])) found.set(active_[i]);
    return found;
  }
  sm::KernelCounters<ActiveSetStatistics> statistics() const {
    ActiveSet now = *this;
    now.make_deferred_steps();
    return now.counts_.counts();
  }
  ActiveSetLevels levels() const {
    ActiveSet now = *this;
    now.make_deferred_steps();
    const auto count_live = [&](WarpMask warps) {
      return static_cast<std::uint64_t>((warps & counts_.live()).count());
    };
    ActiveSetLevels levels;
    levels.active_warps = count_live(now.members_);
    levels.pending_warps = count_live(now.others_);
    return levels;
  }

 private:
  WarpMask blocked_in(const sm::IssueView& view) const {
    if (options_.demoted == Demoted::not_ready) return ~view.ready;
    // A warp that reads the result of a load stays blocked after the load, so it would never be
    // eligible.
    const WarpMask waits = options_.promote_only_eligible ? view.waits_for_long : view.reads_loaded;
    return ~view.live | view.waiting | waits;
  }
  void demote(WarpMask warps) {
    active_.move(warps, pending_);
    members_ &= ~warps;
    others_ |= warps;
    counts_.add(warps, &ActiveSetStatistics::demotions);
  }
  // Moves pending warps into the active set, while there are vacancies; returns them.
  WarpMask promote(WarpMask blocked) {
    WarpMask promoted;
    if (options_.promote_only_eligible) {
      const WarpMask eligible = others_ & ~blocked;
      if (eligible.none()) return promoted;
      for (std::uint32_t i = 0, left = vacancies(); i < pending_.size() && left > 0; ++i)
        if (eligible.test(pending_[i])) promoted.set(pending_[i]), --left;
      pending_.move(promoted, active_);
    } else {
      for (std::uint32_t i = vacancies(); i > 0; --i) {
        const WarpSlot w = pending_.pop();
        active_.push(w);
        promoted.set(w);
      }
    }
    members_ |= promoted;
    others_ &= ~promoted;
    counts_.add(promoted, &ActiveSetStatistics::promotions);
    return promoted;
  }
  std::uint32_t vacancies() const {
    return std::min(options_.max_active - active_.size(), pending_.size());
  }

  // `promoted`: the last warps of the set. From now on they are the first of pending_.
  void begin_rotation(WarpMask blocked, WarpMask promoted) {
    if (promoted.none() || (members_ & blocked) != promoted || (others_ & ~blocked).any()) return;
    rotating_ = static_cast<std::uint32_t>(promoted.count());
    for (std::uint32_t i = rotating_; i > 0; --i) pending_.push_front(active_.pop_back());
    members_ &= ~promoted;
    others_ |= promoted;
    rotation_blocked_ = blocked;
  }
  void defer(std::uint64_t steps) {
    deferred_ += steps;
    passed_ = 0;
    ahead_ = static_cast<std::uint32_t>((ahead_ + steps * rotating_) % pending_.size());
  }
  // `count` warps of pending_ from number `first` on, in a circle.
  WarpMask pending_from(std::uint32_t first, std::uint32_t count) const {
    WarpMask found;
    for (std::uint32_t i = first; count > 0; ++i, --count) {
      if (i == pending_.size()) i = 0;
      found.set(pending_[i]);
    }
    return found;
  }
  // Each step demotes the first `rotating_` warps of pending_, which become its last ones, and
  // promotes the next `rotating_`. At the end the first ones return to the active set, before the
  // warps that issued or were passed since the last step.
  void make_deferred_steps() {
    if (rotating_ == 0) return;
    if (deferred_ > 0) {
      using S = ActiveSetStatistics;
      const std::uint64_t rounds = deferred_ * rotating_ / pending_.size();
      counts_.add(others_, &S::demotions, rounds);
      counts_.add(others_, &S::promotions, rounds);
      counts_.add(pending_from(0, ahead_), &S::demotions);
      counts_.add(pending_from(rotating_, ahead_), &S::promotions);
      pending_.rotate(ahead_);
    }
    active_.rotate(passed_ > 0 ? active_.size() - passed_ : 0);
    for (std::uint32_t i = 0; i < rotating_; ++i) {
      const WarpSlot w = pending_.pop();
      active_.push(w);
      members_.set(w);
      others_.reset(w);
    }
    active_.rotate(passed_);
    rotating_ = passed_ = ahead_ = 0;
    deferred_ = 0;
  }

  ActiveSetOptions options_;
  std::uint32_t steps_before_ctas_;
  MoveCounts counts_;
  WarpRing active_, pending_;
  WarpMask members_, others_;  // the warps of active_, of pending_

  // 0: no steps are deferred. Otherwise the number of blocked warps that each deferred step moves;
  // so many active warps are the first of pending_.
  std::uint32_t rotating_ = 0;
  std::uint64_t deferred_ = 0;  // steps
  std::uint32_t ahead_ = 0;     // moves of these steps, modulo the size of pending_
  std::uint32_t passed_ = 0;    // warps of active_ that rotate_past() moved since the last step
  WarpMask rotation_blocked_;   // the blocked warps during these steps
};

}  // namespace heddle::sched
