#include "sched/framework/policy_entry.h"

namespace heddle::sched {
namespace {

enum class Membership { sticky, instant };
enum class Guides { reads, long_operations };

struct LlosStatistics {
  std::uint64_t guiding_issues = 0, filling_issues = 0;
  static constexpr auto fields() {
    using S = LlosStatistics;
    return std::make_tuple(
        stats::counter("guiding_issues", stats::Unit::warp_instructions,
                       "instructions issued by guiding warps", &S::guiding_issues),
        stats::counter("filling_issues", stats::Unit::warp_instructions,
                       "instructions issued by the other warps", &S::filling_issues));
  }
};
struct LlosLevels {
  std::uint64_t guiding_warps = 0;
  static constexpr auto fields() {
    return std::make_tuple(stats::counter("guiding_warps", stats::Unit::warps, "guiding warps",
                                          &LlosLevels::guiding_warps));
  }
};

// Long-operation guiding: a warp whose next instruction is a long read with a scoreboard hazard
// becomes a guiding warp until that read issues. Guiding warps issue first; the others fill the
// latencies. Round robin within both classes.
class LongOperationGuiding final : public sm::WarpScheduler {
 public:
  using Statistics = LlosStatistics;
  using Levels = LlosLevels;
  struct Options {
    Membership membership = Membership::sticky;
    Guides guides = Guides::reads;
    static auto parameters() {
      return std::make_tuple(
          choice("membership", &Options::membership, {"sticky", "instant"},
                 "a warp guides until its long operation issues, or only in cycles in which that "
                 "operation has a hazard",
                 "an interpretation: the paper's text was not available"),
          choice("guides", &Options::guides, {"reads", "long_operations"},
                 "the operations that make a warp guide: loads and texture fetches, or stores and "
                 "atomics, too",
                 "reads: Liu et al., IEICE 2023, section 2.1; long_operations: the abstract of Do "
                 "et al. names loads and stores"));
    }
  };
  explicit LongOperationGuiding(const Options& options) : options_(options) {}

  WarpSlot pick(const sm::IssueView& view) override {
    observe(view);
    const WarpMask guiding = view.issuable & guiding_;
    return guiding.any() ? guiding.next_cyclic(last_guide_.index + 1)
                         : view.issuable.next_cyclic(last_filler_.index + 1);
  }
  WarpMask visited_before(const sm::IssueView&, WarpMask among, WarpSlot chosen) const override {
    if (guiding_.test(chosen)) return sm::IssueView::between(among & guiding_, last_guide_, chosen);
    return (among & guiding_) | sm::IssueView::between(among & ~guiding_, last_filler_, chosen);
  }
  sm::EventSet subscribed_events() const override {
    return sm::Event::issue | sm::Event::no_issue | sm::Event::warp;
  }
  void on_issue(const sm::Issue& issue) override {
    const bool guided = guiding_.test(issue.warp);
    Statistics& statistics = statistics_.of(issue.kernel);
    ++(guided ? statistics.guiding_issues : statistics.filling_issues);
    (guided ? last_guide_ : last_filler_) = issue.warp;
    guiding_.reset(issue.warp);
  }
  void on_no_issue(const sm::NoIssue& event) override { observe(event.view); }
  void on_warp(const sm::WarpEvent& event) override { guiding_.reset(event.warp); }

  void report_statistics(sm::PolicyReport& report, Cycle) const override {
    report.counters("llos", statistics_);
    Levels levels;
    levels.guiding_warps = static_cast<std::uint64_t>(guiding_.count());
    report.levels("llos", levels);
  }

 private:
  void observe(const sm::IssueView& view) {
    const WarpMask blocked = view.valid & view.head_is_long & ~view.ready;
    if (options_.membership == Membership::instant) guiding_ = {};
    (blocked & ~guiding_).for_each([&](WarpSlot w) {
      if (options_.guides == Guides::long_operations ||
          view.head[static_cast<std::size_t>(w.index)]->is_load())
        guiding_.set(w);
    });
  }

  Options options_;
  sm::KernelCounters<Statistics> statistics_;
  WarpMask guiding_;
  WarpSlot last_guide_ = WarpSlot::none, last_filler_ = WarpSlot::none;
};

}  // namespace

PolicyEntry llos() {
  return policy<LongOperationGuiding>(
      "llos", "Warps that stall before a long read first, then the others",
      "Do et al., J. Supercomputing 2020",
      {.look = 18, .topics = {Topic::saturation, Topic::open_rows}});
}

}  // namespace heddle::sched
