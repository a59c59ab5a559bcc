#include <algorithm>
#include <array>
#include <utility>

#include "sched/framework/policy_entry.h"
#include "sched/limiters/swl_limits.h"

namespace heddle::sched {
namespace {

enum class Per { sm, scheduler };

struct StaticLimitStatistics {
  std::uint64_t warps_held_back = 0;
  static constexpr auto fields() {
    return std::make_tuple(stats::counter(
        "warps_held_back", stats::Unit::events,
        "warps that could issue and were not let, and were not held back at the pick before",
        &StaticLimitStatistics::warps_held_back));
  }
};

// Static wavefront limiting: only the oldest warps take part, so that their working sets fit the
// L1. Those parked at a barrier do not count, or a CTA of more warps than the limit would never
// pass it.
class StaticLimit final : public Limiter {
 public:
  struct Options {
    std::uint32_t warps = 8;
    Per per = Per::sm;
    std::string best;
    std::shared_ptr<const StaticLimits> read{};  // what stands there
    static auto parameters() {
      return std::make_tuple(
          number("warps", &Options::warps, 1u, 64u, "warps", "warps that may run",
                 "Rogers et al., MICRO 2012: chosen per program"),
          choice("per", &Options::per, {"sm", "scheduler"}, "whose warps are counted",
                 "sm: Rogers et al., MICRO 2012; scheduler: GPGPU-Sim's warp_limiting"),
          file("best", &Options::best,
               "limits of each kernel in place of `warps`, written by heddle best-swl",
               "Best-SWL: Rogers et al., MICRO 2012"));
    }
    void prepare() {
      if (!best.empty() && best != kFromARun)
        read = std::make_shared<StaticLimits>(StaticLimits::read(best));
    }
    std::string missing_input() const {
      return best.empty() || read ? ""
                                  : "scheduler swl:best needs best=FILE: heddle best-swl PROGRAM "
                                    "-o FILE writes it, heddle compare searches by itself";
    }
  };
  using Statistics = StaticLimitStatistics;
  using Levels = LimiterLevels;
  StaticLimit(const Options& options, const PolicyContext& where)
      : options_(options), tells_(options.per == Per::scheduler || where.scheduler == 0) {}

  sm::EventSet subscribed_events() const override {
    const sm::EventSet own = sm::EventSet{} | sm::Event::cta;
    return options_.read ? own | sm::Event::kernel : own;
  }
  void on_kernel(const sm::KernelEvent& event) override {
    if (event.what != sm::KernelEvent::What::start) return;
    options_.warps = options_.read->limit_of(event.kernel->name, event.grid);
    live_ = WarpMask{};
  }
  // New warps may sit where ended ones sat.
  void on_cta(const sm::CtaEvent& event) override {
    if (event.launch) live_ = WarpMask{};
  }

  void limit(sm::IssueView& view) override {
    const WarpMask counted = options_.per == Per::sm ? WarpMask::all() : view.supervised;
    const WarpMask live = view.sm_live & counted;
    resident_ = live;
    if (live.count() <= static_cast<int>(options_.warps)) {
      allowed_ = live;
      held_back_ = WarpMask{};
      return;
    }
    update(live, view.sm_at_barrier & counted, view);
    allowed_ = pool_ & live;
    const WarpMask before = std::exchange(held_back_, view.issuable & ~pool_);
    told_.warps_held_back += static_cast<std::uint64_t>((held_back_ & ~before).count());
    view.live &= pool_;
    view.valid &= pool_;
    view.ready &= pool_;
    view.issuable &= pool_;
  }

  void report_statistics(sm::PolicyReport& report, Cycle) const override {
    report.counters("swl", told_);
    if (tells_)
      report.levels("swl", Levels{static_cast<std::uint64_t>(allowed_.count()),
                                  static_cast<std::uint64_t>(resident_.count())});
  }

 private:
  void update(WarpMask live, WarpMask at_barrier, const sm::IssueView& view) {
    if (live == live_ && at_barrier == at_barrier_) return;
    if (live != live_) {
      count_ = 0;
      live.for_each([&](WarpSlot w) { by_age_[count_++] = w; });
      std::sort(by_age_.begin(), by_age_.begin() + static_cast<std::ptrdiff_t>(count_),
                [&](WarpSlot a, WarpSlot b) {
                  return view.age[static_cast<std::size_t>(a.index)] <
                         view.age[static_cast<std::size_t>(b.index)];
                });
    }
    live_ = live;
    at_barrier_ = at_barrier;
    pool_ = WarpMask{};
    for (std::size_t i = 0; i < count_; ++i) {
      pool_.set(by_age_[i]);
      if (i + 1 >= options_.warps && !at_barrier.test(by_age_[i])) break;
    }
  }

  Options options_;
  bool tells_;  // one of the SM's schedulers does, where all count the same warps
  WarpMask allowed_, resident_, held_back_;  // at the last pick
  Statistics told_;
  WarpMask live_, at_barrier_, pool_;  // the pool, and what it was made from
  std::array<WarpSlot, kMaxWarpsPerSm> by_age_;
  std::size_t count_ = 0;
};

}  // namespace

PolicyEntry static_limit() {
  return limiter<StaticLimit>("swl", "Only the oldest `warps` warps of the SM may run",
                              "Rogers et al., MICRO 2012");
}

}  // namespace heddle::sched
