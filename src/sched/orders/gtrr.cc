#include "sched/framework/policy_entry.h"
#include "sched/orders/greedy_statistics.h"

namespace heddle::sched {
namespace {

// Greedy-then-round-robin: issue from one warp until it cannot issue, then from the next issuable
// warp in slot order.
class GreedyThenRoundRobin final : public sm::WarpScheduler {
 public:
  using Statistics = GreedyStatistics;
  WarpSlot pick(const sm::IssueView& view) override {
    return greedy_ && view.issuable.test(last_) ? last_
                                                : view.issuable.next_cyclic(last_.index + 1);
  }
  WarpMask visited_before(const sm::IssueView&, WarpMask among, WarpSlot chosen) const override {
    if (greedy_ && chosen == last_) return {};
    WarpMask before = sm::IssueView::between(among, last_, chosen);
    if (greedy_ && among.test(last_)) before.set(last_);
    return before;
  }
  sm::EventSet subscribed_events() const override { return sm::Event::issue | sm::Event::warp; }
  void on_issue(const sm::Issue& issue) override {
    statistics_.of(issue.kernel).switches += !greedy_ || last_ != issue.warp;
    last_ = issue.warp;
    greedy_ = true;
  }
  void on_warp(const sm::WarpEvent& event) override {
    if (!event.launch && event.warp == last_)
      greedy_ = false;  // the next warp of the slot is not preferred
  }

  void report_statistics(sm::PolicyReport& report, Cycle) const override {
    report.counters("gtrr", statistics_);
  }

 private:
  sm::KernelCounters<Statistics> statistics_;
  WarpSlot last_ = WarpSlot::none;
  bool greedy_ = false;  // the warp that issued last is live
};

}  // namespace

PolicyEntry gtrr() {
  return policy<GreedyThenRoundRobin>("gtrr", "Greedy, then round robin",
                                      "Liu et al., IEICE 2023 (as a baseline)",
                                      {.look = 11, .topics = {Topic::own_lines, Topic::tail}});
}

}  // namespace heddle::sched
