#include <gtest/gtest.h>

#include <stdexcept>

#include "sched/catalogue.h"
#include "tests/sched/error_message.h"
#include "tests/sched/issue_bench.h"

namespace heddle::sched {
namespace {

class Confused final : public sm::WarpScheduler {
 public:
  WarpSlot pick(const sm::IssueView&) override { return WarpSlot(40); }
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
  EXPECT_EQ(message_of([&] { scheduler->pick(view); }),
            "scheduler confused of plug-in mine.so: pick(): warp slot 40, which is not among the "
            "issuable ones");
  EXPECT_EQ(message_of([&] { scheduler->on_issue({}); }),
            "scheduler confused of plug-in mine.so: on_issue(): it is confused");
  EXPECT_EQ(scheduler->subscribed_events(), static_cast<sm::EventSet>(sm::Event::issue));
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
