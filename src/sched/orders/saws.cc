#include "sched/framework/cta_table.h"
#include "sched/framework/policy_entry.h"

namespace heddle::sched {
namespace {

struct SawsStatistics {
  std::uint64_t awaited_first = 0;
  static constexpr auto fields() {
    return std::make_tuple(stats::counter("awaited_first", stats::Unit::events,
                                          "picks restricted to warps that others of their CTA "
                                          "awaited at a barrier",
                                          &SawsStatistics::awaited_first));
  }
};
struct SawsLevels {
  std::uint64_t awaited_warps = 0, arrived_warps = 0;
  static constexpr auto fields() {
    using L = SawsLevels;
    return std::make_tuple(
        stats::counter("awaited_warps", stats::Unit::warps,
                       "warps that others of their CTA await at a barrier", &L::awaited_warps),
        stats::counter("arrived_warps", stats::Unit::warps, "warps at a barrier",
                       &L::arrived_warps));
  }
};

// Warps that others of their CTA await at a barrier.
struct AwaitedWarps {
  CtaTable ctas;
  WarpMask at_barrier, cached;
  bool stale = false;  // `cached` must be computed again

  // The live warps of CTAs of which some warps are at a barrier, without those.
  WarpMask awaited() {
    if (!stale) return cached;
    stale = false;
    WarpMask all;
    at_barrier.for_each([&](WarpSlot w) {
      if (const int cta = ctas.of(w); cta >= 0) all |= ctas[cta].warps;
    });
    return cached = all & ~at_barrier;
  }
};

// Synchronisation-aware scheduling: when a warp reaches a barrier, the warps of its CTA that have
// not reached it issue first in all schedulers of the SM, so that a CTA does not wait for a
// scheduler that serves other CTAs. Otherwise greedy-then-oldest.
class SynchronisationAwareScheduling final : public sm::WarpScheduler {
 public:
  using Statistics = SawsStatistics;
  using Levels = SawsLevels;
  explicit SynchronisationAwareScheduling(const PolicyContext& where)
      : shared_(shared_in_sm<AwaitedWarps>(where)), first_in_sm_(where.scheduler == 0) {}

  WarpSlot pick(const sm::IssueView& view) override {
    WarpMask among = view.issuable;
    if (shared_->at_barrier.any())
      if (const WarpMask awaited = among & shared_->awaited(); awaited.any()) among = awaited;
    const WarpSlot chosen = among.test(greedy_) ? greedy_ : view.oldest(among);
    if (among != view.issuable) ++statistics_.of(view.kernel_of(chosen)).awaited_first;
    return chosen;
  }
  WarpMask visited_before(const sm::IssueView& view, WarpMask among,
                          WarpSlot chosen) const override {
    const WarpMask awaited = shared_->at_barrier.any() ? shared_->awaited() : WarpMask{};
    if (awaited.test(chosen)) return view.older_or_greedy(among & awaited, greedy_, chosen);
    return (among & awaited) | view.older_or_greedy(among & ~awaited, greedy_, chosen);
  }
  sm::EventSet subscribed_events() const override {
    return sm::Event::issue | sm::Event::warp | sm::Event::barrier;
  }
  void on_issue(const sm::Issue& issue) override { greedy_ = issue.warp; }
  void on_barrier(const sm::BarrierEvent& event) override {
    shared_->at_barrier.assign(event.warp, event.enter);
    shared_->stale = true;
  }
  void on_warp(const sm::WarpEvent& event) override {
    shared_->stale = true;
    bool is_new = false;
    if (event.launch) {
      shared_->ctas.launch(event, is_new);
      return;
    }
    shared_->ctas.exit(event.warp);
    shared_->at_barrier.reset(event.warp);
    if (event.warp == greedy_) greedy_ = WarpSlot::none;
  }

  void report_statistics(sm::PolicyReport& report, Cycle) const override {
    report.counters("saws", statistics_);
    if (!first_in_sm_ || !report.wants_levels()) return;
    Levels levels;
    levels.awaited_warps = static_cast<std::uint64_t>(shared_->awaited().count());
    levels.arrived_warps = static_cast<std::uint64_t>(shared_->at_barrier.count());
    report.levels("saws", levels);
  }

 private:
  std::shared_ptr<AwaitedWarps> shared_;  // of the SM
  bool first_in_sm_;                      // reports the levels of the shared state
  sm::KernelCounters<Statistics> statistics_;
  WarpSlot greedy_ = WarpSlot::none;
};

}  // namespace

PolicyEntry saws() {
  return policy<SynchronisationAwareScheduling>(
      "saws", "Warps that others await at a barrier first", "Liu et al., MICRO 2015",
      {.look = 20, .topics = {Topic::barriers}});
}

}  // namespace heddle::sched
