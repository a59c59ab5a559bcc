#include "sched/framework/policy_entry.h"
#include "sched/orders/greedy_statistics.h"

namespace heddle::sched {
namespace {

// Greedy-then-round-robin: keep issuing from one warp until it cannot, then try the others in slot
// order after it.
class GreedyThenRoundRobin final : public sm::WarpScheduler {
 public:
  using Statistics = GreedStatistics;
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
    told_.switches += !greedy_ || last_ != issue.warp;
    last_ = issue.warp;
    greedy_ = true;
  }
  void on_warp(const sm::WarpEvent& event) override {
    if (!event.launch && event.warp == last_)
      greedy_ = false;  // the slot's next warp inherits no preference
  }

  void report_statistics(sm::PolicyReport& report, Cycle) const override {
    report.counters("gtrr", told_);
  }

 private:
  Statistics told_;
  WarpSlot last_ = WarpSlot::none;
  bool greedy_ = false;  // the warp that issued last still lives
};

}  // namespace

PolicyEntry greedy_then_round_robin() {
  return policy<GreedyThenRoundRobin>("gtrr", "Greedy, then round robin",
                                      "Liu et al., IEICE 2023 (as a baseline)");
}

}  // namespace heddle::sched
