// PAVER (Tripathy et al., TACO 2021). CTAs that share lines form a graph; it is cut into groups as
// large as the CTAs that an SM holds, and each SM runs groups that are close to each other. The
// paper builds the graph from the kernel's memory references; here the lines come from the analysis
// of the launch.
//
// The work is bounded on huge grids: the graph is built for one segment of the grid at a time, when
// an SM has no CTA left of the segments before, and of no more than `lines` lines of each CTA.
// These are chosen by their number alone, so a line is chosen in all CTAs that share it, or in
// none.
#include <algorithm>
#include <deque>

#include "gpu/cta/cta_entry.h"
#include "gpu/cta/locality_graph.h"

namespace heddle::gpu {
namespace {

enum class Partition { bisection, spanning_tree };

struct PaverStatistics {
  std::uint64_t segments = 0, groups = 0, shared_lines = 0, shared_inside = 0, stolen = 0,
                kernels_without_sharing = 0;
  static constexpr auto fields() {
    using S = PaverStatistics;
    return std::make_tuple(
        stats::counter("segments", stats::Unit::events, "segments of grids that were partitioned",
                       &S::segments),
        stats::counter("groups", stats::Unit::events, "groups of CTAs", &S::groups),
        stats::counter("shared_lines", stats::Unit::lines,
                       "lines that two CTAs share, summed over the pairs of the graph",
                       &S::shared_lines),
        stats::counter("shared_inside", stats::Unit::lines,
                       "of them, those that two CTAs of one group share", &S::shared_inside),
        stats::counter("stolen", stats::Unit::ctas,
                       "CTAs that started on another SM than that of their group", &S::stolen),
        stats::counter("kernels_without_sharing", stats::Unit::events,
                       "launches in whose first segment no CTAs share a line, as far as known; "
                       "their groups are consecutive CTAs",
                       &S::kernels_without_sharing));
  }
};

class Paver final : public CtaScheduler {
 public:
  struct Options {
    Partition partition = Partition::bisection;
    bool steal = true;
    std::uint32_t group = 0, segment = 1024, lines = 256;
    static auto parameters() {
      return std::make_tuple(
          policies::choice("partition", &Options::partition, {"bisection", "spanning_tree"},
                           "how the graph is cut into groups: by recursive bisection, or along a "
                           "maximum spanning tree",
                           "Tripathy et al., TACO 2021; bisection is the paper's best"),
          policies::choice(
              "steal", &Options::steal, {"no", "yes"},
              "an SM without CTAs of its own takes the last one of the SM with most left",
              "yes: Tripathy et al., TACO 2021 (task stealing)"),
          policies::number("group", &Options::group, 0u, 1024u, "CTAs",
                           "CTAs of a group; 0: as many as fit an SM, fewer in small grids",
                           "0: Tripathy et al., TACO 2021"),
          policies::number("segment", &Options::segment, 16u, 65536u, "CTAs",
                           "CTAs whose graph is built at a time", "chosen here, to bound the work"),
          policies::number("lines", &Options::lines, 1u, 65536u, "lines",
                           "about the most lines of a CTA that are compared",
                           "chosen here, to bound the work"));
    }
  };
  using Statistics = PaverStatistics;

  explicit Paver(const Options& options) : options_(options) {}

  void begin_kernel(const KernelStart& start) override {
    analysis_ = start.analysis;
    count_ = left_ = start.grid.count();
    loaded_ = 0;
    sampling_ = 1;
    own_.assign(static_cast<std::size_t>(start.sms), {});
    const std::uint64_t share = (count_ + own_.size() - 1) / own_.size();
    const std::uint64_t fits = static_cast<std::uint64_t>(start.ctas_per_sm);
    group_ = static_cast<std::size_t>(options_.group ? options_.group : std::min(fits, share));
  }

