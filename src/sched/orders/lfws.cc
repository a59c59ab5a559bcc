#include "sched/framework/policy_entry.h"

namespace heddle::sched {
namespace {

struct LfwsStatistics {
  std::uint64_t long_before_short = 0;
  static constexpr auto fields() {
    return std::make_tuple(
        stats::counter("long_before_short", stats::Unit::events,
                       "picks of a long operation while a warp with a short one was issuable",
                       &LfwsStatistics::long_before_short));
  }
};

// Long operations first: warps whose next instruction is a long operation issue before the others,
// so that latencies overlap. Greedy-then-oldest within both classes.
class LongFirst final : public sm::WarpScheduler {
 public:
  using Statistics = LfwsStatistics;
  WarpSlot pick(const sm::IssueView& view) override {
    const WarpMask long_ones = view.issuable & view.head_is_long;
    const WarpMask first = long_ones.any() ? long_ones : view.issuable;
    statistics_.long_before_short += long_ones.any() && long_ones != view.issuable;
    return first.test(greedy_) ? greedy_ : view.oldest(first);
  }
  // A warp with a stale instruction buffer has no long operation at its head.
  WarpMask visited_before(const sm::IssueView& view, WarpMask among,
                          WarpSlot chosen) const override {
    return view.head_is_long.test(chosen) ? WarpMask{}
                                          : view.older_or_greedy(among, greedy_, chosen);
  }
  sm::EventSet subscribed_events() const override { return sm::Event::issue | sm::Event::warp; }
  void on_issue(const sm::Issue& issue) override { greedy_ = issue.warp; }
  void on_warp(const sm::WarpEvent& event) override {
    if (!event.launch && event.warp == greedy_) greedy_ = WarpSlot::none;
  }

  void report_statistics(sm::PolicyReport& report, Cycle) const override {
    report.counters("lfws", statistics_);
  }

 private:
  Statistics statistics_;
  WarpSlot greedy_ = WarpSlot::none;
};

}  // namespace

PolicyEntry lfws() {
  return policy<LongFirst>("lfws", "Long operations first, then greedy-then-oldest",
                           "Liu et al., IEICE 2023");
}

}  // namespace heddle::sched
