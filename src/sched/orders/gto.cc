#include "sched/framework/policy_entry.h"
#include "sched/orders/greedy_statistics.h"

namespace heddle::sched {
namespace {

// Greedy-then-oldest: issue from one warp until it cannot issue, then from the oldest issuable
// warp, which becomes the greedy one. Few warps run at a time, and their lines stay in the L1.
class GreedyThenOldest final : public sm::WarpScheduler {
 public:
  using Statistics = GreedyStatistics;
  explicit GreedyThenOldest(const PolicyContext& where)
      : holds_slots_(where.cycles_before_ctas > 0) {}
  WarpSlot pick(const sm::IssueView& view) override {
    return view.issuable.test(greedy_) ? greedy_ : view.oldest(view.issuable);
  }
  WarpMask visited_before(const sm::IssueView& view, WarpMask among,
                          WarpSlot chosen) const override {
    return view.older_or_greedy(among, greedy_, chosen);
  }
  sm::EventSet subscribed_events() const override { return sm::Event::issue | sm::Event::warp; }
  void on_issue(const sm::Issue& issue) override {
    statistics_.of(issue.kernel).switches += greedy_ != issue.warp;
    greedy_ = issue.warp;
  }
  void on_warp(const sm::WarpEvent& event) override {
    if (!holds_slots_ && !event.launch && event.warp == greedy_) greedy_ = WarpSlot::none;
  }

  void report_statistics(sm::PolicyReport& report, Cycle) const override {
    report.counters("gto", statistics_);
  }

 private:
  // On machines whose schedulers run without warps the slot stays greedy, as in GPGPU-Sim.
  bool holds_slots_;
  sm::KernelCounters<Statistics> statistics_;
  WarpSlot greedy_ = WarpSlot::none;
};

}  // namespace

PolicyEntry gto() {
  return policy<GreedyThenOldest>("gto", "Greedy, then the oldest issuable warp",
                                  "Rogers et al., MICRO 2012",
                                  {.look = 1, .topics = {Topic::own_lines, Topic::tail}});
}

}  // namespace heddle::sched
