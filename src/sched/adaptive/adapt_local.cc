#include "mem/victim_list.h"
#include "sched/catalogue.h"
#include "sched/framework/kernel_table.h"
#include "sched/framework/limiter.h"
#include "sched/framework/policy_entry.h"

namespace heddle::sched {
namespace {

struct AdaptLocalOptions {
  std::uint32_t period = 10'000, victims = 0;
  bool l2 = true, pending = true, hits = false;
  static auto parameters() {
    using O = AdaptLocalOptions;
    return std::make_tuple(
        number("period", &O::period, 1u, 1u << 30, "cycles",
               "period over which reuse is counted before each choice",
               "an interpretation: the papers do not name it"),
        number("victims", &O::victims, 0u, 1u << 16, "lines",
               "victim tags of an SM; 0: as many as its L1 has lines",
               "an interpretation: the papers do not name it"),
        choice("l2", &O::l2, {"no", "yes"},
               "whether reuse in the L2 counts too, by the same warp and by other SMs; replies "
               "report it",
               "Lee et al., HPCA 2016"),
        choice("pending", &O::pending, {"no", "yes"},
               "whether, with hits, an access to a line that is being fetched counts as reuse of "
               "the warp that fetches it",
               "an interpretation: section 5.3 of the paper counts locality; no: as CCWS's "
               "detector"),
        choice("hits", &O::hits, {"no", "yes"},
               "whether hits count as reuse, in the L1 and the L2; no: misses on lost lines only",
               "no: section 5.3 of the paper extends the detector of CCWS, which counts lost "
               "lines; yes: an interpretation"));
  }
};

struct AdaptLocalStatistics {
  std::uint64_t own_reuse = 0, others_reuse = 0, own_l2_reuse = 0, others_l2_reuse = 0,
                greedy_periods = 0, round_robin_periods = 0;
  static constexpr auto fields() {
    using S = AdaptLocalStatistics;
    using stats::Unit;
    return std::make_tuple(
        stats::counter(
            "own_reuse", Unit::accesses,
            "misses on lines that the same warp had brought in and that were lost, and with hits "
            "its hits and pending hits",
            &S::own_reuse),
        stats::counter("others_reuse", Unit::accesses, "as own_reuse, for lines of other warps",
                       &S::others_reuse),
        stats::counter("own_l2_reuse", Unit::accesses, "the same in the L2; not part of own_reuse",
                       &S::own_l2_reuse),
        stats::counter("others_l2_reuse", Unit::accesses, "as own_l2_reuse, for lines of other SMs",
                       &S::others_l2_reuse),
        stats::counter("greedy_periods", Unit::events,
                       "periods with gto, chosen from the period before, summed over SMs",
                       &S::greedy_periods),
        stats::counter("round_robin_periods", Unit::events,
                       "periods with round robin, summed over SMs", &S::round_robin_periods));
  }
};

// State that the schedulers of an SM share: reuse by the warp that brought a line in, and by
// others.
struct Reuse {
  Reuse(const AdaptLocalOptions& options, const PolicyContext& where)
      : period(options.period),
        victims(options.victims ? options.victims : where.l1_lines, where.l1_line_bytes) {}

  std::uint64_t period;
  mem::VictimList<WarpSlot> victims;
  Cycle period_end;
  bool started = false;  // the first period starts with the first event of the kernel
  std::uint64_t own = 0, others = 0, own_l2 = 0, others_l2 = 0;
  bool round_robin = false;
  AdaptLocalStatistics periods;  // counts periods only
  sm::KernelCounters<AdaptLocalStatistics> statistics;
  void end_period() { own = others = own_l2 = others_l2 = 0; }

  void count(bool by_own, bool by_others, int kernel) {
    AdaptLocalStatistics& s = statistics.of(kernel);
    own += by_own, s.own_reuse += by_own;
    others += by_others, s.others_reuse += by_others;
  }
  void count_in_l2(bool by_own, int kernel) {
    AdaptLocalStatistics& s = statistics.of(kernel);
    ++(by_own ? own_l2 : others_l2);
    ++(by_own ? s.own_l2_reuse : s.others_l2_reuse);
  }

