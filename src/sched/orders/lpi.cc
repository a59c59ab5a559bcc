#include "sched/orders/lpi.h"

#include <algorithm>
#include <cstdlib>

#include "sched/framework/policy_entry.h"

namespace heddle::sched {

std::vector<std::uint32_t> locality_queue(std::span<const std::uint32_t> runnable,
                                          std::span<const std::uint32_t> blocked) {
  std::vector<std::vector<std::uint32_t>> gaps(runnable.size() + 1);
  for (const std::uint32_t warp : blocked) {
    const auto home = std::lower_bound(runnable.begin(), runnable.end(), warp) - runnable.begin();
    const auto rank = [&](const std::vector<std::uint32_t>& gap) {
      return std::pair(gap.empty() ? 0 : 1, std::abs((&gap - gaps.data()) - home));
    };
    std::min_element(gaps.begin(), gaps.end(), [&](const auto& a, const auto& b) {
      return rank(a) < rank(b);
    })->push_back(warp);
  }
  std::vector<std::uint32_t> queue;
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    queue.insert(queue.end(), gaps[i].begin(), gaps[i].end());
    if (i < runnable.size()) queue.push_back(runnable[i]);
  }
  return queue;
}

namespace {

struct LocalityInsertionStatistics {
  std::uint64_t picks = 0, inserted_warps = 0;
  static constexpr auto fields() {
    using S = LocalityInsertionStatistics;
    return std::make_tuple(
        stats::counter("picks", stats::Unit::events, "times that a warp was chosen", &S::picks),
        stats::counter("inserted_warps", stats::Unit::warps,
                       "warps that waited for a long operation then and stood between the others, "
                       "summed over picks",
                       &S::inserted_warps));
  }
};

// Locality protected insertion: warps that wait for long operations stand between runnable ones of
// about their age. What stands in the queue as blocked cannot issue in that cycle, and insertion
// leaves the order of the runnable ones alone; so the first warp of the queue that can issue is the
// oldest that can, and the queue itself need not be made.
class LocalityInsertion final : public sm::WarpScheduler {
 public:
  using Statistics = LocalityInsertionStatistics;
  WarpSlot pick(const sm::IssueView& view) override {
    ++told_.picks;
    told_.inserted_warps += static_cast<std::uint64_t>(view.waits_for_long.count());
    return view.oldest(view.issuable);
  }
  WarpMask visited_before(const sm::IssueView& view, WarpMask among,
                          WarpSlot chosen) const override {
    return view.older(among, chosen);
  }
  sm::EventSet subscribed_events() const override { return 0; }
  void report_statistics(sm::PolicyReport& report, Cycle) const override {
    report.counters("lpi", told_);
  }

 private:
  Statistics told_;
};

}  // namespace

PolicyEntry locality_insertion() {
  return policy<LocalityInsertion>(
      "lpi", "Oldest first, blocked warps kept beside their neighbours in age",
      "Zhang et al., FGCS 2018");
}

}  // namespace heddle::sched
