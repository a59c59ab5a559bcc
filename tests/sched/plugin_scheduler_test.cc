#include <gtest/gtest.h>

#include <stdexcept>

#include "sched/catalogue.h"
#include "tests/error_message.h"
#include "tests/sched/issue_bench.h"

namespace heddle::sched {
namespace {

class Confused final : public sm::WarpScheduler {
 public:
  static inline WarpSlot chosen;
  WarpSlot pick(const sm::IssueView&) override { return chosen; }
  void on_issue(const sm::Issue&) override { throw std::runtime_error("it is confused"); }
};

class ConfusedLimiter final : public Limiter {
 public:
  void limit(sm::IssueView&) override { throw std::runtime_error("it is confused"); }
};

PolicyEntry guarded(PolicyEntry entry) {
  guard(entry, "mine.so");
  return entry;
}

TEST(PluginScheduler, IsNamedInWhatItThrowsAndInAPickThatIsNotAllowed) {
  const auto parsed = guarded(policy<Confused>("confused", "", "")).parse("");
  EXPECT_EQ(parsed->text(), "confused");
  const auto scheduler = parsed->build({});
  sm::IssueView view;
  view.issuable = warps(2);
  for (const int slot : {40, 64, 100, -2}) {
    Confused::chosen = WarpSlot(slot);
    EXPECT_EQ(message_of([&] { scheduler->pick(view); }),
              "scheduler confused of plug-in mine.so: pick(): warp slot " + std::to_string(slot) +
                  ", which is not among the issuable ones");
  }
  for (const WarpSlot allowed : {WarpSlot(1), WarpSlot::none}) {
    Confused::chosen = allowed;
    EXPECT_EQ(scheduler->pick(view), allowed);
  }
  EXPECT_EQ(message_of([&] { scheduler->on_issue({}); }),
            "scheduler confused of plug-in mine.so: on_issue(): it is confused");
  EXPECT_EQ(scheduler->subscribed_events(), sm::EventSet{sm::Event::issue});
}

class Adding final : public Limiter {
 public:
  void limit(sm::IssueView& view) override { view.issuable.set(WarpSlot(5)); }
};

TEST(PluginScheduler, IsNamedWhenALimiterAddsAWarp) {
  const auto limits = guarded(limiter<Adding>("adding", "", "")).parse_limiter("")->build({});
  sm::IssueView view;
  view.issuable = warps(2);
  EXPECT_EQ(
      message_of([&] { limits->limit(view); }),
      "scheduler adding of plug-in mine.so: limit(): adds warp slot 5, which is not among the "
      "issuable ones");
  view.issuable = warps(6);
  limits->limit(view);
}

TEST(PluginScheduler, MayBeALimiter) {
  const auto limits =
      guarded(limiter<ConfusedLimiter>("confused", "", "")).parse_limiter("")->build({});
  sm::IssueView view;
  EXPECT_EQ(message_of([&] { limits->limit(view); }),
            "scheduler confused of plug-in mine.so: limit(): it is confused");
}

}  // namespace
}  // namespace heddle::sched
