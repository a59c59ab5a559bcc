#include "sched/framework/policy_entry.h"
#include "sched/orders/greedy_statistics.h"

namespace heddle::sched {
namespace {

// Greedy, then youngest: issue from one warp until it cannot issue, then from the youngest issuable
// warp. With control words the compiler's stalls and yields decide when a warp cannot issue, so
// that the compiler guides the order.
class GreedyThenYoungest final : public sm::WarpScheduler {
 public:
  using Statistics = GreedyStatistics;
  WarpSlot pick(const sm::IssueView& view) override {
    if (view.issuable.test(greedy_)) return greedy_;
    WarpSlot best = view.issuable.lowest();
    view.issuable.for_each([&](WarpSlot warp) {
      if (view.age[warp.index] > view.age[best.index]) best = warp;
    });
    return best;
  }
  WarpMask visited_before(const sm::IssueView& view, WarpMask among,
                          WarpSlot chosen) const override {
    if (chosen == greedy_) return {};
    const WarpMask older = view.older(among, chosen);
    among.reset(chosen);
    WarpMask visited = among & ~older;
    if (among.test(greedy_)) visited.set(greedy_);
    return visited;
  }
  sm::EventSet subscribed_events() const override { return sm::Event::issue | sm::Event::warp; }
  void on_issue(const sm::Issue& issue) override {
    statistics_.of(issue.kernel).switches += greedy_ != issue.warp;
    greedy_ = issue.warp;
  }
  void on_warp(const sm::WarpEvent& event) override {
    if (!event.launch && event.warp == greedy_) greedy_ = WarpSlot::none;
  }
  void report_statistics(sm::PolicyReport& report, Cycle) const override {
    report.counters("cggty", statistics_);
  }

 private:
  sm::KernelCounters<Statistics> statistics_;
  WarpSlot greedy_ = WarpSlot::none;
};

}  // namespace

PolicyEntry cggty() {
  return policy<GreedyThenYoungest>("cggty", "Greedy, then the youngest issuable warp",
                                    "Huerta et al., MICRO 2025",
                                    {.look = 26, .topics = {Topic::own_lines, Topic::tail}});
}

}  // namespace heddle::sched
