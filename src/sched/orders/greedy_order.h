// What the greedy orders (gto, cggty, gtrr) share: the warp that issued last is preferred while it
// lives.
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>

#include "sched/framework/policy_entry.h"
#include "stats/fields.h"

namespace heddle::sched {

// Issues divided by switches: the mean number of issues from one warp in a row.
struct GreedyStatistics {
  std::uint64_t switches = 0;
  static constexpr auto fields() {
    return std::make_tuple(stats::counter("switches", stats::Unit::events,
                                          "issues from another warp than the previous issue",
                                          &GreedyStatistics::switches));
  }
};

class GreedyOrder : public sm::WarpScheduler {
 public:
  using Statistics = GreedyStatistics;
  // holds_slots: the warp slot stays greedy when its warp has ended.
  explicit GreedyOrder(std::string_view name, bool holds_slots = false)
      : name_(name), holds_slots_(holds_slots) {}

  sm::EventSet subscribed_events() const override { return sm::Event::issue | sm::Event::warp; }
  void on_issue(const sm::Issue& issue) override {
    statistics_.of(issue.kernel).switches += greedy_ != issue.warp;
    greedy_ = issue.warp;
  }
  void on_warp(const sm::WarpEvent& event) override {
    if (!holds_slots_ && !event.launch && event.warp == greedy_) greedy_ = WarpSlot::none;
  }
  void report_statistics(sm::PolicyReport& report, Cycle) const override {
    report.counters(name_, statistics_);
  }

 protected:
  WarpSlot greedy() const { return greedy_; }

 private:
  std::string_view name_;
  bool holds_slots_;
  sm::KernelCounters<Statistics> statistics_;
  WarpSlot greedy_ = WarpSlot::none;
};

}  // namespace heddle::sched
