#include "sched/framework/policy_entry.h"
#include "sched/orders/greedy_statistics.h"

namespace heddle::sched {
namespace {

// Greedy-then-oldest: keep issuing from one warp until it cannot, then take the oldest that can.
// The one that steps in becomes the greedy warp. Few warps at a time keep their lines in L1.
class GreedyThenOldest final : public sm::WarpScheduler {
 public:
  using Statistics = GreedStatistics;
  WarpSlot pick(const sm::IssueView& view) override {
    return view.issuable.test(greedy_) ? greedy_ : view.oldest(view.issuable);
  }
  WarpMask visited_before(const sm::IssueView& view, WarpMask among,
                          WarpSlot chosen) const override {
    return view.older_or_greedy(among, greedy_, chosen);
  }
  sm::EventSet subscribed_events() const override { return sm::Event::issue | sm::Event::warp; }
  void on_issue(const sm::Issue& issue) override {
    told_.switches += greedy_ != issue.warp;
    greedy_ = issue.warp;
  }
  void on_warp(const sm::WarpEvent& event) override {
    if (!event.launch && event.warp == greedy_) greedy_ = WarpSlot::none;
  }

  void report_statistics(sm::PolicyReport& report, Cycle) const override {
    report.counters("gto", told_);
  }

 private:
  Statistics told_;
  WarpSlot greedy_ = WarpSlot::none;
};

}  // namespace

PolicyEntry greedy_then_oldest() {
  return policy<GreedyThenOldest>("gto", "Greedy, then the oldest warp that can issue",
                                  "Rogers et al., MICRO 2012");
}

}  // namespace heddle::sched
