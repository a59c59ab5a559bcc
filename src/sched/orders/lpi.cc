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

struct LpiStatistics {
  std::uint64_t picks = 0, inserted_warps = 0;
  static constexpr auto fields() {
    using S = LpiStatistics;
    return std::make_tuple(
        stats::counter("picks", stats::Unit::events, "picks", &S::picks),
        stats::counter("inserted_warps", stats::Unit::warps,
                       "warps inserted because they waited for a long operation, summed over picks",
                       &S::inserted_warps));
  }
};

// Locality protected insertion: warps that wait for long operations are inserted between runnable
// warps of about their age. Blocked warps cannot issue in that cycle, and insertion does not change
// the order of the runnable warps. So the first issuable warp of the queue is the oldest issuable
// warp, and the queue is not built.
class LocalityProtectedInsertion final : public sm::WarpScheduler {
 public:
  using Statistics = LpiStatistics;
  WarpSlot pick(const sm::IssueView& view) override {
    ++statistics_.picks;
    statistics_.inserted_warps += static_cast<std::uint64_t>(view.waits_for_long.count());
    return view.oldest(view.issuable);
  }
  WarpMask visited_before(const sm::IssueView& view, WarpMask among,
                          WarpSlot chosen) const override {
    return view.older(among, chosen);
  }
  sm::EventSet subscribed_events() const override { return 0; }
  void report_statistics(sm::PolicyReport& report, Cycle) const override {
    report.counters("lpi", statistics_);
  }

 private:
  Statistics statistics_;
};

}  // namespace

PolicyEntry lpi() {
  return policy<LocalityProtectedInsertion>(
      "lpi", "Oldest first, blocked warps inserted between warps of their age",
      "Zhang et al., FGCS 2018");
}

}  // namespace heddle::sched
