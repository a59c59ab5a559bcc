// iPAWS's decision: when a greedy scheduler issues evenly over its warps, round robin suits the
// kernel better.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace heddle::sched {

struct IssuePattern {
  std::uint64_t instructions = 0, barrier_time = 0, stalls = 0;
};

struct PatternDecision {
  std::size_t of_interest = 0;  // number of warps of interest, from the oldest on
  std::uint64_t sum = 0;        // of their scores: instructions + barrier_time
  double threshold = 0;
  bool round_robin = false;  // the pattern is convex
  double convexity() const { return threshold > 0 ? static_cast<double>(sum) / threshold : 0; }
};

// The warps of interest: all, those up to the most stalled warp, or those older than it.
enum class Interest { all, up_to_most_stalled, older };

// by_age: warps (or CTAs) from the oldest to the youngest. The most stalled warp is the oldest of
// several (section 3.2 of the paper). All warps are of interest when no warp stalled.
PatternDecision decide_by_pattern(std::span<const IssuePattern> by_age,
                                  Interest interest = Interest::up_to_most_stalled);

}  // namespace heddle::sched
