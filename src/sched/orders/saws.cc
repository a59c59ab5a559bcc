#include "sched/framework/cta_table.h"
#include "sched/framework/policy_entry.h"

namespace heddle::sched {
namespace {

struct BarrierAwareStatistics {
  std::uint64_t awaited_first = 0;
  static constexpr auto fields() {
    return std::make_tuple(stats::counter("awaited_first", stats::Unit::events,
                                          "picks among warps that others waited for at a barrier, "
                                          "while further warps could have issued",
                                          &BarrierAwareStatistics::awaited_first));
  }
};
struct BarrierAwareLevels {
  std::uint64_t awaited_warps = 0, arrived_warps = 0;
  static constexpr auto fields() {
    using L = BarrierAwareLevels;
    return std::make_tuple(
        stats::counter("awaited_warps", stats::Unit::warps,
                       "warps that others of their CTA wait for", &L::awaited_warps),
        stats::counter("arrived_warps", stats::Unit::warps, "warps at a barrier",
                       &L::arrived_warps));
  }
};

// Warps that others of their CTA wait for at a barrier.
struct AwaitedWarps {
  CtaTable ctas;
  WarpMask at_barrier, known;
  bool stale = false;  // `known` is, since a warp came, went or met a barrier

  // A CTA's live warps outside the barrier, when some are inside.
  WarpMask awaited() {
    if (!stale) return known;
    stale = false;
    WarpMask all;
    at_barrier.for_each([&](WarpSlot w) {
      if (const int cta = ctas.of(w); cta >= 0) all |= ctas[cta].warps;
    });
    return known = all & ~at_barrier;
  }
};

// Synchronisation-aware scheduling: when a warp arrives at a barrier, the warps of its CTA that
// have not arrived come first in all schedulers of the SM, so that a CTA does not wait for a
// scheduler that is busy elsewhere. Otherwise greedy, then oldest.
class BarrierAware final : public sm::WarpScheduler {
 public:
  using Statistics = BarrierAwareStatistics;
  using Levels = BarrierAwareLevels;
  explicit BarrierAware(const PolicyContext& where)
      : shared_(shared_in_sm<AwaitedWarps>(where)), leads_(where.scheduler == 0) {}

  WarpSlot pick(const sm::IssueView& view) override {
    WarpMask among = view.issuable;
    if (shared_->at_barrier.any()) {
      if (const WarpMask awaited = among & shared_->awaited(); awaited.any()) {
        told_.awaited_first += awaited != among;
        among = awaited;
      }
    }
    return among.test(greedy_) ? greedy_ : view.oldest(among);
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
    bool arrived = false;
    if (event.launch) {
      shared_->ctas.launch(event, arrived);
      return;
    }
    shared_->ctas.exit(event.warp);
    shared_->at_barrier.reset(event.warp);
    if (event.warp == greedy_) greedy_ = WarpSlot::none;
  }

  void report_statistics(sm::PolicyReport& report, Cycle) const override {
    report.counters("saws", told_);
    if (!leads_ || !report.wants_levels()) return;
    Levels levels;
    levels.awaited_warps = static_cast<std::uint64_t>(shared_->awaited().count());
    levels.arrived_warps = static_cast<std::uint64_t>(shared_->at_barrier.count());
    report.levels("saws", levels);
  }

 private:
  std::shared_ptr<AwaitedWarps> shared_;  // of the SM
  bool leads_;                            // tells what they share
  Statistics told_;
  WarpSlot greedy_ = WarpSlot::none;
};

}  // namespace

PolicyEntry barrier_aware() {
  return policy<BarrierAware>("saws", "Warps that others wait for at a barrier first",
                              "Liu et al., MICRO 2015");
}

}  // namespace heddle::sched
