#include "sched/greed.h"
#include "sched/policy_entry.h"

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
  WarpMask came_to(const sm::IssueView& view, WarpMask among, WarpSlot chosen) const override {
    return view.older_or_greedy(among, greedy_, chosen);
  }
  sm::EventSet listens() const override { return sm::Event::issue | sm::Event::warp; }
  void on_issue(const sm::Issue& issue) override {
    told_.switches += greedy_ != issue.warp;
    greedy_ = issue.warp;
  }
  void on_warp(const sm::WarpEvent& event) override {
    if (!event.launch && event.warp == greedy_) greedy_ = WarpSlot::none;
  }

  void tell(sm::PolicyReport& report, Cycle) const override { report.counters("gto", told_); }

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
