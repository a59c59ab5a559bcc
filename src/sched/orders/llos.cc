#include "sched/framework/policy_entry.h"

namespace heddle::sched {
namespace {

enum class Membership { sticky, instant };

struct GuidingStatistics {
  std::uint64_t guiding_issues = 0, filling_issues = 0;
  static constexpr auto fields() {
    using S = GuidingStatistics;
    return std::make_tuple(stats::counter("guiding_issues", stats::Unit::warp_instructions,
                                          "instructions of warps that guided", &S::guiding_issues),
                           stats::counter("filling_issues", stats::Unit::warp_instructions,
                                          "instructions of the others", &S::filling_issues));
  }
};
struct GuidingLevels {
  std::uint64_t guiding_warps = 0;
  static constexpr auto fields() {
    return std::make_tuple(stats::counter("guiding_warps", stats::Unit::warps, "warps that guide",
                                          &GuidingLevels::guiding_warps));
  }
};

// Warps about to wait for long operations guide: one whose long operation was held back by the
// scoreboard comes before the others until that operation issues. The rest fill the latencies.
// Round robin in both classes.
class GuidingWarps final : public sm::WarpScheduler {
 public:
  using Statistics = GuidingStatistics;
  using Levels = GuidingLevels;
  struct Options {
    Membership membership = Membership::sticky;
    static auto parameters() {
      return std::make_tuple(choice("membership", &Options::membership, {"sticky", "instant"},
                                    "a guiding warp guides until its operation issues, or in the "
                                    "very cycles in which it is held back",
                                    "an interpretation: the paper's text was not available"));
    }
  };
  explicit GuidingWarps(const Options& options) : options_(options) {}

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
    ++(guided ? told_.guiding_issues : told_.filling_issues);
    (guided ? last_guide_ : last_filler_) = issue.warp;
    guiding_.reset(issue.warp);
  }
  void on_no_issue(const sm::NoIssue& event) override { observe(event.view); }
  void on_warp(const sm::WarpEvent& event) override { guiding_.reset(event.warp); }

  void report_statistics(sm::PolicyReport& report, Cycle) const override {
    report.counters("llos", told_);
    Levels levels;
    levels.guiding_warps = static_cast<std::uint64_t>(guiding_.count());
    report.levels("llos", levels);
  }

 private:
  void observe(const sm::IssueView& view) {
    const WarpMask held_back = view.valid & view.head_is_long & ~view.ready;
    guiding_ = options_.membership == Membership::sticky ? guiding_ | held_back : held_back;
  }

  Options options_;
  Statistics told_;
  WarpMask guiding_;
  WarpSlot last_guide_ = WarpSlot::none, last_filler_ = WarpSlot::none;
};

}  // namespace

PolicyEntry guiding_warps() {
  return policy<GuidingWarps>("llos",
                              "Warps held back before a long operation guide, the others fill",
                              "Do et al., J. Supercomputing 2020");
}

}  // namespace heddle::sched
