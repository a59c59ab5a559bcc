
#include "sched/adaptive/warp_criticality.h"
#include "sched/framework/kernel_table.h"
#include "sched/framework/policy_entry.h"
#include "sm/policy/mechanisms.h"

namespace heddle::sched {
namespace {

struct CawaStatistics {
  std::uint64_t greedy_picks = 0, critical_picks = 0;
  static constexpr auto fields() {
    using S = CawaStatistics;
    return std::make_tuple(
        stats::counter("greedy_picks", stats::Unit::events, "picks of the warp that issued last",
                       &S::greedy_picks),
        stats::counter("critical_picks", stats::Unit::events,
                       "picks of the most critical issuable warp", &S::critical_picks));
  }
};
struct CawaLevels {
  std::uint64_t critical_warps = 0, resident_warps = 0, criticality_spread = 0;
  static constexpr auto fields() {
    using L = CawaLevels;
    using stats::Unit;
    return std::make_tuple(
        stats::counter("critical_warps", Unit::warps,
                       "critical warps, judged within their CTAs, summed over SMs",
                       &L::critical_warps),
        stats::counter("resident_warps", Unit::warps, "live warps, summed over SMs",
                       &L::resident_warps),
        stats::counter(
            "criticality_spread", Unit::cycles,
            "criticality of the most critical warp minus that of the least, summed over SMs",
            &L::criticality_spread));
  }
};

// Criticality-aware warp acceleration: greedy, then the warp that is expected to end last. The
// criticality is the number of instructions ahead times the cycles per instruction so far, plus the
// stall cycles. The L1 reserves ways for lines that critical warps reuse.
class CriticalityAwareAcceleration final : public sm::WarpScheduler {
 public:
  using Statistics = CawaStatistics;
  using Levels = CawaLevels;
  struct Options {
    bool cache = true;
    std::uint32_t critical_share = 50, region = 16384, interval = 32;
    static auto parameters() {
      using O = Options;
      const char* const paper = "Lee et al., ISCA 2015";
      return std::make_tuple(
          choice("cache", &O::cache, {"off", "on"},
                 "whether the L1 reserves ways for lines of critical warps", paper),
          number("critical_share", &O::critical_share, 1u, 99u, "percent",
                 "share of the L1's ways that is reserved", paper),
          number("region", &O::region, 32u, 1u << 30, "bytes",
                 "size of the memory region whose lines share a prediction per instruction",
                 "an interpretation, after SHiP (Wu et al., MICRO 2011)"),
          number("interval", &O::interval, 1u, 1u << 20, "cycles",
                 "time between two judgements of which warps of a CTA are critical",
                 "an interpretation"));
    }
  };
  CriticalityAwareAcceleration(const Options& options, const PolicyContext& where)
      : options_(options),
        warps_(shared_in_sm<WarpCriticalities>(where, options.interval)),
        first_in_sm_(where.scheduler == 0) {}

  void attach(sm::Mechanisms& machine) override {
    if (options_.cache) machine.partition_l1({options_.critical_share, options_.region}, *warps_);
  }
  WarpSlot pick(const sm::IssueView& view) override {
    if (view.issuable.test(greedy_)) {
      ++statistics_.of(view.kernel_of(greedy_)).greedy_picks;
      return greedy_;
    }
    WarpSlot best;
    double highest = 0;
    view.issuable.for_each([&](WarpSlot w) {
      const double criticality = (*warps_)[w].at(view.now);
      const bool older = best && view.age[static_cast<std::size_t>(w.index)] <
                                     view.age[static_cast<std::size_t>(best.index)];
      if (best && (criticality < highest || (criticality == highest && !older))) return;
      best = w;
      highest = criticality;
    });
    ++statistics_.of(view.kernel_of(best)).critical_picks;
    return best;
  }
  WarpMask visited_before(const sm::IssueView& view, WarpMask among,
                          WarpSlot chosen) const override {
    if (chosen == greedy_) return {};
    const double criticality = (*warps_)[chosen].at(view.now);
    WarpMask before;
    among.for_each([&](WarpSlot w) {
      const double other = (*warps_)[w].at(view.now);
      const bool older = view.age[static_cast<std::size_t>(w.index)] <
                         view.age[static_cast<std::size_t>(chosen.index)];
      if (w == greedy_ || other > criticality || (other == criticality && older)) before.set(w);
    });
    return before;
  }
  sm::EventSet subscribed_events() const override {
    using E = sm::Event;
    return E::issue | E::branch | E::warp | E::kernel;
  }
  void on_issue(const sm::Issue& issue) override {
    greedy_ = issue.warp;
    (*warps_)[issue.warp].issued(issue.now);
  }
  void on_branch(const sm::Branch& b) override {
    const Pc end = b.reconvergence == kNoPc ? end_of_code(b.warp) : b.reconvergence;
    WarpCriticality& w = (*warps_)[b.warp];
    if (b.taken.any()) w.ahead += b.target <= b.pc ? b.pc - b.target + 1 : length(b.target, end);
    if (b.fell_through.any()) w.ahead += length(b.pc + 1, end);
  }
  void on_warp(const sm::WarpEvent& event) override {
    kernels_.on_warp(event);
    if (event.launch) {
      warps_->launch(event);
      return;
    }
    warps_->exit(event.warp);
    if (event.warp == greedy_) greedy_ = WarpSlot::none;
  }
  void on_kernel(const sm::KernelEvent& event) override { kernels_.on_kernel(event); }

  void report_statistics(sm::PolicyReport& report, Cycle now) const override {
    report.counters("cawa", statistics_);
    if (first_in_sm_ && report.wants_levels()) report.levels("cawa", levels_of(*warps_, now));
  }

 private:
  static Levels levels_of(const WarpCriticalities& warps, Cycle now) {
    const WarpCriticalities::Survey survey = warps.survey(now);
    Levels levels;
    levels.critical_warps = static_cast<std::uint64_t>(survey.critical);
    levels.resident_warps = static_cast<std::uint64_t>(survey.resident);
    levels.criticality_spread = static_cast<std::uint64_t>(survey.most - survey.least);
    return levels;
  }
  Pc end_of_code(WarpSlot warp) const {
    const isa::Kernel* const kernel = kernels_.kernel(warp);
    return kernel ? static_cast<Pc>(kernel->instructions.size()) : 0;
  }
  static std::int64_t length(Pc first, Pc end) { return end > first ? end - first : 0; }

  Options options_;
  std::shared_ptr<WarpCriticalities> warps_;  // of the SM
  bool first_in_sm_;                          // reports the levels of the shared state
  sm::KernelCounters<Statistics> statistics_;
  WarpSlot greedy_ = WarpSlot::none;
  KernelTable kernels_;  // of this scheduler's warps
};

}  // namespace

PolicyEntry cawa() {
  return policy<CriticalityAwareAcceleration>(
      "cawa", "Greedy, then the warp expected to end last; L1 ways for critical warps",
      "Lee et al., ISCA 2015", {.look = 22, .topics = {Topic::tail, Topic::own_lines}});
}

}  // namespace heddle::sched
