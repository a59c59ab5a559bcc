#include "sm/issue/warp_schedulers.h"

#include <utility>

namespace heddle::sm {

WarpSchedulers::WarpSchedulers(std::vector<std::unique_ptr<WarpScheduler>> policies) {
  for (std::unique_ptr<WarpScheduler>& policy : policies) {
    const EventSet subscribed = policy->subscribed_events();
    subscribed_ |= subscribed;
    schedulers_.push_back({std::move(policy), subscribed});
  }
  for (std::size_t w = 0; w < scheduler_of_.size(); ++w)
    scheduler_of_[w] = static_cast<std::uint8_t>(w % schedulers_.size());
}

bool WarpSchedulers::notify_l1_pressure(const L1Pressure& event) {
  bool changed = false;
  notify_all(Event::l1_pressure, [&](WarpScheduler& s) { changed |= s.on_l1_pressure(event); });
  if (changed) refresh_subscriptions();
  return changed;
}

void WarpSchedulers::refresh_subscriptions() {
  for (Scheduler& s : schedulers_)
    s.subscribed.set(Event::no_issue, s.policy->subscribed_events().contains(Event::no_issue));
}

void WarpSchedulers::attach(Mechanisms& mechanisms) {
  for (Scheduler& s : schedulers_) s.policy->attach(mechanisms);
}

void WarpSchedulers::report(PolicyReport& into, Cycle now) const {
  for (const Scheduler& s : schedulers_) s.policy->report_statistics(into, now);
}

}  // namespace heddle::sm
