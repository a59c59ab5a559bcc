// The issue stage: builds what a policy may see, asks it, and says what became of the slot.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/types.h"
#include "config/gpu_spec.h"
#include "sm/latches.h"
#include "sm/mechanisms.h"
#include "sm/observer.h"
#include "sm/sm_stats.h"
#include "sm/warp_scheduler.h"
#include "sm/warp_table.h"

namespace heddle::sm {

// Who carries out an issue. The warp belongs to `scheduler` and takes the latch of `through`:
// another one only when warps are shared.
class Issuer {
 public:
  virtual ~Issuer() = default;
  virtual void issue(WarpSlot warp, int scheduler, int through, Cycle now) = 0;
};

class IssueStage {
 public:
  IssueStage(int sm, const config::SmSpec& spec,
             std::vector<std::unique_ptr<WarpScheduler>> policies, WarpTable& warps,
             LatchSets& latches, SmStats& stats);

  // Every scheduler's cycle, in rotating order. True when any of them did something.
  bool cycle(Cycle now, Issuer& issuer);
  // The `cycles` cycles from `first` on repeat the last one, in which nothing moved.
  void repeat(Cycle first, std::uint64_t cycles);
  // When a policy that vetoed wants to be asked again.
  Cycle wake_at(Cycle now) const;

  // Events. Those of one warp go to its scheduler; those of the SM to all.
  bool has_subscriber(Event e) const { return (subscribed_ & static_cast<EventSet>(e)) != 0; }
  template <class F>
  void notify(WarpSlot warp, Event e, F&& f) {
    if (!has_subscriber(e)) return;
    const Scheduler& s = schedulers_[static_cast<std::size_t>(warp.index) % schedulers_.size()];
    if (s.subscribed & static_cast<EventSet>(e)) f(*s.policy);
  }
  template <class F>
  void notify_all(Event e, F&& f) {
    if (!has_subscriber(e)) return;
    for (Scheduler& s : schedulers_)
      if (s.subscribed & static_cast<EventSet>(e)) f(*s.policy);
  }
  // The L1's state has changed. Returns whether some policy minds.
  bool notify_l1_pressure(const L1Pressure& event);
  // Asks every policy whether it wants to hear of empty slots.
  void refresh_subscriptions();
  void report(PolicyReport& into, Cycle now) const {
    for (const Scheduler& s : schedulers_) s.policy->report_statistics(into, now);
  }
  void observe(SmObserver* observer) { observer_ = observer; }
  // Lets every policy ask for what it needs. Once, before the first cycle.
  void attach(Mechanisms& mechanisms);
  void share_warps(SharingRule rule) { sharing_ = rule; }
  int schedulers() const { return static_cast<int>(schedulers_.size()); }

 private:
  struct Scheduler {
    std::unique_ptr<WarpScheduler> policy;
    EventSet subscribed = 0;
    WarpMask supervised;
    SlotUse last = SlotUse::idle;  // what the last slot was used for
    IssueView view;                // what the policy was shown last
    bool seen_empty = false;       // that was a slot that stayed empty, and nothing has moved since
  };
  bool cycle(std::size_t scheduler, Cycle now, Issuer& issuer);
  const IssueView& look(Scheduler& s, Cycle now, WarpMask ready, WarpMask issuable);
  WarpMask with_free_latch(WarpMask among, int scheduler) const;
  SlotUse why_nothing(const Scheduler& s) const;
  void no_issue(Scheduler& s, int scheduler, Cycle now, SlotUse why, std::uint64_t cycles);
  void notify_no_issue(Scheduler& s, int scheduler, Cycle now, SlotUse why, std::uint64_t cycles);
  void flush(WarpMask warps);
  void used_slot();
  void second_issue(WarpSlot warp, UnitClass first, int scheduler, Cycle now, Issuer& issuer);

  int scheduler_of(WarpSlot w) const {
    return static_cast<int>(static_cast<std::size_t>(w.index) % schedulers_.size());
  }

  // warp_sharing.cc
  std::uint32_t with_room(std::size_t unit) const;
  WarpMask shareable(std::size_t unit, std::uint32_t free, Cycle now);
  bool share(Cycle now, Issuer& issuer);
  void account(Cycle now);

  int sm_;
  std::uint32_t max_issue_;
  bool different_units_;
  WarpTable& warps_;
  LatchSets& latches_;
  SmStats& stats_;
  std::vector<Scheduler> schedulers_;
  EventSet subscribed_ = 0;
  std::optional<SharingRule> sharing_;
  WarpMask issued_now_;  // with sharing: in this cycle
  SmObserver* observer_ = nullptr;
};

}  // namespace heddle::sm
