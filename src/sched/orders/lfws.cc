#include "sched/framework/policy_entry.h"

namespace heddle::sched {
namespace {

enum class Greedy { last_issuer, previous_cycle };
enum class Ascending { age, slot };

struct LfwsStatistics {
  std::uint64_t long_before_short = 0;
  static constexpr auto fields() {
    return std::make_tuple(
        stats::counter("long_before_short", stats::Unit::events,
                       "picks of a long operation while a warp with a short one was issuable",
                       &LfwsStatistics::long_before_short));
  }
};

// Long operations first: warps whose next instruction is a long operation issue before the others,
// so that latencies overlap. Greedy-then-oldest within both classes.
class LongFirst final : public sm::WarpScheduler {
 public:
  using Statistics = LfwsStatistics;
  struct Options {
    Greedy greedy = Greedy::last_issuer;
    Ascending ascending = Ascending::age;
    static auto parameters() {
      return std::make_tuple(
          choice("greedy", &Options::greedy, {"last_issuer", "previous_cycle"},
                 "the greedy warp of both classes: the warp that issued last, or none when no warp "
                 "issued in the previous cycle",
                 "Liu et al., IEICE 2023, section 2.3: \"according to the GTO\"; \"executed in the "
                 "previous cycle\""),
          choice(
              "ascending", &Options::ascending, {"age", "slot"},
              "the order of the other warps: the oldest first, or the lowest warp slot",
              "Liu et al., IEICE 2023, section 2.3: \"according to the GTO\"; \"according to the "
              "warp ID from small to large\""));
    }
  };
  static std::vector<policies::HardwareCost> hardware(const PolicyContext& where) {
    return {{"ready", static_cast<std::uint64_t>(where.warp_slots),
             "the flag R of each warp slot, 1 bit"}};
  }
  explicit LongFirst(const Options& options) : options_(options) {}

  WarpSlot pick(const sm::IssueView& view) override {
    const WarpMask long_ones = view.issuable & view.head_is_long;
    const WarpMask first = long_ones.any() ? long_ones : view.issuable;
    const WarpSlot greedy = greedy_in(view.now);
    const WarpSlot chosen = first.test(greedy)                      ? greedy
                            : options_.ascending == Ascending::slot ? first.lowest()
                                                                    : view.oldest(first);
    if (first != view.issuable) ++statistics_.of(view.kernel_of(chosen)).long_before_short;
    return chosen;
  }
  // A warp with a stale instruction buffer has no long operation at its head.
  WarpMask visited_before(const sm::IssueView& view, WarpMask among,
                          WarpSlot chosen) const override {
    if (view.head_is_long.test(chosen)) return {};
    const WarpSlot greedy = greedy_in(view.now);
    if (options_.ascending == Ascending::age) return view.older_or_greedy(among, greedy, chosen);
    if (chosen == greedy) return {};
    WarpMask before = among & WarpMask::first(chosen.index);
    if (among.test(greedy)) before.set(greedy);
    return before;
  }
  sm::EventSet subscribed_events() const override { return sm::Event::issue | sm::Event::warp; }
  void on_issue(const sm::Issue& issue) override {
    greedy_ = issue.warp;
    issued_at_ = issue.now;
  }
  void on_warp(const sm::WarpEvent& event) override {
    if (!event.launch && event.warp == greedy_) greedy_ = WarpSlot::none;
  }

  void report_statistics(sm::PolicyReport& report, Cycle) const override {
    report.counters("lfws", statistics_);
  }

 private:
  WarpSlot greedy_in(Cycle now) const {
    return options_.greedy == Greedy::last_issuer || now <= issued_at_ + 1 ? greedy_
                                                                           : WarpSlot::none;
  }

  Options options_;
  sm::KernelCounters<Statistics> statistics_;
  WarpSlot greedy_ = WarpSlot::none;
  Cycle issued_at_;  // when greedy_ issued last
};

}  // namespace

PolicyEntry lfws() {
  return policy<LongFirst>("lfws", "Long operations first, then greedy-then-oldest",
                           "Liu et al., IEICE 2023",
                           {.look = 16, .topics = {Topic::saturation, Topic::tail}});
}

}  // namespace heddle::sched