  void begin_kernel() {
    victims.clear();
    started = round_robin = false;
    end_period();
  }
  // Makes the choices of all periods that have ended. Called at the first pick or event after them.
  void update(Cycle now) {
    if (!started) {
      started = true;
      period_end = now + period;
    }
    while (now >= period_end) {
      round_robin = others + others_l2 > own + own_l2;
      ++(round_robin ? periods.round_robin_periods : periods.greedy_periods);
      end_period();
      period_end += period;
      // Periods without events do not change the choice.
      if (now >= period_end) period_end = period_end + (now - period_end) / period * period;
    }
  }
};

// The adaptive scheduler that the iPAWS paper compares with. In each period it counts reuse of
// lines by the warp that brought them in and by other warps, in the L1, in its victim tags and in
// the L2. When others reuse more, the next period is round robin; otherwise greedy-then-oldest.
class AdaptiveLocality final : public CompositeScheduler {
 public:
  using Options = AdaptLocalOptions;
  using Statistics = AdaptLocalStatistics;
  AdaptiveLocality(const Options& options, const PolicyContext& where)
      : reuse_(shared_in_sm<Reuse>(where, options, where)),
        first_in_sm_(where.scheduler == 0),
        l2_(options.l2),
        hits_(options.hits),
        pending_(options.hits && options.pending) {
    PolicyContext inside = where;
    ++inside.part;
    greedy_ = parse_policy("gto")->build(inside);
    round_robin_ = parse_policy("lrr")->build(inside);
    add(*greedy_);
    add(*round_robin_);
  }

  WarpSlot pick(const sm::IssueView& view) override {
    reuse_->update(view.now);
    return (reuse_->round_robin ? round_robin_ : greedy_)->pick(view);
  }
  WarpMask visited_before(const sm::IssueView& view, WarpMask among,
                          WarpSlot chosen) const override {
    return (reuse_->round_robin ? round_robin_ : greedy_)->visited_before(view, among, chosen);
  }
  sm::EventSet subscribed_events() const override {
    sm::EventSet own = CompositeScheduler::subscribed_events() | sm::Event::l1_access;
    if (l2_) own = own | sm::Event::l2_reuse;
    return first_in_sm_ ? own | sm::Event::l1_evict | sm::Event::kernel : own;
  }
  void on_l1_access(const sm::L1Access& event) override {
    if (!event.load) return;
    reuse_->update(event.now);
    if ((hits_ && event.outcome == sm::L1Outcome::hit) ||
        (pending_ && event.outcome == sm::L1Outcome::hit_reserved)) {
      reuse_->count(event.owner == event.warp, event.owner != event.warp, event.kernel);
    } else if (event.outcome == sm::L1Outcome::miss) {
      const auto found = reuse_->victims.find(event.line, event.warp);
      reuse_->count(found.own, !found.own && found.other, event.kernel);
    }
  }
  void on_l1_evict(const sm::L1Evict& event) override {
    if (event.owner) reuse_->victims.insert(event.line, event.owner);
  }
  void on_l2_reuse(const sm::L2Reuse& event) override {
    if (!hits_ && !event.lost) return;
    reuse_->update(event.now);
    reuse_->count_in_l2(event.own, event.kernel);
  }
  void on_kernel(const sm::KernelEvent& event) override {
    const bool alone = !kernels_.runs_another(event.number);
    kernels_.on_kernel(event);
    if (alone && event.what == sm::KernelEvent::What::start) reuse_->begin_kernel();
  }

  void report_statistics(sm::PolicyReport& report, Cycle now) const override {
    CompositeScheduler::report_statistics(report, now);
    if (!first_in_sm_) return;
    report.counters("adapt-local", reuse_->statistics);
    report.counters("adapt-local", reuse_->periods);
  }

 private:
  std::shared_ptr<Reuse> reuse_;
  bool first_in_sm_;  // the SM's first scheduler subscribes to events of the SM for all
  bool l2_, hits_, pending_;
  KernelTable kernels_;  // of the SM's first scheduler: reuse is the SM's, not a kernel's
  std::unique_ptr<sm::WarpScheduler> greedy_, round_robin_;
};

}  // namespace

PolicyEntry adapt_local() {
  return policy<AdaptiveLocality>("adapt-local",
                                  "gto or lrr, chosen per period by which warps reuse lines",
                                  "Lee et al., HPCA 2016 (as a comparison)", {.look = 21});
}

}  // namespace heddle::sched
