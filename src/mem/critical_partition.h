// Criticality-aware cache prioritisation (Lee et al., ISCA 2015): some ways of every set are kept
// for lines that critical warps are expected to use again. Two tables of two-bit counters, looked
// up by instruction and memory region, predict whether a line will be used by a critical warp, and
// whether it will be used again at all; replacement is by re-reference interval (SRRIP) in either
// part.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/types.h"
#include "mem/tag_array.h"
#include "stats/fields.h"

namespace heddle::mem {

// Who knows which warps are critical now.
class CriticalityJudge {
 public:
  virtual ~CriticalityJudge() = default;
  virtual bool is_critical(WarpSlot warp, std::uint64_t now) = 0;
};

struct CriticalPartitionStats {
  std::uint64_t critical_insertions = 0, other_insertions = 0, distant_insertions = 0;
  std::uint64_t hits_by_critical = 0, hits_by_others = 0, unused_evictions = 0;

  static constexpr auto fields() {
    using enum stats::Unit;
    using S = CriticalPartitionStats;
    return std::make_tuple(
        stats::counter("critical_insertions", lines, "lines put into the ways of critical warps",
                       &S::critical_insertions),
        stats::counter("other_insertions", lines, "lines put into the other ways",
                       &S::other_insertions),
        stats::counter("distant_insertions", lines,
                       "of both, lines that were not expected to be used again",
                       &S::distant_insertions),
        stats::counter("hits_by_critical", requests, "reads by warps that were critical that hit",
                       &S::hits_by_critical),
        stats::counter("hits_by_others", requests, "reads by other warps that hit",
                       &S::hits_by_others),
        stats::counter("unused_evictions", lines, "lines that left without having been used again",
                       &S::unused_evictions));
  }
};

class CriticalPartition {
 public:
  struct Options {
    std::uint32_t critical_share =
        50;  // percent of the ways, rounded down; at least one way and not all
    std::uint32_t region_bytes = 16384;  // memory that shares a signature, per instruction
    friend bool operator==(const Options&, const Options&) = default;
  };
  // now_per_cycle: by how much the cache's time advances in one of the judge's cycles.
  CriticalPartition(const Options& options, CriticalityJudge& judge, std::uint32_t lines,
                    std::uint32_t ways, std::uint32_t now_per_cycle = 1);

  // The line that gives way to one brought in by this instruction: an empty one of its part, else
  // that with the most distant re-reference; kNoLine when a fetch is under way for each.
  std::uint32_t victim(const TagArray& tags, Address address, Pc pc) const;
  // A valid line leaves; what it was used for teaches the predictors. Before insert().
  void evict(std::uint32_t line);
  void insert(const TagArray& tags, std::uint32_t line, Address address, Pc pc);
  void hit(std::uint32_t line, WarpSlot warp, std::uint64_t now);
  void resize(std::uint32_t lines, std::uint32_t ways);

  bool predicts_critical(Address address, Pc pc) const {
    return critical_[signature(address, pc)] >= kCritical;
  }
  std::uint32_t critical_ways() const { return critical_ways_; }
  const CriticalPartitionStats& stats() const { return stats_; }

 private:
  static constexpr std::uint8_t kMost = 3;  // of a two-bit counter, and of a re-reference interval
  static constexpr std::uint8_t kCritical = 2;  // from here on a line belongs to the critical ways
  struct State {
    std::uint8_t interval = kMost, signature = 0;
    bool used_by_critical = false, used_by_others = false;
  };
  struct Part {
    std::uint32_t first, end;
  };

  std::uint8_t signature(Address address, Pc pc) const {
    return static_cast<std::uint8_t>(pc ^ address.value / options_.region_bytes);
  }
  Part part_of(std::uint32_t first_of_set, bool critical) const;
  bool in_critical_ways(std::uint32_t line) const { return line % ways_ < critical_ways_; }
  static void raise(std::uint8_t& counter) { counter += counter < kMost; }
  static void lower(std::uint8_t& counter) { counter -= counter > 0; }

  Options options_;
  CriticalityJudge& judge_;
  std::uint32_t now_per_cycle_;
  std::uint32_t ways_ = 1, critical_ways_ = 0;
  std::vector<State> lines_;
  std::array<std::uint8_t, 256> critical_{};  // CCBP: used by critical warps
  std::array<std::uint8_t, 256> reused_;      // SHiP: used again at all
  CriticalPartitionStats stats_;
};

}  // namespace heddle::mem
