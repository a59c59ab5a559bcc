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
  WarpSlot& operator[](std::uint32_t i) { return slots_[(head_ + i) % kMaxWarpsPerSm]; }
  WarpSlot operator[](std::uint32_t i) const { return slots_[(head_ + i) % kMaxWarpsPerSm]; }
  void push(WarpSlot warp) { (*this)[size_++] = warp; }
  WarpSlot pop() {
    const WarpSlot warp = slots_[head_ % kMaxWarpsPerSm];
    ++head_, --size_;
    return warp;
  }
  // Removes the warps for which `removes` is true, first to last; the others keep their order.
  template <class Predicate>
  void remove_if(Predicate&& removes) {
    for (std::uint32_t i = size_; i > 0; --i)
      if (const WarpSlot w = pop(); !removes(w)) push(w);
  }

 private:
  std::array<WarpSlot, kMaxWarpsPerSm> slots_;
  std::uint32_t head_ = 0, size_ = 0;
};

class ActiveSet {
 public:
  ActiveSet(const ActiveSetOptions& options, const PolicyContext& where)
      : options_(options), steps_before_ctas_(where.cycles_before_ctas) {
    for (int slot = where.scheduler; slot < where.warp_slots; slot += where.schedulers) {
      const WarpSlot warp(slot);
      const bool active = active_.size() < options_.max_active;
      (active ? active_ : pending_).push(warp);
      members_.assign(warp, active);
    }
  }

  // The step of one cycle, before the pick: demotes blocked warps and promotes pending ones. True
  // when a warp moved.
  bool step(const sm::IssueView& view) {
    apply_deferred();
    const WarpMask blocked = blocked_in(view);
    const bool demotes = (members_ & blocked).any();
    if (demotes) demote(blocked);
    if (active_.size() == options_.max_active || pending_.empty()) return demotes;
    if (options_.promote_only_eligible) return promote_eligible(blocked) || demotes;
    for (std::uint32_t i = std::min(options_.max_active - active_.size(), pending_.size()); i > 0;
         --i)
      promote(pending_.pop());
    return true;
  }
  // `count` steps with the same view. True when the last one moved a warp. Steps that only rotate
  // blocked warps are counted and applied later.
  bool steps(const sm::IssueView& view, std::uint64_t count) {
    const WarpMask blocked = blocked_in(view);
    if (rotating_ > 0 && blocked == rotation_blocked_) {
      deferred_ += count;
      return true;
    }
    for (; count > 0; --count) {
      if (!step(view)) return false;
      if (only_rotates(blocked)) {
        rotating_ = static_cast<std::uint32_t>((members_ & blocked).count());
        rotation_blocked_ = blocked;
        deferred_ = count - 1;
        return true;
      }
    }
    return true;
  }
  // The steps before the first CTA, in which every slot is empty and so blocked.
  void begin_kernel() {
    if (live_.any()) return;
    const sm::IssueView empty;
    for (std::uint32_t i = 0; i < steps_before_ctas_; ++i) step(empty);
  }
  void launch(WarpSlot warp, int kernel) {
    apply_deferred();
    kernel_[static_cast<std::size_t>(warp.index)] = kernel;
    live_.set(warp);
  }
  void exit(WarpSlot warp) {
    apply_deferred();
    live_.reset(warp);
  }
  // Round robin in the set: moves the warp that issued, and those before it, to the end.
  void rotate_past(WarpSlot warp) {
    apply_deferred();
    if (!members_.test(warp)) return;
    for (WarpSlot w; w != warp;) active_.push(w = active_.pop());
  }
  // The first active warp that is in `among`, or none.
  WarpSlot first_of(WarpMask among) const {
    if ((among & members_).any())
      for (std::uint32_t i = 0; i < active_.size(); ++i)
        if (among.test(active_[i])) return active_[i];
    return WarpSlot::none;
  }
  // The warps of `among` that a cycle without an issue examines. A pending warp with a stale buffer
  // is never eligible, so where only eligible ones are promoted, all are examined.
  WarpMask examined(WarpMask among) {
    apply_deferred();
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
    sm::KernelCounters<ActiveSetStatistics> all = statistics_;
    if (deferred_ > 0) count_deferred(all, ring());
    return all;
  }
  ActiveSetLevels levels() const {
    ActiveSetLevels now;
    const auto count = [](WarpMask warps) { return static_cast<std::uint64_t>(warps.count()); };
    now.active_warps = count(members_ & live_);
    now.pending_warps = count(live_ & ~members_);
    return now;
  }

