// CTA clustering (Li et al., ASPLOS 2017). The grid is cut along a direction into as many clusters
// of neighbouring CTAs as there are SMs; each SM runs the CTAs of its cluster. The paper does this
// in software, in two ways. Agents: CTAs that stay on their SM take tasks from its cluster.
// Redirection: a CTA computes another id for itself, and assumes that the hardware deals CTAs round
// robin.
#include <algorithm>

#include "gpu/cta/cta_entry.h"
#include "gpu/cta/limited_round_robin.h"

namespace heddle::gpu {
namespace {

using analysis::Direction;

enum class ClusterDirection { automatic, x, y };
enum class Binding { agent, redirect };

struct ClusteredStatistics {
  std::uint64_t clustered_kernels = 0, misplaced_ctas = 0;
  static constexpr auto fields() {
    using S = ClusteredStatistics;
    return std::make_tuple(
        stats::counter("clustered_kernels", stats::Unit::events,
                       "launches with a direction; the others run in round robin",
                       &S::clustered_kernels),
        stats::counter("misplaced_ctas", stats::Unit::ctas,
                       "CTAs that started on another SM than that of their cluster",
                       &S::misplaced_ctas));
  }
};

class Clustered final : public CtaScheduler {
 public:
  struct Options {
    ClusterDirection direction = ClusterDirection::automatic;
    Binding binding = Binding::agent;
    std::uint32_t agents = 0;
    static auto parameters() {
      return std::make_tuple(
          policies::choice("direction", &Options::direction, {"auto", "x", "y"},
                           "neighbours of a cluster: along rows (x), along columns (y), or as the "
                           "analysis says",
                           "Li et al., ASPLOS 2017, section 4.2"),
          policies::choice("binding", &Options::binding, {"agent", "redirect"},
                           "agent: an SM starts only CTAs of its cluster; redirect: the CTA with "
                           "number i in round robin becomes number i / SMs of cluster i mod SMs, "
                           "wherever it starts",
                           "Li et al., ASPLOS 2017, section 4.3"),
          policies::number("agents", &Options::agents, 0u, 64u, "CTAs",
                           "most CTAs of an SM; 0: as many as fit",
                           "Li et al., ASPLOS 2017, section 4.3 (CTA throttling)"));
    }
  };
  using Statistics = ClusteredStatistics;

  Clustered(const Options& options, const CtaContext& context)
      : options_(options), round_robin_(context) {}

  void begin_kernel(const KernelStart& start) override {
    grid_ = start.grid;
    sms_ = static_cast<std::uint64_t>(start.sms);
    direction_ = direction_of(start);
    statistics_.clustered_kernels += direction_ != Direction::none;
    most_ = options_.agents ? std::min(static_cast<int>(options_.agents), start.ctas_per_sm)
                            : start.ctas_per_sm;
    round_robin_.begin_kernel(start, most_);
    left_ = grid_.count();
    next_.assign(sms_, 0);
    resident_.assign(sms_, 0);
  }

  void dispatch(Cycle from, Cycle to, std::vector<int>& free_slots,
                std::vector<Placement>& placements) override {
    if (binds_to_sm()) return dispatch_agents(from, to, free_slots, placements);
    const std::size_t first = placements.size();
    round_robin_.dispatch(from, to, free_slots, placements);
    if (direction_ == Direction::none) return;
    for (std::size_t i = first; i < placements.size(); ++i) {
      const std::uint64_t number = placements[i].cta, cluster = number % sms_;
      statistics_.misplaced_ctas += static_cast<std::uint64_t>(placements[i].sm) != cluster;
      placements[i].cta = cta_at(begin_of(cluster) + number / sms_);
    }
  }
  bool exhausted() const override { return binds_to_sm() ? left_ == 0 : round_robin_.exhausted(); }
  void on_finished(const FinishedCta& cta) override {
    if (binds_to_sm())
      --resident_[static_cast<std::size_t>(cta.sm)];
    else
      round_robin_.on_finished(cta);
  }
  Direction direction() const override { return direction_; }
  void report_statistics(sm::PolicyReport& report) const override {
    report.counters("clustered", statistics_);
  }

 private:
  bool binds_to_sm() const {
    return direction_ != Direction::none && options_.binding == Binding::agent;
  }
  Direction direction_of(const KernelStart& start) const {
    if (options_.direction == ClusterDirection::x) return Direction::x;
    if (options_.direction == ClusterDirection::y) return Direction::y;
    if (start.hint_direction) return *start.hint_direction;
    return start.analysis ? start.analysis->result().ctas.direction : Direction::none;
  }
  // The first place of a cluster in the order along the direction. The first clusters have one CTA
  // more where the grid does not divide evenly.
  std::uint64_t begin_of(std::uint64_t cluster) const {
    const std::uint64_t count = grid_.count();
    return cluster * (count / sms_) + std::min(cluster, count % sms_);
  }
  // The linear number of the CTA at a place: row-major for x, column-major for y. The planes of a
  // 3-D grid are further rows.
  std::uint64_t cta_at(std::uint64_t place) const {
    if (direction_ == Direction::x) return place;
    const std::uint64_t rows = std::uint64_t{grid_.y} * grid_.z;
    return place % rows * grid_.x + place / rows;
  }
  // Every cycle each SM takes at most one CTA of its cluster.
  void dispatch_agents(Cycle from, Cycle to, std::vector<int>& free_slots,
                       std::vector<Placement>& placements) {
    bool placed = true;
    for (Cycle at = from; at < to && placed && left_ > 0; ++at) {
      placed = false;
      for (std::uint64_t sm = 0; sm < sms_; ++sm) {
        const std::uint64_t place = begin_of(sm) + next_[sm];
        if (free_slots[sm] == 0 || resident_[sm] == most_ || place == begin_of(sm + 1)) continue;
        placements.push_back({static_cast<int>(sm), cta_at(place), at});
        ++next_[sm];
        ++resident_[sm];
        --free_slots[sm];
        --left_;
        placed = true;
      }
    }
  }

  Options options_;
  LimitedRoundRobin round_robin_;  // of launches without direction, and of redirection
  Dim3 grid_;
  std::uint64_t sms_ = 1, left_ = 0;
  Direction direction_ = Direction::none;
  int most_ = 1;
  std::vector<std::uint64_t> next_;  // by SM: CTAs of its cluster that have started
  std::vector<int> resident_;        // by SM
  ClusteredStatistics statistics_;
};

}  // namespace

CtaEntry clustered() {
  return cta_scheduler<Clustered>("clustered", "Each SM runs a cluster of neighbouring CTAs",
                                  "Li et al., ASPLOS 2017");
}

}  // namespace heddle::gpu
