// The policies of an SM's schedulers, and the events to which each has subscribed.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/types.h"
#include "sm/policy/mechanisms.h"
#include "sm/policy/warp_scheduler.h"

namespace heddle::sm {

class WarpSchedulers {
 public:
  // By scheduler. Warp slot w belongs to scheduler w modulo their number.
  explicit WarpSchedulers(std::vector<std::unique_ptr<WarpScheduler>> policies);

  std::size_t size() const { return schedulers_.size(); }
  WarpScheduler& operator[](std::size_t scheduler) { return *schedulers_[scheduler].policy; }
  int scheduler_of(WarpSlot w) const { return scheduler_of_[static_cast<std::size_t>(w.index)]; }

  bool has_subscriber(Event e) const { return subscribed_.contains(e); }
  // By one policy. The set stays where it is.
  const EventSet& subscribed(std::size_t scheduler) const {
    return schedulers_[scheduler].subscribed;
  }
  bool is_subscribed(std::size_t scheduler, Event e) const {
    return subscribed(scheduler).contains(e);
  }
  // Calls f(policy) for the policies that subscribed to `e`: for an event of one warp only the
  // policy of its scheduler, for an event of the SM all.
  template <class F>
  void notify(WarpSlot warp, Event e, F&& f) {
    if (!has_subscriber(e)) return;
    const auto scheduler = static_cast<std::size_t>(scheduler_of(warp));
    if (is_subscribed(scheduler, e)) f((*this)[scheduler]);
  }
  template <class F>
  void notify_all(Event e, F&& f) {
    if (!has_subscriber(e)) return;
    for (std::size_t i = 0; i < size(); ++i)
      if (is_subscribed(i, e)) f((*this)[i]);
  }
  // Returns whether the change may alter what a policy picks.
  bool notify_l1_pressure(const L1Pressure& event);
  // Reads from every policy again whether it subscribes to no_issue, the one subscription that may
  // change.
  void refresh_subscriptions();
  // Lets every policy request the mechanisms that it needs. Once, before the first cycle.
  void attach(Mechanisms& mechanisms);
  void report(PolicyReport& into, Cycle now) const;

 private:
  struct Scheduler {
    std::unique_ptr<WarpScheduler> policy;
    EventSet subscribed;
  };

  std::vector<Scheduler> schedulers_;
  EventSet subscribed_;                                    // by some policy
  std::array<std::uint8_t, kMaxWarpsPerSm> scheduler_of_;  // by warp slot
};

}  // namespace heddle::sm
