#include <gtest/gtest.h>

#include "sm/issue/warp_schedulers.h"

namespace heddle::sm {
namespace {

class Listener final : public WarpScheduler {
 public:
  explicit Listener(EventSet events) : events_(events) {}
  WarpSlot pick(const IssueView&) override { return {}; }
  EventSet subscribed_events() const override { return events_; }
  void on_barrier(const BarrierEvent&) override { ++barriers; }
  bool on_l1_pressure(const L1Pressure&) override {
    events_ |= Event::no_issue;
    return true;
  }
  int barriers = 0;

 private:
  EventSet events_;
};

struct Two {
  Two(EventSet a, EventSet b) : schedulers(make(a, b)) {}
  std::vector<std::unique_ptr<WarpScheduler>> make(EventSet a, EventSet b) {
    std::vector<std::unique_ptr<WarpScheduler>> all;
    for (const EventSet events : {a, b}) {
      auto one = std::make_unique<Listener>(events);
      policies.push_back(one.get());
      all.push_back(std::move(one));
    }
    return all;
  }
  void notify_barrier(int warp) {
    schedulers.notify(WarpSlot{warp}, Event::barrier,
                      [&](WarpScheduler& s) { s.on_barrier({WarpSlot{warp}, true}); });
  }
  std::vector<Listener*> policies;
  WarpSchedulers schedulers;
};

constexpr EventSet kBarrier = Event::barrier;

TEST(WarpSchedulers, NotifyOnlyThePolicyOfTheWarpsScheduler) {
  Two two(kBarrier, kBarrier);
  two.notify_barrier(4);
  two.notify_barrier(7);
  two.notify_barrier(9);
  EXPECT_EQ(two.policies[0]->barriers, 1);
  EXPECT_EQ(two.policies[1]->barriers, 2);
}

TEST(WarpSchedulers, NotifyNoPolicyThatHasNotSubscribed) {
  Two two({}, kBarrier);
  EXPECT_TRUE(two.schedulers.has_subscriber(Event::barrier));
  EXPECT_FALSE(two.schedulers.has_subscriber(Event::cycle));
  two.notify_barrier(0);
  two.schedulers.notify_all(Event::barrier,
                            [](WarpScheduler& s) { s.on_barrier({WarpSlot{0}, true}); });
  EXPECT_EQ(two.policies[0]->barriers, 0);
  EXPECT_EQ(two.policies[1]->barriers, 1);
}

TEST(WarpSchedulers, ReadTheSubscriptionToNoIssueAgainWhenThePressureChangesAPolicy) {
  Two two(Event::l1_pressure, {});
  EXPECT_FALSE(two.schedulers.is_subscribed(0, Event::no_issue));
  EXPECT_TRUE(two.schedulers.notify_l1_pressure({}));
  EXPECT_TRUE(two.schedulers.is_subscribed(0, Event::no_issue));
  EXPECT_FALSE(two.schedulers.is_subscribed(1, Event::no_issue));
}

}  // namespace
}  // namespace heddle::sm
