#include "sched/orders/lpi.h"

#include <algorithm>

#include "sched/framework/policy_entry.h"

namespace heddle::sched {
namespace {

enum class Inserted { long_operations, blocked };

struct LpiStatistics {
  std::uint64_t picks = 0, inserted_warps = 0, reordered_picks = 0;
  static constexpr auto fields() {
    using S = LpiStatistics;
    return std::make_tuple(
        stats::counter("picks", stats::Unit::events, "picks", &S::picks),
        stats::counter("inserted_warps", stats::Unit::warps,
                       "warps inserted between others, summed over picks", &S::inserted_warps),
        stats::counter("reordered_picks", stats::Unit::events,
                       "picks of a warp that was not the oldest issuable one",
                       &S::reordered_picks));
  }
};

// Locality protected insertion: warps issue from the oldest to the youngest, and long-latency warps
// are inserted between short-latency ones of about their age. With inserted=blocked the inserted
// warps cannot issue, and insertion does not change the order of the others. So the first issuable
// warp of the queue is the oldest issuable warp, and the queue is not built.
class LocalityProtectedInsertion final : public sm::WarpScheduler {
 public:
  using Statistics = LpiStatistics;
  struct Options {
    Inserted inserted = Inserted::long_operations;
    static auto parameters() {
      return std::make_tuple(choice(
          "inserted", &Options::inserted, {"long_operations", "blocked"},
          "the long-latency warps: those whose next instruction is a long operation, or those that "
          "wait for the result of one",
          "long_operations: the abstract of Zhang et al., FGCS 2018; blocked: Liu et al., IEICE "
          "2023"));
    }
  };
  explicit LocalityProtectedInsertion(const Options& options) : options_(options) {}

  WarpSlot pick(const sm::IssueView& view) override {
    const WarpSlot oldest = view.oldest(view.issuable);
    const WarpSlot chosen =
        options_.inserted == Inserted::blocked ? oldest : first_of(view, oldest);
    Statistics& statistics = statistics_.of(view.kernel_of(chosen));
    ++statistics.picks;
    statistics.reordered_picks += chosen != oldest;
    statistics_.add(view, inserted_in(view), &Statistics::inserted_warps);
    return chosen;
  }
  WarpMask visited_before(const sm::IssueView& view, WarpMask among,
                          WarpSlot chosen) const override {
    return view.older(among, chosen);
  }
  sm::EventSet subscribed_events() const override {
    return options_.inserted == Inserted::blocked ? sm::EventSet{} : sm::Event::warp;
  }
  void on_warp(const sm::WarpEvent& event) override {
    if (event.launch) {
      by_age_[warps_++] = event.warp;
    } else {
      const auto end = by_age_.begin() + warps_;
      warps_ -= std::remove(by_age_.begin(), end, event.warp) != end;
    }
  }
  void report_statistics(sm::PolicyReport& report, Cycle) const override {
    report.counters("lpi", statistics_);
  }

 private:
  WarpMask inserted_in(const sm::IssueView& view) const {
    return options_.inserted == Inserted::blocked ? view.waits_for_long
                                                  : view.valid & ~view.waiting & view.head_is_long;
  }
  // The first issuable warp of the queue.
  WarpSlot first_of(const sm::IssueView& view, WarpSlot oldest) const {
    const WarpMask queued = view.valid & ~view.waiting, inserted = queued & view.head_is_long;
    // Warps of one kind keep the order of their ages, where those of the other do not issue.
    if ((inserted & view.issuable).none() || inserted == queued ||
        WarpMask::only(oldest) == view.issuable)
      return oldest;
    return first_in_queue(queued, inserted, view.issuable);
  }
  WarpSlot first_in_queue(WarpMask queued, WarpMask inserted, WarpMask issuable) const {
    InsertionQueue queue;
    for (std::size_t i = 0; i < warps_; ++i) {
      if (!queued.test(by_age_[i])) continue;
      inserted.test(by_age_[i]) ? queue.add_long(by_age_[i]) : queue.add_short(by_age_[i]);
    }
    return queue.first(issuable);
  }

  Options options_;
  sm::KernelCounters<Statistics> statistics_;
  std::array<WarpSlot, kMaxWarpsPerSm> by_age_;  // live warps, the oldest first
  std::size_t warps_ = 0;
};

}  // namespace

PolicyEntry lpi() {
  return policy<LocalityProtectedInsertion>(
      "lpi", "Oldest first, long operations inserted between short ones of their age",
      "Zhang et al., FGCS 2018", {.look = 17, .topics = {Topic::own_lines, Topic::saturation}});
}

}  // namespace heddle::sched