  // Every cycle each SM takes at most one CTA of its own.
  void dispatch(Cycle from, Cycle to, std::vector<int>& free_slots,
                std::vector<Placement>& placements) override {
    bool placed = true;
    for (Cycle at = from; at < to && placed && left_ > 0; ++at) {
      placed = false;
      for (std::size_t sm = 0; sm < own_.size(); ++sm) {
        if (free_slots[sm] == 0) continue;
        while (own_[sm].empty() && loaded_ < count_) load_segment();
        const std::size_t source = source_for(sm);
        if (source == own_.size()) continue;
        placements.push_back({static_cast<int>(sm), take(source, source == sm), at});
        statistics_.stolen += source != sm;
        --free_slots[sm];
        --left_;
        placed = true;
      }
    }
  }
  bool exhausted() const override { return left_ == 0; }
  void report_statistics(sm::PolicyReport& report) const override {
    report.counters("paver", statistics_);
  }

 private:
  std::vector<std::uint64_t> lines_of(std::uint64_t cta) {
    if (!analysis_) return {};
    std::vector<std::uint64_t> lines = analysis_->lines_of_cta(cta);
    // The first CTA decides which share of all lines is compared.
    if (cta == 0)
      while (lines.size() / sampling_ > options_.lines) sampling_ *= 2;
    if (sampling_ > 1)
      std::erase_if(lines, [&](std::uint64_t line) {
        return (line * 0x9E3779B97F4A7C15ull >> 40) % sampling_ != 0;
      });
    // A later CTA may touch more lines. Its lowest ones are compared.
    if (lines.size() > 2 * std::size_t{options_.lines})
      lines.resize(2 * std::size_t{options_.lines});
    return lines;
  }

  void load_segment() {
    const std::uint64_t end = std::min(count_, loaded_ + options_.segment);
    std::vector<std::vector<std::uint64_t>> lines;
    for (std::uint64_t cta = loaded_; cta < end; ++cta) lines.push_back(lines_of(cta));
    const LocalityGraph graph(lines, kReach);
    const auto groups =
        options_.partition == Partition::bisection ? graph.bisect(group_) : graph.chain(group_);
    const std::uint64_t shared = graph.weight();
    ++statistics_.segments;
    statistics_.groups += groups.size();
    statistics_.shared_lines += shared;
    statistics_.shared_inside += graph.weight_inside(groups);
    statistics_.kernels_without_sharing += loaded_ == 0 && shared == 0;
    deal(groups);
    loaded_ = end;
  }
  // Neighbouring groups go to one SM. The SMs that get a group more are others in each segment.
  void deal(const LocalityGraph::Groups& groups) {
    const std::uint64_t first = loaded_ / options_.segment * (groups.size() % own_.size());
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const std::uint64_t part = g * own_.size() / groups.size();
      auto& own = own_[(part + first) % own_.size()];
      for (const LocalityGraph::Vertex v : groups[g]) own.push_back(loaded_ + v);
    }
  }

  // The SM from whose CTAs `sm` takes the next one; own_.size() when there is none.
  std::size_t source_for(std::size_t sm) const {
    if (!own_[sm].empty()) return sm;
    std::size_t source = own_.size();
    if (!options_.steal) return source;
    std::size_t most = 0;
    for (std::size_t i = 0; i < own_.size(); ++i)
      if (own_[i].size() > most) source = i, most = own_[i].size();
    return source;
  }
  std::uint64_t take(std::size_t source, bool first) {
    auto& own = own_[source];
    const std::uint64_t cta = first ? own.front() : own.back();
    first ? own.pop_front() : own.pop_back();
    return cta;
  }

  static constexpr std::uint32_t kReach = 8;  // sharers of a line that a CTA is connected with

  Options options_;
  analysis::LaunchAnalysis* analysis_ = nullptr;
  std::uint64_t count_ = 0, left_ = 0, loaded_ = 0, sampling_ = 1;
  std::size_t group_ = 1;
  std::vector<std::deque<std::uint64_t>> own_;  // by SM: its CTAs that have not started
  PaverStatistics statistics_;
};

}  // namespace

CtaEntry paver() {
  return cta_scheduler<Paver>("paver", "A graph of the CTAs that share lines, cut into groups",
                              "Tripathy et al., TACO 2021");
}

}  // namespace heddle::gpu
