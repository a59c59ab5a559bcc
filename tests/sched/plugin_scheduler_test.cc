#include <gtest/gtest.h>

#include <functional>
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

// Throws the name of what was called.
class Loud final : public sm::WarpScheduler {
 public:
  WarpSlot pick(const sm::IssueView&) override { return WarpSlot::none; }
  void on_issue(const sm::Issue&) override { say("issue"); }
  void on_no_issue(const sm::NoIssue&) override { say("no issue"); }
  void on_coalesced(const sm::Coalesced&) override { say("coalesced"); }
  void on_l1_access(const sm::L1Access&) override { say("L1 access"); }
  void on_l1_evict(const sm::L1Evict&) override { say("L1 evict"); }
  void on_l2_reuse(const sm::L2Reuse&) override { say("L2 reuse"); }
  bool on_l1_pressure(const sm::L1Pressure&) override { return say("L1 pressure"), true; }
  void on_branch(const sm::Branch&) override { say("branch"); }
  void on_loop(const sm::LoopEvent&) override { say("loop"); }
  void on_barrier(const sm::BarrierEvent&) override { say("barrier"); }
  void on_warp(const sm::WarpEvent&) override { say("warp"); }
  void on_cta(const sm::CtaEvent&) override { say("CTA"); }
  void on_cycle(Cycle) override { say("cycle"); }
  Cycle wake_at(Cycle) const override { return say("wake"), Cycle{}; }
  void report_statistics(sm::PolicyReport&, Cycle) const override { say("statistics"); }

 private:
  static void say(const char* what) { throw std::runtime_error(what); }
};

TEST(PluginScheduler, PassesOnEveryEvent) {
  const auto scheduler = guarded(policy<Loud>("loud", "", "")).parse("")->build({});
  sm::WarpScheduler& s = *scheduler;
  const sm::IssueView view;
  sm::PolicyReport report({});
  const std::pair<const char*, std::function<void()>> events[] = {
      {"on_issue(): issue", [&] { s.on_issue({}); }},
      {"on_no_issue(): no issue", [&] { s.on_no_issue({{}, 1, {}, view}); }},
      {"on_coalesced(): coalesced", [&] { s.on_coalesced({}); }},
      {"on_l1_access(): L1 access", [&] { s.on_l1_access({}); }},
      {"on_l1_evict(): L1 evict", [&] { s.on_l1_evict({}); }},
      {"on_l2_reuse(): L2 reuse", [&] { s.on_l2_reuse({}); }},
      {"on_l1_pressure(): L1 pressure", [&] { s.on_l1_pressure({}); }},
      {"on_branch(): branch", [&] { s.on_branch({}); }},
      {"on_loop(): loop", [&] { s.on_loop({}); }},
      {"on_barrier(): barrier", [&] { s.on_barrier({}); }},
      {"on_warp(): warp", [&] { s.on_warp({}); }},
      {"on_cta(): CTA", [&] { s.on_cta({}); }},
      {"on_cycle(): cycle", [&] { s.on_cycle(Cycle{1}); }},
      {"wake_at(): wake", [&] { s.wake_at(Cycle{1}); }},
      {"report_statistics(): statistics", [&] { s.report_statistics(report, Cycle{1}); }}};
  for (const auto& [message, notify] : events)
    EXPECT_EQ(message_of(notify), std::string("scheduler loud of plug-in mine.so: ") + message);
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
