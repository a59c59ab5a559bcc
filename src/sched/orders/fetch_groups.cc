#include "sched/framework/policy_entry.h"
#include "sched/orders/group_switching.h"

namespace heddle::sched {
namespace {

// Fetch groups: round robin within one group of warps until the group stalls, then the next group.
// So the groups reach their long operations at different times.
class FetchGroups final : public sm::WarpScheduler {
 public:
  using Statistics = GroupStatistics;
  struct Options {
    std::uint32_t group_size = 8;
    SwitchOn switch_on = SwitchOn::any_stall;
    static auto parameters() {
      return std::make_tuple(number("group_size", &Options::group_size, 1u, 64u, "warps",
                                    "warps in a fetch group", "Narasiman et al., MICRO 2011"),
                             choice("switch_on", &Options::switch_on, {"any_stall", "long_stall"},
                                    "switch to the next group when no member can issue, or only "
                                    "when all members wait for long operations or a barrier",
                                    "any_stall: the implementation published with CCWS"));
    }
  };
  FetchGroups(const Options& options, const PolicyContext& where)
      : options_(options), schedulers_(where.schedulers) {}

  WarpSlot pick(const sm::IssueView& view) override {
    if (const WarpSlot own = next_in(group_, view.issuable)) return own;
    const WarpMask members = members_of(group_) & view.live;
    if (options_.switch_on == SwitchOn::long_stall &&
        (members & ~(view.waits_for_long | view.waiting)).any())
      return WarpSlot::none;
    const int groups = group_of(WarpSlot(kMaxWarpsPerSm - 1)) + 1;
    for (int i = 1; i < groups; ++i)
      if (const WarpSlot other = next_in((group_ + i) % groups, view.issuable)) return other;
    return WarpSlot::none;
  }
  WarpMask visited_before(const sm::IssueView&, WarpMask among, WarpSlot chosen) const override {
    const int groups = group_of(WarpSlot(kMaxWarpsPerSm - 1)) + 1;
    const auto distance = [&](WarpSlot w) { return (group_of(w) - group_ + groups) % groups; };
    WarpMask before;
    among.for_each([&](WarpSlot w) {
      if (distance(w) < distance(chosen)) before.set(w);
    });
    return before | sm::IssueView::between(among & members_of(group_of(chosen)), last_, chosen);
  }
  void on_issue(const sm::Issue& issue) override {
    last_ = issue.warp;
    const int group = group_of(issue.warp);
    statistics_.of(issue.kernel).group_switches += group != group_;
    group_ = group;
  }

  void report_statistics(sm::PolicyReport& report, Cycle) const override {
    report.counters("fetch-groups", statistics_);
  }

 private:
  int group_of(WarpSlot warp) const {
    return warp.index / schedulers_ / static_cast<int>(options_.group_size);
  }
  WarpMask members_of(int group) const {
    const int slots = static_cast<int>(options_.group_size) * schedulers_;
    return WarpMask::first((group + 1) * slots) & ~WarpMask::first(group * slots);
  }
  WarpSlot next_in(int group, WarpMask issuable) const {
    return (issuable & members_of(group)).next_cyclic(last_.index + 1);
  }

  Options options_;
  sm::KernelCounters<Statistics> statistics_;
  int schedulers_;
  int group_ = 0;
  WarpSlot last_ = WarpSlot::none;
};

}  // namespace

PolicyEntry fetch_groups() {
  return policy<FetchGroups>("fetch-groups",
                             "Two levels: round robin within one group of warps at a time",
                             "Narasiman et al., MICRO 2011",
                             {.look = 13, .topics = {Topic::open_rows, Topic::shared_lines}});
}

}  // namespace heddle::sched
