// What the two-level schedulers have in common: the active set lives through cycles with and
// without issues.
#pragma once

#include <string_view>

#include "sched/framework/policy_entry.h"
#include "sched/orders/active_set.h"

namespace heddle::sched {

class TwoLevelBase : public sm::WarpScheduler {
 public:
  using Options = ActiveSetOptions;
  using Statistics = ActiveSetStatistics;
  using Levels = ActiveSetLevels;
  TwoLevelBase(std::string_view name, const Options& options) : set_(options), name_(name) {}

  sm::EventSet subscribed_events() const override {
    return sm::Event::issue | sm::Event::no_issue | sm::Event::warp;
  }
  void on_issue(const sm::Issue& issue) override { set_.rotate_behind(issue.warp); }
  // The set turns over in cycles without candidates, too; a cycle with a veto has been through
  // pick().
  void on_no_issue(const sm::NoIssue& event) override {
    if (event.reason == sm::SlotUse::throttled) return;
    moved_ = set_.steps(event.view, event.cycles);
  }
  void on_warp(const sm::WarpEvent& event) override {
    event.launch ? set_.launch(event.warp) : set_.exit(event.warp);
  }
  // The next warp that is promoted may be one that can issue.
  Cycle wake_at(Cycle now) const override { return moved_ ? now : Cycle::never(); }
  void report_statistics(sm::PolicyReport& report, Cycle) const override {
    report.counters(name_, set_.statistics());
    report.levels(name_, set_.levels());
  }

 protected:
  bool turn(const sm::IssueView& view) { return moved_ = set_.step(view); }

  ActiveSet set_;

 private:
  bool moved_ = false;  // in the last cycle
  std::string_view name_;
};

}  // namespace heddle::sched
