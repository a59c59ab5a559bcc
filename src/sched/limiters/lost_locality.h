// CCWS's lost locality scores: what an SM knows about which warps lost lines to others, and who may
// therefore load. Scores sink every cycle; they are worked out when somebody asks.
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
               "how strongly lost locality raises a score", "Rogers et al., MICRO 2013, table 3"),
        number("base", &O::base, 1u, 1u << 20, "points", "score of a warp that lost nothing",
               "Rogers et al., MICRO 2013, table 3"),
        number("vta_entries", &O::vta_entries, 1u, 1024u, "tags", "victim tags per warp",
               "Rogers et al., MICRO 2013, table 3"),
        number("vta_ways", &O::vta_ways, 1u, 64u, "ways", "ways of the victim tag array",
               "Rogers et al., MICRO 2013, table 3"),
        number("decay", &O::decay, 1u, 1u << 20, "points",
               "what a score above the base loses per cycle", "the authors' simulator"),
        number("offset", &O::offset, 0u, 1u << 20, "points",
               "what a hit on a lost line adds to the score that it sets (the LLDS offset)",
               "the authors' simulator"),
        choice("cutoff", &O::cutoff, {"include_crossing", "strict"},
               "whether the warp whose score crosses the cutoff may load",
               "include_crossing: the authors' simulator; strict: the paper's text"),
        choice("allow_below_base", &O::allow_below_base, {"no", "yes"},
               "whether a score may fall below the base",
               "yes: the authors' simulator; no: an interpretation of the paper"));
  }
};

// What CCWS tells.
struct LostLocalityStatistics {
  std::uint64_t lost_locality_hits = 0, vetoed_loads = 0;
  static constexpr auto fields() {
    using S = LostLocalityStatistics;
    return std::make_tuple(
        stats::counter("lost_locality_hits", stats::Unit::events,
                       "misses of a warp on lines that it had lost: hits in its victim tags",
                       &S::lost_locality_hits),
        stats::counter("vetoed_loads", stats::Unit::warp_instructions,
                       "loads held back that were not at the pick before", &S::vetoed_loads));
  }
};
struct LostLocalityLevels {
  std::uint64_t score_sum = 0, highest_score = 0, allowed_warps = 0, resident_warps = 0;
  static constexpr auto fields() {
    using S = LostLocalityLevels;
    using stats::Unit;
    return std::make_tuple(
        stats::counter("score_sum", Unit::points,
                       "lost locality scores of all resident warps, summed over SMs",
                       &S::score_sum),
        stats::counter("highest_score", Unit::points,
                       "the highest score of each SM, summed over SMs", &S::highest_score),
        stats::counter("allowed_warps", Unit::warps, "warps that may load now", &S::allowed_warps),
        stats::counter("resident_warps", Unit::warps, "warps that it chooses among",
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

  // Who may load in this cycle. Worked out again only when something happened or time may have
  // changed it.
  WarpMask allowed(Cycle now);
  // When those who were not allowed should ask again; `now` when something has happened since.
  Cycle ask_again(Cycle now) const { return stale_ ? now : std::max(now, holds_until_); }
  std::uint64_t score(WarpSlot warp, Cycle now) const;
  std::uint64_t hits() const { return told_.lost_locality_hits; }
  void held_back(int loads) { told_.vetoed_loads += static_cast<std::uint64_t>(loads); }
  const LostLocalityStatistics& statistics() const { return told_; }
  LostLocalityLevels levels(Cycle now) const;

 private:
  struct Warp {
    std::uint64_t score = 0, hits = 0, issued = 0;
    Cycle raised_at;
  };
  static std::size_t slot(WarpSlot w) { return static_cast<std::size_t>(w.index); }
  std::uint64_t cutoff() const;
  std::uint64_t cycles_to_lose(std::uint64_t points) const {
    return (points + options_.decay - 1) / options_.decay;
  }
  void hit(WarpSlot warp, Cycle now);
  void evaluate(Cycle now);
  std::size_t rank(Cycle now);
  Cycle holds_until(Cycle now, std::size_t allowed, std::uint64_t sum) const;

  LostLocalityOptions options_;
  VictimTags tags_;
  std::array<Warp, kMaxWarpsPerSm> warps_{};
  WarpMask live_;
  std::uint64_t hits_sum_ = 0, issued_sum_ = 0;  // over resident warps
  LostLocalityStatistics told_;
  Cycle all_at_base_;  // from here on no score is above the base
  struct Ranked {
    std::uint64_t score;
    WarpSlot warp;
  };
  std::array<Ranked, kMaxWarpsPerSm> ranked_{};
  WarpMask allowed_;
  Cycle evaluated_ = Cycle::never();
  Cycle holds_until_;  // allowed_ does not change before by itself
  bool stale_ = true;  // something happened since allowed_ was worked out
};

}  // namespace heddle::sched
