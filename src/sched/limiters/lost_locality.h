// CCWS's lost locality scores of the warps of an SM, and the warps that may load. Scores decay
// every cycle; they are computed when they are requested.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "sched/framework/parameters.h"
#include "sched/limiters/victim_tags.h"
#include "sm/warp_scheduler.h"

namespace heddle::sched {

enum class CutoffRule { include_crossing, strict };

struct LostLocalityOptions {
  std::uint32_t k_throttle = 8, base = 100, vta_entries = 16, vta_ways = 8, decay = 1, offset = 0;
  CutoffRule cutoff = CutoffRule::include_crossing;
  bool allow_below_base = false;
  static auto parameters() {
    using O = LostLocalityOptions;
    return std::make_tuple(
        number("k_throttle", &O::k_throttle, 0u, 1024u, "",
               "factor by which lost locality raises a score",
               "Rogers et al., MICRO 2013, table 3"),
        number("base", &O::base, 1u, 1u << 20, "points", "score of a warp without lost locality",
               "Rogers et al., MICRO 2013, table 3"),
        number("vta_entries", &O::vta_entries, 1u, 1024u, "tags", "victim tags per warp",
               "Rogers et al., MICRO 2013, table 3"),
        number("vta_ways", &O::vta_ways, 1u, 64u, "ways", "ways of the victim tag array",
               "Rogers et al., MICRO 2013, table 3"),
        number("decay", &O::decay, 1u, 1u << 20, "points",
               "decrease of a score above the base per cycle", "the authors' simulator"),
        number("offset", &O::offset, 0u, 1u << 20, "points",
               "added to the score that a hit on a lost line sets (the LLDS offset)",
               "the authors' simulator"),
        choice("cutoff", &O::cutoff, {"include_crossing", "strict"},
               "whether the warp whose score crosses the cutoff may load",
               "include_crossing: the authors' simulator; strict: the paper's text"),
        choice("allow_below_base", &O::allow_below_base, {"no", "yes"},
               "whether a score may fall below the base",
               "yes: the authors' simulator; no: an interpretation of the paper"));
  }
};

struct LostLocalityStatistics {
  std::uint64_t lost_locality_hits = 0, vetoed_loads = 0;
  static constexpr auto fields() {
    using S = LostLocalityStatistics;
    return std::make_tuple(
        stats::counter("lost_locality_hits", stats::Unit::events,
                       "misses of warps on lines that they had lost: hits in their victim tags",
                       &S::lost_locality_hits),
        stats::counter("vetoed_loads", stats::Unit::warp_instructions,
                       "loads vetoed that were not vetoed at the previous pick", &S::vetoed_loads));
  }
};
struct LostLocalityLevels {
  std::uint64_t score_sum = 0, highest_score = 0, allowed_warps = 0, resident_warps = 0;
  static constexpr auto fields() {
    using S = LostLocalityLevels;
    using stats::Unit;
    return std::make_tuple(
        stats::counter("score_sum", Unit::points,
                       "lost locality scores of all live warps, summed over SMs", &S::score_sum),
        stats::counter("highest_score", Unit::points,
                       "the highest score of each SM, summed over SMs", &S::highest_score),
        stats::counter("allowed_warps", Unit::warps, "warps that may load now, summed over SMs",
                       &S::allowed_warps),
        stats::counter("resident_warps", Unit::warps, "live warps, summed over SMs",
                       &S::resident_warps));
  }
};

class LostLocality {
 public:
  LostLocality(const LostLocalityOptions& options, std::uint32_t line_bytes);

  void launch(WarpSlot warp);
  void exit(WarpSlot warp);
  void issued(WarpSlot warp) {
    ++warps_[slot(warp)].issued;
    ++issued_sum_;
  }
  void evicted(const sm::L1Evict& event) {
    if (event.owner) tags_.insert(event.owner, event.line);
  }
  void accessed(const sm::L1Access& event);

  // The warps that may load in this cycle. Computed again only after an event that changed scores,
  // or when decay may have changed the result.
  WarpMask allowed(Cycle now);
  // The first cycle in which allowed() may return more warps; `now` after an event.
  Cycle retry_at(Cycle now) const { return stale_ ? now : std::max(now, valid_until_); }
  std::uint64_t score(WarpSlot warp, Cycle now) const;
  std::uint64_t hits() const { return statistics_.lost_locality_hits; }
  void add_vetoes(int loads) { statistics_.vetoed_loads += static_cast<std::uint64_t>(loads); }
  const LostLocalityStatistics& statistics() const { return statistics_; }
  LostLocalityLevels levels(Cycle now) const;

 private:
  struct Warp {
    std::uint64_t score = 0, hits = 0, issued = 0;
    Cycle raised_at;
  };
  static std::size_t slot(WarpSlot w) { return static_cast<std::size_t>(w.index); }
  std::uint64_t cutoff() const;
  std::uint64_t cycles_to_decay(std::uint64_t points) const {
    return (points + options_.decay - 1) / options_.decay;
  }
  void hit(WarpSlot warp, Cycle now);
  void evaluate(Cycle now);
  std::size_t rank(Cycle now);
  Cycle valid_until(Cycle now, std::size_t allowed, std::uint64_t sum) const;

  LostLocalityOptions options_;
  VictimTags tags_;
  std::array<Warp, kMaxWarpsPerSm> warps_{};
  WarpMask live_;
  std::uint64_t hits_sum_ = 0, issued_sum_ = 0;  // of live warps
  LostLocalityStatistics statistics_;
  Cycle all_at_base_;  // from this cycle on no score is above the base
  struct Ranked {
    std::uint64_t score;
    WarpSlot warp;
  };
  std::array<Ranked, kMaxWarpsPerSm> ranked_{};
  WarpMask allowed_;
  Cycle evaluated_ = Cycle::never();
  Cycle valid_until_;  // decay does not change allowed_ before this cycle
  bool stale_ = true;  // an event has changed scores since allowed_ was computed
};

}  // namespace heddle::sched
