// The common part of the two-level schedulers: the active set, which changes in cycles with and
// without an issue.
#pragma once

#include <string_view>

#include "sched/framework/policy_entry.h"
#include "sched/orders/active_set.h"
#include "sm/policy/mechanisms.h"

namespace heddle::sched {

class TwoLevelBase : public sm::WarpScheduler {
 public:
  using Options = ActiveSetOptions;
  using Statistics = ActiveSetStatistics;
  using Levels = ActiveSetLevels;
  TwoLevelBase(std::string_view name, const Options& options, const PolicyContext& where)
      : set_(options, where), steps_without_warps_(where.cycles_before_ctas > 0), name_(name) {}

  sm::EventSet subscribed_events() const override {
    return sm::Event::issue | sm::Event::no_issue | sm::Event::warp | sm::Event::kernel;
  }
  WarpMask visited_without_issue(WarpMask among) override { return set_.examined(among); }
  void attach(sm::Mechanisms& mechanisms) override { mechanisms.track_loaded_registers(); }
  void on_issue(const sm::Issue& issue) override { set_.rotate_past(issue.warp); }
  // Cycles without an issuable warp. In a cycle with a veto pick() has made the step already. An SM
  // without warps makes no steps; one whose CTAs wait for their stores makes them on machines that
  // also make steps before the first CTA.
  void on_no_issue(const sm::NoIssue& event) override {
    const sm::IssueView& view = event.view;
    const WarpMask warps = steps_without_warps_ ? view.sm_resident : view.sm_live;
    if (event.reason == sm::SlotUse::throttled || warps.none()) return;
    moved_ = set_.steps(event.view, event.cycles);
  }
  void on_kernel(const sm::KernelEvent& event) override {
    if (event.what == sm::KernelEvent::What::start) set_.begin_kernel();
  }
  void on_warp(const sm::WarpEvent& event) override {
    event.launch ? set_.launch(event.warp, event.kernel) : set_.exit(event.warp);
  }
  // The next step may promote an issuable warp.
  Cycle wake_at(Cycle now) const override { return moved_ ? now : Cycle::never(); }
  void report_statistics(sm::PolicyReport& report, Cycle) const override {
    report.counters(name_, set_.statistics());
    report.levels(name_, set_.levels());
  }

 protected:
  bool step(const sm::IssueView& view) { return moved_ = set_.step(view); }

  ActiveSet set_;

 private:
  bool steps_without_warps_;
  bool moved_ = false;  // a warp was promoted or demoted in the last cycle
  std::string_view name_;
};

}  // namespace heddle::sched
