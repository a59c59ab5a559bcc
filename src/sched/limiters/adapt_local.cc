#include "mem/victim_list.h"
#include "sched/framework/limiter.h"
#include "sched/framework/policy_entry.h"

namespace heddle::sched {
namespace {

struct AdaptiveOptions {
  std::uint32_t period = 10'000, victims = 0;
  bool l2 = true;
  static auto parameters() {
    using O = AdaptiveOptions;
    return std::make_tuple(
        number("period", &O::period, 1u, 1u << 30, "cycles",
               "how long reuse is counted before each choice", "an interpretation: not printed"),
        number("victims", &O::victims, 0u, 1u << 16, "lines",
               "lost lines that an SM remembers; 0: as many as its L1 holds",
               "an interpretation: not printed"),
        choice("l2", &O::l2, {"no", "yes"},
               "whether reuse in the L2 counts, by the same warp and by other SMs, as the replies "
               "tell it",
               "Lee et al., HPCA 2016"));
  }
};

struct AdaptiveStatistics {
  std::uint64_t own_reuse = 0, others_reuse = 0, own_l2_reuse = 0, others_l2_reuse = 0,
                greedy_periods = 0, round_robin_periods = 0;
  static constexpr auto fields() {
    using S = AdaptiveStatistics;
    using stats::Unit;
    return std::make_tuple(
        stats::counter(
            "own_reuse", Unit::accesses,
            "hits on lines that the same warp brought in, and misses on such lines that were lost",
            &S::own_reuse),
        stats::counter("others_reuse", Unit::accesses, "the same of other warps' lines",
                       &S::others_reuse),
        stats::counter("own_l2_reuse", Unit::accesses,
                       "the same in the L2, of the warp's own lines; not in own_reuse",
                       &S::own_l2_reuse),
        stats::counter("others_l2_reuse", Unit::accesses, "the same in the L2, of other SMs' lines",
                       &S::others_l2_reuse),
        stats::counter("greedy_periods", Unit::events,
                       "periods that began greedy because of the one before, summed over SMs",
                       &S::greedy_periods),
        stats::counter("round_robin_periods", Unit::events, "periods that began with round robin",
                       &S::round_robin_periods));
  }
};

// What the schedulers of an SM share: reuse by the warp that brought a line in, and by others.
struct Reuse {
  Reuse(const AdaptiveOptions& options, const PolicyContext& where)
      : period(options.period),
        victims(options.victims ? options.victims : where.l1_lines, where.l1_line_bytes) {}

  std::uint64_t period;
  mem::VictimList<WarpSlot> victims;
  Cycle period_end;
  bool started = false;  // with the first event of the kernel
  std::uint64_t own = 0, others = 0, own_l2 = 0, others_l2 = 0;
  bool round_robin = false;
  AdaptiveStatistics told;  // but for the period that is on
  AdaptiveStatistics all() const {
    AdaptiveStatistics with = told;
    with.own_reuse += own;
    with.others_reuse += others;
    with.own_l2_reuse += own_l2;
    with.others_l2_reuse += others_l2;
    return with;
  }
  void close() {
    told = all();
    own = others = own_l2 = others_l2 = 0;
  }

  void begin_kernel() {
    victims.clear();
    started = round_robin = false;
    close();
  }
  // Choices are due at the ends of periods; they are made at the first question or event behind.
  void settle(Cycle now) {
    if (!started) {
      started = true;
      period_end = now + period;
    }
    while (now >= period_end) {
      round_robin = others + others_l2 > own + own_l2;
      ++(round_robin ? told.round_robin_periods : told.greedy_periods);
      close();
      period_end += period;
      if (now >= period_end)
        period_end = period_end +
                     (now - period_end) / period * period;  // periods without events choose alike
    }
  }
};

// The adaptive scheduler that iPAWS is compared with: counts, period by period, whether warps reuse
// the lines that they brought in themselves (then greedy then oldest) or those that others did
// (then round robin). A line lost to the cache counts, too, and so does the L2.
class AdaptiveLocal final : public Composite {
 public:
  using Options = AdaptiveOptions;
  using Statistics = AdaptiveStatistics;
  AdaptiveLocal(const Options& options, const PolicyContext& where)
      : reuse_(shared_in_sm<Reuse>(where, options, where)),
        leads_(where.scheduler == 0),
        l2_(options.l2) {
    PolicyContext inside = where;
    ++inside.part;
    greedy_ = parse_policy("gto")->build(inside);
    fair_ = parse_policy("lrr")->build(inside);
    add(*greedy_);
    add(*fair_);
  }

  WarpSlot pick(const sm::IssueView& view) override {
    reuse_->settle(view.now);
    return (reuse_->round_robin ? fair_ : greedy_)->pick(view);
  }
  WarpMask visited_before(const sm::IssueView& view, WarpMask among,
                          WarpSlot chosen) const override {
    return (reuse_->round_robin ? fair_ : greedy_)->visited_before(view, among, chosen);
  }
  sm::EventSet subscribed_events() const override {
    sm::EventSet own = Composite::subscribed_events() | sm::Event::l1_access;
    if (l2_) own = own | sm::Event::l2_reuse;
    return leads_ ? own | sm::Event::l1_evict | sm::Event::kernel : own;
  }
  void on_l1_access(const sm::L1Access& event) override {
    if (!event.load) return;
    reuse_->settle(event.now);
    if (event.outcome == sm::L1Outcome::hit) {
      ++(event.owner == event.warp ? reuse_->own : reuse_->others);
    } else if (event.outcome == sm::L1Outcome::miss) {
      const auto found = reuse_->victims.find(event.line, event.warp);
      reuse_->own += found.own;
      reuse_->others += !found.own && found.other;
    }
  }
  void on_l1_evict(const sm::L1Evict& event) override {
    if (event.owner) reuse_->victims.insert(event.line, event.owner);
  }
  void on_l2_reuse(const sm::L2Reuse& event) override {
    reuse_->settle(event.now);
    ++(event.own ? reuse_->own_l2 : reuse_->others_l2);
  }
  void on_kernel(const sm::KernelEvent& event) override {
    if (event.what == sm::KernelEvent::What::start) reuse_->begin_kernel();
  }

  void report_statistics(sm::PolicyReport& report, Cycle now) const override {
    Composite::report_statistics(report, now);
    if (leads_) report.counters("adapt-local", reuse_->all());
  }

 private:
  std::shared_ptr<Reuse> reuse_;
  bool leads_, l2_;  // leads: hears what all of the SM's schedulers are told, for all
  std::unique_ptr<sm::WarpScheduler> greedy_, fair_;
};

}  // namespace

PolicyEntry adaptive_local() {
  return policy<AdaptiveLocal>("adapt-local",
                               "Greedy or round robin, period by period, by who reuses lines",
                               "Lee et al., HPCA 2016 (as a comparison)");
}

}  // namespace heddle::sched
