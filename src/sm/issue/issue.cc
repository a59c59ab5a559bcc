#include "sm/issue/issue.h"

#include <algorithm>

namespace heddle::sm {

IssueStage::IssueStage(int sm, const config::SmSpec& spec, WarpSchedulers& policies,
                       WarpTable& warps, LatchSets& latches)
    : sm_(sm),
      max_issue_(spec.max_issue),
      different_units_(spec.dual_issue_different_units),
      first_rotates_(spec.first_scheduler_rotates),
      policies_(policies),
      warps_(warps),
      latches_(latches),
      units_(~latches.full(0)),
      lost_slots_(warps),
      count_(policies.size()) {
  check_invariant(policies.size() <= kMaxSchedulers, "an SM with more than 8 schedulers was built");
  schedulers_.resize(count_);
  for (std::size_t i = 0; i < policies.size(); ++i) {
    schedulers_[i].policy = &policies[i];
    schedulers_[i].subscribed = &policies.subscribed(i);
    for (std::size_t w = i; w < std::size_t{spec.max_warps()}; w += schedulers_.size())
      schedulers_[i].supervised.set(WarpSlot(static_cast<int>(w)));
    IssueView& view = schedulers_[i].view;
    view.sm = sm_;
    view.scheduler = static_cast<int>(i);
    view.schedulers = schedulers();
    view.supervised = schedulers_[i].supervised;
    view.age = warps_.age;
    view.head = warps_.head;
    view.kernel = warps_.kernel;
  }
}

const IssueView& IssueStage::update_view(Scheduler& s, Cycle now, WarpMask ready,
                                         WarpMask issuable) {
  IssueView& view = s.view;
  const WarpMask running = s.supervised & ~warps_.paused;
  view.now = now;
  view.live = warps_.live & s.supervised;
  view.waiting = (warps_.waiting & s.supervised) | (view.live & warps_.paused);
  view.valid = warps_.valid & running;
  view.ready = ready & ~warps_.paused;
  view.issuable = issuable & ~warps_.paused;
  view.head_is_load = warps_.heads(kL1Load) & running;
  view.head_is_long = warps_.heads(kLong) & running;
  view.waits_for_long = warps_.waits_for_long() & running;
  view.reads_loaded = warps_.reads_loaded & running;
  view.sm_live = warps_.live;
  view.sm_resident = warps_.resident;
  view.sm_at_barrier = (warps_.suspended | warps_.paused) & warps_.live;
  return view;
}

bool IssueStage::cycle(Scheduler& s, Cycle now, Issuer& issuer) {
  const int scheduler = s.view.scheduler;
  const WarpTable& warps = warps_;
  s.view_current = false;
  s.facts = {};
  WarpMask ready = warps.ready & s.supervised, issuable;
  if (sharing_) ready &= ~issued_now_;  // a warp issues at most once in a cycle
  WarpSlot chosen;
  if (ready.any()) {
    issuable = with_free_latch(ready, scheduler);
    if (const WarpMask candidates = issuable & ~warps.paused; candidates.any()) {
      s.facts = facts_of(warps, candidates);
      chosen = s.policy->pick(update_view(s, now, ready, issuable));
      s.view_current = !chosen && !sharing_;
      check_invariant(!chosen || s.view.issuable.test(chosen),
                      "a policy picked a warp that cannot issue");
    }
  }
  const WarpMask mismatched = warps.mismatched & s.supervised;
  if (!chosen) {
    find_lost_use(s, issuable);
    throttled_ |= s.last == SlotUse::throttled;
    waits_for_units_ |= ready.any();
    if (!sharing_) count_lost_slots(s, scheduler, now, 1);
    if (mismatched.any()) flush(s.policy->visited_without_issue(mismatched));
    return mismatched.any();
  }
  if (mismatched.any()) flush(s.policy->visited_before(s.view, mismatched, chosen));
  const UnitClass unit = warps.timing_of(chosen).unit;
  issuer.issue(chosen, scheduler, scheduler, now);
  if (max_issue_ > 1) issue_second(chosen, unit, scheduler, now, issuer);
  s.last = SlotUse::issued;
  s.issued = chosen;
  if (sharing_)
    issued_now_.set(chosen);
  else
    count_issued_slot(s);
  return true;
}

bool IssueStage::cycle_one(std::size_t scheduler, Cycle now, Issuer& issuer) {
  return cycle(schedulers_[scheduler], now, issuer);
}

bool IssueStage::cycle(Cycle now, Issuer& issuer) {
  policies_.notify_all(Event::cycle, [&](WarpScheduler& p) { p.on_cycle(now); });
  std::size_t scheduler = first_scheduler();
  ++cycles_;
  throttled_ = waits_for_units_ = false;
  if (sharing_) return cycle_with_sharing(scheduler, now, issuer);
  bool moved = false;
  Scheduler* const first = schedulers_.data();
  Scheduler* s = first + scheduler;
  for (std::size_t left = count_; left > 0; --left) {
    moved |= cycle(*s, now, issuer);
    if (++s == first + count_) s = first;
  }
  return moved;
}

// The second instruction of the warp in the same slot, on machines with max_issue > 1.
void IssueStage::issue_second(WarpSlot warp, UnitClass first, int scheduler, Cycle now,
                              Issuer& issuer) {
  if (warps_.mismatched.test(warp)) return flush(WarpMask::only(warp));
  if (!warps_.ready.test(warp)) return;
  const UnitClass unit = warps_.timing_of(warp).unit;
  if (different_units_ && unit == first) return;
  if (!latches_[static_cast<std::size_t>(index(unit))].has_room(scheduler)) return;
  if (!schedulers_[static_cast<std::size_t>(scheduler)].policy->may_issue_second(
          warp, *warps_.head[static_cast<std::size_t>(warp.index)]))
    return;
  issuer.issue(warp, scheduler, scheduler, now);
  ++warps_[warp].kernel->stats.second_issues;
}

// The use of a slot in which nothing issued. The scheduler's warps are examined from the nearest to
// issue to the farthest, and the first group with a member decides:
//
//   throttled                 some warp can issue; the policy vetoed, or its CTA is paused
//   pipeline                  some warp is ready; the issue latches of its unit are full
//   scoreboard                some warp has an instruction; it waits for a register
//   idle                      no warp is live
//   instruction_buffer_empty  some live warp has no instruction: it waits for fetch, or its buffer
//                             is stale after a branch
//   outstanding               every live warp waits, one of them for its own operations: at a
//                             memory barrier (fence), for an atomic, for asynchronous copies
//                             (cp.async.wait) or in a call of the device runtime
//   barrier                   every live warp waits at a barrier
SlotUse IssueStage::use_without_issue(const Scheduler& s, WarpMask issuable) const {
  if (issuable.any()) return SlotUse::throttled;
  if ((warps_.ready & s.supervised).any()) return SlotUse::pipeline;
  if ((warps_.valid & s.supervised).any()) return SlotUse::scoreboard;
  const WarpMask live = warps_.live & s.supervised;
  if (live.none()) return SlotUse::idle;
  if ((live & ~warps_.waiting).any()) return SlotUse::instruction_buffer_empty;
  return at_barrier(warps_, live) == live ? SlotUse::barrier : SlotUse::outstanding;
}

void IssueStage::find_lost_use(Scheduler& s, WarpMask issuable) const {
  s.last = use_without_issue(s, issuable);
  if (s.last == SlotUse::scoreboard) s.facts.stalled = (warps_.only_stalled() & s.supervised).any();
}

bool IssueStage::nothing_can_issue() {
  if (sharing_ || warps_.mismatched.any()) return false;
  for (const Scheduler& s : schedulers_)
    if (s.is_subscribed(Event::no_issue) ||
        with_free_latch(warps_.ready & s.supervised, s.view.scheduler).any())
      return false;
  throttled_ = false;
  waits_for_units_ = warps_.ready.any();
  for (Scheduler& s : schedulers_) {
    s.view_current = false;
    s.facts = {};
    find_lost_use(s, {});
  }
  return true;
}

void IssueStage::notify_no_issue(Scheduler& s, int scheduler, Cycle now, std::uint64_t cycles) {
  if (observer_)
    observer_->slots_lost(
        {now, cycles, scheduler, s.last, s.supervised, warps_, lost_slots_.kernel_for_observer(s)});
  if (!s.is_subscribed(Event::no_issue)) return;
  if (!s.view_current) {
    const WarpMask ready = warps_.ready & s.supervised;
    // Warps can issue only where the policy vetoed.
    const bool vetoed = s.last == SlotUse::throttled;
    update_view(s, now, ready, vetoed ? with_free_latch(ready, scheduler) : WarpMask{});
    s.view_current = true;
  }
  s.view.now = now;
  s.policy->on_no_issue({now, cycles, s.last, s.view});
}

WarpMask IssueStage::vetoed() const {
  WarpMask all;
  for (std::size_t i = 0; i < schedulers_.size(); ++i)
    if (schedulers_[i].last == SlotUse::throttled)
      all |= with_free_latch(warps_.ready & schedulers_[i].supervised, static_cast<int>(i));
  return all & ~warps_.paused;
}

void IssueStage::flush(WarpMask warps) {
  warps.for_each([&](WarpSlot w) {
    ++warps_[w].kernel->stats.buffer_flushes;
    warps_.flush(w);
  });
}

void IssueStage::repeat(std::optional<Cycle> first, std::uint64_t cycles) {
  cycles_ += cycles;
  int scheduler = 0;
  for (Scheduler& s : schedulers_)
    if (first)
      count_lost_slots(s, scheduler++, *first, cycles);
    else
      lost_slots_.count(s, cycles);
}

bool IssueStage::repeats_alike() const {
  return lost_slots_.count_for_one_kernel() && !observer_ &&
         std::none_of(schedulers_.begin(), schedulers_.end(),
                      [](const Scheduler& s) { return s.is_subscribed(Event::no_issue); });
}

Cycle IssueStage::wake_at(Cycle now) const {
  if (policies_.has_subscriber(Event::cycle)) return now;
  if (!throttled_) return Cycle::never();
  Cycle next = Cycle::never();
  for (const Scheduler& s : schedulers_)
    if (s.last == SlotUse::throttled) next = std::min(next, s.policy->wake_at(now));
  return next;
}

}  // namespace heddle::sm
