#include "sched/framework/policy_entry.h"

namespace heddle::sched {
namespace {

struct LongFirstStatistics {
  std::uint64_t long_before_short = 0;
  static constexpr auto fields() {
    return std::make_tuple(
        stats::counter("long_before_short", stats::Unit::events,
                       "picks of a long operation while a warp with a short one could have issued",
                       &LongFirstStatistics::long_before_short));
  }
};

// Long operations first: warps whose next instruction is a long operation come before all others,
// so that latencies overlap. Inside both classes greedy, then oldest.
class LongFirst final : public sm::WarpScheduler {
 public:
  using Statistics = LongFirstStatistics;
  WarpSlot pick(const sm::IssueView& view) override {
    const WarpMask long_ones = view.issuable & view.head_is_long;
    const WarpMask first = long_ones.any() ? long_ones : view.issuable;
    told_.long_before_short += long_ones.any() && long_ones != view.issuable;
    return first.test(greedy_) ? greedy_ : view.oldest(first);
  }
  // A stale head is no long operation.
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
    report.counters("lfws", told_);
  }

 private:
  Statistics told_;
  WarpSlot greedy_ = WarpSlot::none;
};

}  // namespace

PolicyEntry long_first() {
  return policy<LongFirst>("lfws", "Long operations first, then greedy-then-oldest",
                           "Liu et al., IEICE 2023");
}

}  // namespace heddle::sched
