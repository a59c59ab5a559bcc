#include <algorithm>

#include "sched/framework/cta_table.h"
#include "sched/framework/policy_entry.h"

namespace heddle::sched {
namespace {

enum class SwitchOn { any_stall, long_stall };

struct GroupStatistics {
  std::uint64_t group_switches = 0;
  static constexpr auto fields() {
    return std::make_tuple(stats::counter("group_switches", stats::Unit::events,
                                          "issues of another group than the issue before",
                                          &GroupStatistics::group_switches));
  }
};

// What the schedulers of an SM share.
struct CtaPlaces {
  CtaTable ctas;
  int used = 0;  // CTA numbers of this kernel: 0 .. used - 1

  void launch(const sm::WarpEvent& event) {
    bool arrived = false;
    used = std::max(used, ctas.launch(event, arrived) + 1);
  }
};

// OWL: warps form groups of whole CTAs. The group that comes first is served until all its warps
// wait for memory or a barrier, then the next; with locality, the first one takes over again as
// soon as one of its warps can go on, so that its lines stay in the cache. SMs start with different
// groups, lest the DRAM rows of neighbouring CTAs all lie in the same banks.
class CtaGroups final : public sm::WarpScheduler {
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
                 "whether the first group takes over again as soon as it can", paper),
          choice("spread", &Options::spread, {"no", "yes"},
                 "whether SMs put different groups first", paper),
          choice("switch_on", &Options::switch_on, {"any_stall", "long_stall"},
                 "leave a group when no member can issue, or only when each waits for a long "
                 "operation or a barrier",
                 "long_stall: Jog et al., ASPLOS 2013"));
    }
  };
  CtaGroups(const Options& options, const PolicyContext& where)
      : options_(options),
        sm_(where.sm),
        leads_(where.scheduler == 0),
        places_(shared_in_sm<CtaPlaces>(where)) {}

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
    WarpMask nearer;
    for (int i = 0; i < groups; ++i) {
      const WarpMask members = members_of((from + i) % groups);
      if (members.test(chosen))
        return nearer | sm::IssueView::between(among & members, last_, chosen);
      nearer |= among & members;
    }
    return sm::IssueView::between(among, last_, chosen);
  }
  sm::EventSet subscribed_events() const override {
    const sm::EventSet own = sm::Event::issue | sm::Event::warp;
    return leads_ ? own | sm::Event::kernel : own;
  }
  void on_issue(const sm::Issue& issue) override {
    last_ = issue.warp;
    const int group = std::max(0, places_->ctas.of(issue.warp)) / static_cast<int>(options_.ctas);
    told_.group_switches += group != current_;
    current_ = group;
  }
  void on_warp(const sm::WarpEvent& event) override {
    if (event.launch)
      places_->launch(event);
    else
      places_->ctas.exit(event.warp);
  }
  void on_kernel(const sm::KernelEvent& event) override {
    if (event.what == sm::KernelEvent::What::start) places_->used = 0;
  }

  void report_statistics(sm::PolicyReport& report, Cycle) const override {
    report.counters("owl", told_);
  }

 private:
  int group_count() const {
    return std::max(
        1, (places_->used + static_cast<int>(options_.ctas) - 1) / static_cast<int>(options_.ctas));
  }
  WarpMask members_of(int group) const {
    const int first = group * static_cast<int>(options_.ctas);
    WarpMask all;
    for (int cta = first; cta < std::min(first + static_cast<int>(options_.ctas), places_->used);
         ++cta)
      all |= places_->ctas[cta].warps;
    return all;
  }

  Options options_;
  Statistics told_;
  int sm_;
  bool leads_;                         // hears of kernels for all of the SM's schedulers
  std::shared_ptr<CtaPlaces> places_;  // of the SM
  int current_ = 0;                    // the group that is served
  WarpSlot last_ = WarpSlot::none;
};

}  // namespace

PolicyEntry cta_groups() {
  return policy<CtaGroups>("owl", "Groups of CTAs, the first one as soon as it can",
                           "Jog et al., ASPLOS 2013 (without its prefetching)");
}

}  // namespace heddle::sched