 private:
  WarpMask blocked_in(const sm::IssueView& view) const {
    if (options_.demoted == Demoted::not_ready) return ~view.ready;
    // A warp that reads the result of a load stays blocked after the load, so it would never be
    // eligible.
    const WarpMask waits = options_.promote_only_eligible ? view.waits_for_long : view.reads_loaded;
    return ~view.live | view.waiting | waits;
  }
  void promote(WarpSlot warp) {
    active_.push(warp);
    members_.set(warp);
    if (live_.test(warp)) ++counters_of(warp).promotions;
  }
  void demote(WarpMask blocked) {
    active_.remove_if([&](WarpSlot w) {
      if (!blocked.test(w)) return false;
      pending_.push(w);
      if (live_.test(w)) ++counters_of(w).demotions;
      return true;
    });
    members_ &= ~blocked;
  }
  bool promote_eligible(WarpMask blocked) {
    const std::uint32_t before = active_.size();
    pending_.remove_if([&](WarpSlot w) {
      if (active_.size() == options_.max_active || blocked.test(w)) return false;
      promote(w);
      return true;
    });
    return active_.size() != before;
  }
  // Whether a step only exchanges blocked active warps, which are the last of the set, with blocked
  // pending ones.
  bool only_rotates(WarpMask blocked) const {
    const auto rotating = static_cast<std::uint32_t>((members_ & blocked).count());
    if (options_.promote_only_eligible || rotating == 0) return false;
    for (std::uint32_t i = active_.size() - rotating; i < active_.size(); ++i)
      if (!blocked.test(active_[i])) return false;
    for (std::uint32_t i = 0; i < pending_.size(); ++i)
      if (!blocked.test(pending_[i])) return false;
    return true;
  }
  ActiveSetStatistics& counters_of(WarpSlot warp) {
    return statistics_.of(kernel_[static_cast<std::size_t>(warp.index)]);
  }
  using Ring = std::array<WarpSlot, kMaxWarpsPerSm>;
  Ring ring() const {
    Ring ring;
    const std::uint32_t fixed = active_.size() - rotating_;
    for (std::uint32_t i = 0; i < rotating_ + pending_.size(); ++i)
      ring[i] = i < rotating_ ? active_[fixed + i] : pending_[i - rotating_];
    return ring;
  }
  // The deferred steps demote the warps of the ring in turn, from its first one on, and promote
  // them in turn, from number `rotating_` on.
  void count_deferred(sm::KernelCounters<ActiveSetStatistics>& into, const Ring& ring) const {
    const std::uint64_t size = rotating_ + pending_.size(), moves = deferred_ * rotating_;
    for (std::uint64_t i = 0; i < size; ++i) {
      if (!live_.test(ring[i])) continue;
      ActiveSetStatistics& s = into.of(kernel_[static_cast<std::size_t>(ring[i].index)]);
      s.demotions += moves / size + (i < moves % size);
      s.promotions += moves / size + ((i + size - rotating_) % size < moves % size);
    }
  }
  // Applies all deferred steps: the last `rotating_` active warps and the pending warps form a
  // ring, and each step rotates it by `rotating_` places.
  void apply_deferred() {
    if (deferred_ > 0) {
      const Ring ring = this->ring();
      count_deferred(statistics_, ring);
      const std::uint32_t size = rotating_ + pending_.size(), fixed = active_.size() - rotating_;
      const auto first = static_cast<std::uint32_t>(deferred_ % size * rotating_ % size);
      for (std::uint32_t i = 0; i < size; ++i) {
        const WarpSlot w = ring[(first + i) % size];
        (i < rotating_ ? active_[fixed + i] : pending_[i - rotating_]) = w;
        members_.assign(w, i < rotating_);
      }
    }
    rotating_ = 0;
    deferred_ = 0;
  }

  ActiveSetOptions options_;
  std::uint32_t steps_before_ctas_;
  sm::KernelCounters<ActiveSetStatistics> statistics_;
  std::array<int, kMaxWarpsPerSm> kernel_{};  // of each warp
  WarpRing active_, pending_;
  WarpMask members_;  // of active_
  WarpMask live_;     // slots with a live warp

  // The order of warps that are all blocked has no effect, so steps that only rotate them are
  // counted here until one of the warps is no longer blocked.
  std::uint32_t rotating_ = 0;  // warps that move per deferred step; 0: no steps are deferred
  std::uint64_t deferred_ = 0;  // steps
  WarpMask rotation_blocked_;   // the blocked warps during these steps
};

}  // namespace heddle::sched
