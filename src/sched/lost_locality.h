// CCWS's lost locality scores: what an SM knows about which warps lost lines to others, and who may therefore load. Scores decay by one
// a cycle; they are worked out when somebody asks, not every cycle.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "sched/parameters.h"
#include "sched/victim_tags.h"
#include "sm/warp_scheduler.h"

namespace heddle::sched {

enum class CutoffRule { include_crossing, strict };

struct LostLocalityOptions {
  std::uint32_t k_throttle = 8, base = 100, vta_entries = 16, vta_ways = 8;
  CutoffRule cutoff = CutoffRule::include_crossing;
  bool allow_below_base = false;
  static auto parameters() {
    using O = LostLocalityOptions;
    return std::make_tuple(
        number("k_throttle", &O::k_throttle, 0u, 1024u, "", "how strongly lost locality raises a score", "Rogers et al., MICRO 2013, table 3"),
        number("base", &O::base, 1u, 1u << 20, "points", "score of a warp that lost nothing", "Rogers et al., MICRO 2013, table 3"),
        number("vta_entries", &O::vta_entries, 1u, 1024u, "tags", "victim tags per warp", "Rogers et al., MICRO 2013, table 3"),
        number("vta_ways", &O::vta_ways, 1u, 64u, "ways", "ways of the victim tag array", "Rogers et al., MICRO 2013, table 3"),
        choice("cutoff", &O::cutoff, {"include_crossing", "strict"}, "whether the warp whose score crosses the cutoff may load",
               "include_crossing: the authors' simulator; strict: the paper's text"),
        choice("allow_below_base", &O::allow_below_base, {"no", "yes"}, "whether a score may fall below the base",
               "yes: the authors' simulator; no: an interpretation of the paper"));
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

  // Who may load in this cycle. Worked out again only when something happened or time may have changed it.
  WarpMask allowed(Cycle now);
  // When those who were not allowed should ask again; `now` when something has happened since.
  Cycle ask_again(Cycle now) const { return stale_ ? now : std::max(now, holds_until_); }
  std::uint64_t score(WarpSlot warp, Cycle now) const;
  std::uint64_t hits() const { return hits_total_; }

 private:
  struct Warp { std::uint64_t score = 0, hits = 0, issued = 0; Cycle raised_at; };
  static std::size_t slot(WarpSlot w) { return static_cast<std::size_t>(w.index); }
  std::uint64_t cutoff() const;
  void hit(WarpSlot warp, Cycle now);
  void evaluate(Cycle now);
  std::size_t rank(Cycle now);
  Cycle holds_until(Cycle now, std::size_t allowed, std::uint64_t sum) const;

  LostLocalityOptions options_;
  VictimTags tags_;
  std::array<Warp, kMaxWarpsPerSm> warps_{};
  WarpMask live_;
  std::uint64_t hits_sum_ = 0, issued_sum_ = 0;  // over resident warps
  std::uint64_t hits_total_ = 0;
  Cycle all_at_base_;                            // from here on no score is above the base
  struct Ranked { std::uint64_t score; WarpSlot warp; };
  std::array<Ranked, kMaxWarpsPerSm> ranked_{};
  WarpMask allowed_;
  Cycle evaluated_ = Cycle::never();
  Cycle holds_until_;    // allowed_ does not change before by itself
  bool stale_ = true;    // something happened since allowed_ was worked out
};

}  // namespace heddle::sched
