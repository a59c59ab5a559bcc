#include <algorithm>

#include "sched/framework/cta_table.h"
#include "sched/framework/kernel_table.h"
#include "sched/framework/policy_entry.h"
#include "sched/orders/group_switching.h"

namespace heddle::sched {
namespace {

// State that the schedulers of an SM share.
struct CtaNumbers {
  CtaTable ctas;
  // CTAs got the numbers 0 .. used - 1 since the last time at which no kernel ran.
  int used = 0;
  KernelTable kernels;

  void launch(const sm::WarpEvent& event) {
    bool is_new = false;
    used = std::max(used, ctas.launch(event, is_new) + 1);
  }
};

// OWL, CTA-aware scheduling: groups of whole CTAs. The first group issues until all its warps wait
// for memory or a barrier, then the next group. With come_back the first group continues as soon as
// one of its warps can issue, so that its lines stay in the cache. With spread the SMs start with
// different groups, so that neighbouring CTAs do not access the same DRAM banks at once.
class CtaAwareScheduling final : public sm::WarpScheduler {
 public:
  using Statistics = GroupStatistics;
  struct Options {
    std::uint32_t ctas = 1;
    bool come_back = true, spread = true;
    SwitchOn switch_on = SwitchOn::long_stall;
    static auto parameters() {
      const char* const paper = "Jog et al., ASPLOS 2013";
      return std::make_tuple(
          number("ctas", &Options::ctas, 1u, 64u, "CTAs", "CTAs in a group",
                 "an interpretation: the paper's text was not available"),
          choice("come_back", &Options::come_back, {"no", "yes"},
                 "whether the first group continues as soon as it can issue", paper),
          choice("spread", &Options::spread, {"no", "yes"},
                 "whether the SMs start with different groups", paper),
          choice("switch_on", &Options::switch_on, {"any_stall", "long_stall"},
                 "switch to the next group when no member can issue, or only when all members wait "
                 "for long operations or a barrier",
                 "long_stall: Jog et al., ASPLOS 2013"));
    }
  };
  CtaAwareScheduling(const Options& options, const PolicyContext& where)
      : options_(options),
        sm_(where.sm),
        first_in_sm_(where.scheduler == 0),
        ctas_(shared_in_sm<CtaNumbers>(where)) {}

  WarpSlot pick(const sm::IssueView& view) override {
    const int groups = group_count();
    const int first = options_.spread ? sm_ % groups : 0;
    const int from = options_.come_back ? first : current_ % groups;
    for (int i = 0; i < groups; ++i) {
      const WarpMask members = members_of((from + i) % groups);
      if (const WarpMask own = members & view.issuable; own.any())
        return own.next_cyclic(last_.index + 1);
      if (options_.switch_on == SwitchOn::long_stall &&
          (members & view.live & view.supervised & ~(view.waits_for_long | view.waiting)).any())
        return WarpSlot::none;
    }
    return view.issuable.next_cyclic(last_.index + 1);
  }
  WarpMask visited_before(const sm::IssueView&, WarpMask among, WarpSlot chosen) const override {
    const int groups = group_count();
    const int from = options_.come_back ? (options_.spread ? sm_ % groups : 0) : current_ % groups;
    WarpMask before;
    for (int i = 0; i < groups; ++i) {
      const WarpMask members = members_of((from + i) % groups);
      if (members.test(chosen))
        return before | sm::IssueView::between(among & members, last_, chosen);
      before |= among & members;
    }
    return sm::IssueView::between(among, last_, chosen);
  }
  sm::EventSet subscribed_events() const override {
    const sm::EventSet own = sm::Event::issue | sm::Event::warp;
    return first_in_sm_ ? own | sm::Event::kernel : own;
  }
  void on_issue(const sm::Issue& issue) override {
    last_ = issue.warp;
    const int group = std::max(0, ctas_->ctas.of(issue.warp)) / static_cast<int>(options_.ctas);
    statistics_.of(issue.kernel).group_switches += group != current_;
    current_ = group;
  }
  void on_warp(const sm::WarpEvent& event) override {
    if (event.launch)
      ctas_->launch(event);
    else
      ctas_->ctas.exit(event.warp);
  }
  void on_kernel(const sm::KernelEvent& event) override {
    const bool alone = !ctas_->kernels.runs_another(event.number);
    ctas_->kernels.on_kernel(event);
    if (alone && event.what == sm::KernelEvent::What::start) ctas_->used = 0;
  }

  void report_statistics(sm::PolicyReport& report, Cycle) const override {
    report.counters("owl", statistics_);
  }

 private:
  int group_count() const {
    return std::max(
        1, (ctas_->used + static_cast<int>(options_.ctas) - 1) / static_cast<int>(options_.ctas));
  }
  WarpMask members_of(int group) const {
    const int first = group * static_cast<int>(options_.ctas);
    WarpMask all;
    for (int cta = first; cta < std::min(first + static_cast<int>(options_.ctas), ctas_->used);
         ++cta)
      all |= ctas_->ctas[cta].warps;
    return all;
  }

  Options options_;
  sm::KernelCounters<Statistics> statistics_;
  int sm_;
  bool first_in_sm_;                  // the SM's first scheduler subscribes to kernels for all
  std::shared_ptr<CtaNumbers> ctas_;  // of the SM
  int current_ = 0;                   // the group of the last issue
  WarpSlot last_ = WarpSlot::none;
};

}  // namespace

PolicyEntry owl() {
  return policy<CtaAwareScheduling>("owl", "One group of CTAs at a time, the first one preferred",
                                    "Jog et al., ASPLOS 2013 (without its prefetching)",
                                    {.look = 15});
}

}  // namespace heddle::sched
