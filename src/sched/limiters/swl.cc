#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "sched/framework/kernel_table.h"
#include "sched/framework/policy_entry.h"
#include "sched/limiters/swl_limits.h"

namespace heddle::sched {
namespace {

enum class Per { sm, scheduler };
// Which warps at a barrier or fence count. none: no such warp. before_last: all, but the youngest
// warp of the pool is never one. lifts: all, and the pool holds all warps while its last one is at
// a barrier.
enum class AtBarrier { none, before_last, lifts };

struct SwlStatistics {
  std::uint64_t vetoed_warps = 0;
  static constexpr auto fields() {
    return std::make_tuple(
        stats::counter("vetoed_warps", stats::Unit::events,
                       "vetoes of issuable warps that were not vetoed at the previous pick",
                       &SwlStatistics::vetoed_warps));
  }
};

// Static wavefront limiting: only the oldest warps run, so that their working sets fit the L1.
// Warps at a barrier do not count by default: otherwise a CTA with more warps than the limit would
// never pass a barrier.
class StaticWarpLimiting final : public Limiter {
 public:
  struct Options {
    std::uint32_t warps = 8;
    Per per = Per::sm;
    AtBarrier barrier = AtBarrier::none;
    std::string best, best_per_kernel;
    std::shared_ptr<const StaticLimits> limits{};  // the contents of the file
    static auto parameters() {
      return std::make_tuple(
          number("warps", &Options::warps, 1u, 64u, "warps", "warps that may run",
                 "Rogers et al., MICRO 2012: chosen per program"),
          choice("per", &Options::per, {"sm", "scheduler"}, "whose warps are counted",
                 "sm: Rogers et al., MICRO 2012; scheduler: GPGPU-Sim's warp_limiting"),
          choice("barrier", &Options::barrier, {"none", "before_last", "lifts"},
                 "which warps at a barrier count: none; all, but a warp more runs while the last "
                 "one is at a barrier; or all, but all warps run while the last one is",
                 "none, before_last: interpretations; lifts: the authors' simulator"),
          file("best", &Options::best,
               "the program's limit instead of `warps`, written by heddle best-swl",
               "Best-SWL: Rogers et al., MICRO 2012; MICRO 2013, table 3"),
          file("best_per_kernel", &Options::best_per_kernel,
               "limits per kernel and grid instead of `warps`, written by heddle best-swl",
               "an interpretation"));
    }
    void read_files() {
      if (!best.empty() && !best_per_kernel.empty())
        throw UserError("scheduler swl: best and best_per_kernel exclude each other");
      for (const std::string& path : {best, best_per_kernel})
        if (!path.empty() && path != kAutomaticFile)
          limits = std::make_shared<StaticLimits>(StaticLimits::read(path));
    }
    std::string missing_input() const {
      const std::string_view key = best_per_kernel.empty() ? "best" : "best_per_kernel";
      return (best.empty() && best_per_kernel.empty()) || limits
                 ? ""
                 : fmt::format(
                       "scheduler swl:{} needs {}=FILE: heddle best-swl PROGRAM "
                       "-o FILE writes it, and heddle compare searches automatically",
                       key, key);
    }
  };
  using Statistics = SwlStatistics;
  using Levels = LimiterLevels;
  StaticWarpLimiting(const Options& options, const PolicyContext& where)
      : options_(options),
        reports_levels_(options.per == Per::scheduler || where.scheduler == 0),
        kernels_(shared_in_sm<KernelTable>(where)) {
    if (options_.limits && options_.best_per_kernel.empty())
      options_.warps = options_.limits->warps;
  }

  sm::EventSet subscribed_events() const override {
    const sm::EventSet own = sm::Event::cta;
    return options_.best_per_kernel.empty() ? own : own | sm::Event::kernel | sm::Event::warp;
  }
  // Only with limits per kernel.
  void on_kernel(const sm::KernelEvent& event) override {
    kernels_->on_kernel(event);
    if (event.what != sm::KernelEvent::What::start) return;
    const auto number = static_cast<std::size_t>(event.number);
    if (of_kernel_.size() <= number) of_kernel_.resize(number + 1);
    options_.warps = of_kernel_[number] = options_.limits->limit_of(event.kernel->name, event.grid);
    live_ = WarpMask{};
  }
  void on_warp(const sm::WarpEvent& event) override { kernels_->on_warp(event); }
  // New warps may have the slots of ended ones.
  void on_cta(const sm::CtaEvent& event) override {
    if (event.launch) live_ = WarpMask{};
  }

  void limit(sm::IssueView& view) override {
    const WarpMask counted = options_.per == Per::sm ? WarpMask::all() : view.supervised;
    const WarpMask live = view.sm_live & counted;
    resident_ = live;
    const int sole = kernels_->sole();
    if (!of_kernel_.empty() && sole >= 0)
      options_.warps = of_kernel_[static_cast<std::size_t>(sole)];
    if (sole >= 0 && live.count() <= static_cast<int>(options_.warps)) {
      allowed_ = live;
      vetoed_ = WarpMask{};
      return;
    }
    update(live, view.sm_at_barrier & counted, view);
    allowed_ = pool_ & live;
    const WarpMask before = std::exchange(vetoed_, view.issuable & ~pool_);
    statistics_.add(view, vetoed_ & ~before, &Statistics::vetoed_warps);
    view.live &= pool_;
    view.valid &= pool_;
    view.ready &= pool_;
    view.issuable &= pool_;
  }

  void report_statistics(sm::PolicyReport& report, Cycle) const override {
    report.counters("swl", statistics_);
    if (reports_levels_)
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
    if (kernels_->sole() >= 0) return fill_pool(live, at_barrier, options_.warps);
    for (std::size_t kernel = 0; kernel < of_kernel_.size(); ++kernel)
      fill_pool(live & kernels_->warps(static_cast<int>(kernel)), at_barrier, of_kernel_[kernel]);
  }
  // Adds the oldest warps of `among`.
  void fill_pool(WarpMask among, WarpMask at_barrier, std::uint32_t limit) {
    std::uint32_t counted = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      if (!among.test(by_age_[i])) continue;
      const bool waits = at_barrier.test(by_age_[i]);
      pool_.set(by_age_[i]);
      if (!waits || options_.barrier != AtBarrier::none) ++counted;
      const bool full = options_.barrier == AtBarrier::lifts ? counted == limit : counted >= limit;
      if (full && !waits) break;
    }
  }

  Options options_;
  bool reports_levels_;  // with per=sm only the SM's first scheduler: all count the same warps
  // With limits per kernel: each kernel's, by number, and the kernels of the SM's warps.
  std::vector<std::uint32_t> of_kernel_;
  std::shared_ptr<KernelTable> kernels_;
  WarpMask allowed_, resident_, vetoed_;  // at the last pick
  sm::KernelCounters<Statistics> statistics_;
  WarpMask live_, at_barrier_;  // from which pool_ was computed
  WarpMask pool_;               // the warps that may run
  std::array<WarpSlot, kMaxWarpsPerSm> by_age_;
  std::size_t count_ = 0;
};

}  // namespace

PolicyEntry swl() {
  return limiter<StaticWarpLimiting>(
      "swl", "Only the oldest `warps` warps of the SM may run", "Rogers et al., MICRO 2012", "gto",
      {.look = 4, .topics = {Topic::own_lines, Topic::throttling, Topic::saturation}});
}

}  // namespace heddle::sched
