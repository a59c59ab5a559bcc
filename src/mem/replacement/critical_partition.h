// Criticality-aware cache prioritization (Lee et al., ISCA 2015). Some ways of every set are
// reserved for lines that critical warps are predicted to reuse. Two tables of two-bit counters,
// indexed by instruction and memory region, predict whether a critical warp will use a line and
// whether any warp will reuse it. Each part of a set is replaced by re-reference interval (SRRIP).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/types.h"
#include "mem/replacement/intervals.h"
#include "mem/replacement/replacement_policy.h"
#include "mem/tag_array.h"
#include "stats/fields.h"

namespace heddle::mem {

// Decides which warps are critical.
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
    return stats::table(
        stats::counter("critical_insertions", lines,
                       "lines inserted into the ways of critical warps", &S::critical_insertions),
        stats::counter("other_insertions", lines, "lines inserted into the other ways",
                       &S::other_insertions),
        stats::counter("distant_insertions", lines,
                       "inserted lines that were predicted not to be reused",
                       &S::distant_insertions),
        stats::counter("hits_by_critical", requests, "read hits of critical warps",
                       &S::hits_by_critical),
        stats::counter("hits_by_others", requests, "read hits of other warps", &S::hits_by_others),
        stats::counter("unused_evictions", lines, "evicted lines that were never reused",
                       &S::unused_evictions));
  }
};

class CriticalPartition final : public ReplacementPolicy {
 public:
  struct Options {
    // Percent of the ways for critical lines, rounded down; at least one way, and not all.
    std::uint32_t critical_share = 50;
    std::uint32_t region_bytes = 16384;  // addresses of a region share their signatures
    friend bool operator==(const Options&, const Options&) = default;
  };
  // now_per_cycle: cycles of the cache per cycle of the judge.
  CriticalPartition(const Options& options, CriticalityJudge& judge,
                    std::uint32_t now_per_cycle = 1);

  // The predictors keep what they have learnt.
  void resize(std::uint32_t lines, std::uint32_t ways) override;
  // An empty line of the part of the set for lines of this instruction, or that with the longest
  // interval.
  std::uint32_t victim(const TagArray& tags, const Incoming& incoming) const override;
  // The uses of the line train the predictors.
  void evict(std::uint32_t line) override;
  void insert(std::uint32_t line, const Incoming& incoming) override;
  void use(std::uint32_t line, const Use& use) override;  // only hits of reads count

  bool predicts_critical(Address address, Pc pc) const {
    return critical_[signature(address, pc)] >= kCritical;
  }
  std::uint32_t critical_ways() const { return critical_ways_; }
  const CriticalPartitionStats& stats() const { return stats_; }

 private:
  static constexpr std::uint8_t kMaxCount = 3;  // of a two-bit counter
  static constexpr std::uint8_t kCritical = 2;  // counters from this on predict a critical line
  struct State {
    std::uint8_t signature = 0;
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
  static void raise(std::uint8_t& counter) { counter += counter < kMaxCount; }
  static void lower(std::uint8_t& counter) { counter -= counter > 0; }

  Options options_;
  CriticalityJudge& judge_;
  std::uint32_t now_per_cycle_;
  std::uint32_t ways_ = 1, critical_ways_ = 0;
  Intervals intervals_{2};
  std::vector<State> lines_;
  std::array<std::uint8_t, 256> critical_{};  // CCBP: used by a critical warp
  std::array<std::uint8_t, 256> reused_;      // SHiP: reused by any warp
  CriticalPartitionStats stats_;
};

}  // namespace heddle::mem
