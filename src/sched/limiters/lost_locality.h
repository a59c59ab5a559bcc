// CCWS's lost locality scores of the warps of an SM, and the warps that may load. Scores decay
// every cycle; they are computed when they are requested.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "policies/parameters.h"
#include "sched/limiters/victim_tags.h"
#include "sm/policy/warp_scheduler.h"

namespace heddle::sched {

enum class CutoffRule { include_crossing, strict };
// current: a score never exceeds what a hit would set now. at_hit: a hit sets it, and it decays.
enum class ScoreCap { current, at_hit };
// A vetoed warp's load that would be the second instruction of a cycle.
enum class SecondLoad { vetoed, passes };

struct LostLocalityOptions {
  std::uint32_t k_throttle = 8, base = 100, vta_entries = 16, vta_ways = 8, decay = 1, offset = 0;
  CutoffRule cutoff = CutoffRule::include_crossing;
  ScoreCap cap = ScoreCap::current;
  SecondLoad second_load = SecondLoad::passes;
  bool merged = true;       // a miss on a pending line probes the victim tags, too
  bool cutoff_lags = true;  // the cutoff follows the number of warps a cycle later
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
        choice("cap", &O::cap, {"current", "at_hit"},
               "current: a score never exceeds what a hit would set now, even below the base until "
               "the warp's next access; at_hit: a hit sets it, to at least the base",
               "current: the authors' simulator; at_hit: an interpretation"),
        choice("merged", &O::merged, {"no", "yes"},
               "whether a miss on a line that is being fetched probes the victim tags",
               "yes: the authors' simulator; no: an interpretation"),
        choice("cutoff_lags", &O::cutoff_lags, {"no", "yes"},
               "whether the cutoff follows the number of warps a cycle later",
               "yes: the authors' simulator; no: an interpretation"),
        choice("second_load", &O::second_load, {"vetoed", "passes"},
               "whether a load of a warp that may not load issues as the second instruction of a "
               "cycle, on GPUs that issue two",
               "passes: the authors' simulator; vetoed: an interpretation"));
  }
};

struct LostLocalityStatistics {
  std::uint64_t lost_locality_hits = 0, lost_after_veto = 0, vetoed_loads = 0;
  static constexpr auto fields() {
    using S = LostLocalityStatistics;
    return std::make_tuple(
        stats::counter("lost_locality_hits", stats::Unit::events,
                       "misses of warps on lines that they had lost: hits in their victim tags",
                       &S::lost_locality_hits),
        stats::counter(
            "lost_after_veto", stats::Unit::events,
            "of lost_locality_hits, those in a loop in which a load of the warp had been "
            "vetoed since it entered the loop",
            &S::lost_after_veto),
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

  // kernel: of the warp; null when the loops of loads do not matter.
  void launch(WarpSlot warp, Cycle now, const isa::Kernel* kernel = nullptr);
  void exit(WarpSlot warp, Cycle now);
  void issued(WarpSlot warp, Cycle now) {
    ++warps_[slot(warp)].issued;
    ++issued_sum_;
    if (now < all_at_base_ && options_.cap == ScoreCap::current) cap_scores(now);
  }
  // The warp issued an instruction. Ends its veto when it is outside the loop of the veto.
  void left_loop(WarpSlot warp, const isa::Instruction& i) {
    if (vetoed_in_loop_.test(warp)) end_veto_outside_loop(warp, i);
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
  // A load of the warp was vetoed that was not vetoed at the previous pick. kernel: of the warp.
  void add_veto(WarpSlot warp, int kernel, const isa::Instruction& load);
  const sm::KernelCounters<LostLocalityStatistics>& statistics() const { return statistics_; }
  LostLocalityLevels levels(Cycle now) const;

 private:
  struct Warp {
    std::uint64_t score = 0, hits = 0, issued = 0;
    Cycle raised_at;
    std::uint16_t veto_loop = isa::Loop::kNone;  // of the load that was vetoed
    const isa::Kernel* kernel = nullptr;
  };
  static std::size_t slot(WarpSlot w) { return static_cast<std::size_t>(w.index); }
  std::uint64_t cutoff(Cycle now) const;
  void change_live(WarpSlot warp, bool live, Cycle now);
  std::uint64_t score_of_hit(Cycle now) const;
  void cap_scores(Cycle now);
  static bool is_inside(const isa::Kernel& kernel, std::uint16_t loop, std::uint16_t outer);
  void end_veto_outside_loop(WarpSlot warp, const isa::Instruction& i);
  std::uint64_t cycles_to_decay(std::uint64_t points) const {
    return (points + options_.decay - 1) / options_.decay;
  }
  void hit(const sm::L1Access& event);
  void evaluate(Cycle now);
  std::size_t rank(Cycle now);
  Cycle valid_until(Cycle now, std::size_t allowed, std::uint64_t sum) const;
  Cycle until_cutoff_changes(Cycle now) const {
    return options_.cutoff_lags && now <= live_changed_at_ ? live_changed_at_ + 1 : Cycle::never();
  }

  LostLocalityOptions options_;
  VictimTags tags_;
  std::array<Warp, kMaxWarpsPerSm> warps_{};
  WarpMask live_;
  int live_before_ = 0;  // live warps before the last change
  Cycle live_changed_at_;
  WarpMask below_base_;                          // warps whose scores are below the base
  WarpMask vetoed_in_loop_;                      // warps with a veto in the loop that they are in
  std::uint64_t hits_sum_ = 0, issued_sum_ = 0;  // of live warps
  sm::KernelCounters<LostLocalityStatistics> statistics_;
  Cycle all_at_base_;          // from this cycle on no score is above the base
  std::uint64_t highest_ = 0;  // no score, plus `decay` times its cycle of raising, is higher
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
