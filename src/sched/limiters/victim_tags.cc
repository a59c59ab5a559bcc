#include "sched/limiters/victim_tags.h"
#include "sched/framework/policy_entry.h"

namespace heddle::sched {
namespace {

struct VictimTagStatistics {
  std::uint64_t hits = 0, misses = 0;
  static constexpr auto fields() {
    using S = VictimTagStatistics;
    using stats::Unit;
    return std::make_tuple(
        stats::counter("hits", Unit::events,
                       "of misses, those on lines in the warp's victim tags: lost locality",
                       &S::hits),
        stats::counter("misses", Unit::events,
                       "load misses in the L1, with those on lines that are being fetched",
                       &S::misses));
  }
};

struct VictimTagState {
  VictimTagState(std::uint32_t entries, std::uint32_t ways, std::uint32_t line_bytes)
      : tags(entries, ways, line_bytes) {}
  VictimTags tags;
  sm::KernelCounters<VictimTagStatistics> statistics;
};

// Vetoes nothing. Counts the lost locality that the victim tags of ccws would detect under the
// policies that follow it, as figure 11 of the DAWS paper does for every scheduler.
class VictimTagCounter final : public Limiter {
 public:
  struct Options {
    std::uint32_t entries = 16, ways = 8;
    static auto parameters() {
      return std::make_tuple(
          number("entries", &Options::entries, 1u, 1024u, "tags", "victim tags per warp",
                 "Rogers et al., MICRO 2013, table 3"),
          number("ways", &Options::ways, 1u, 64u, "ways", "ways of the victim tag array",
                 "Rogers et al., MICRO 2013, table 3"));
    }
  };
  using Statistics = VictimTagStatistics;
  VictimTagCounter(const Options& options, const PolicyContext& where)
      : state_(shared_in_sm<VictimTagState>(where, options.entries, options.ways,
                                            where.l1_line_bytes)),
        first_in_sm_(where.scheduler == 0) {}

  sm::EventSet subscribed_events() const override {
    const sm::EventSet own = sm::Event::l1_access | sm::Event::warp;
    return first_in_sm_ ? own | sm::Event::l1_evict : own;
  }
  void limit(sm::IssueView&) override {}
  void on_l1_evict(const sm::L1Evict& event) override {
    if (event.owner) state_->tags.insert(event.owner, event.line);
  }
  void on_l1_access(const sm::L1Access& event) override {
    if (!event.load) {
      if (!event.local) state_->tags.invalidate(event.line);
    } else if (event.outcome == sm::L1Outcome::miss ||
               event.outcome == sm::L1Outcome::hit_reserved) {
      VictimTagStatistics& statistics = state_->statistics.of(event.kernel);
      ++statistics.misses;
      statistics.hits += state_->tags.contains(event.warp, event.line);
    }
  }
  void on_warp(const sm::WarpEvent& event) override {
    if (event.launch) state_->tags.clear(event.warp);
  }
  void report_statistics(sm::PolicyReport& report, Cycle) const override {
    if (first_in_sm_) report.counters("victim-tags", state_->statistics);
  }

 private:
  std::shared_ptr<VictimTagState> state_;  // of the SM
  bool first_in_sm_;                       // receives the evictions and reports, for all schedulers
};

}  // namespace

PolicyEntry victim_tags() {
  return limiter<VictimTagCounter>("victim-tags",
                                   "Vetoes nothing; counts misses on lines in victim tags",
                                   "Rogers et al., MICRO 2013, figure 11", "gto", {.look = 23});
}

}  // namespace heddle::sched
