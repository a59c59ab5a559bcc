// iPAWS's decision: does a greedy scheduler manage to issue evenly over its warps? Then a fair one
// suits the kernel better.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace heddle::sched {

struct IssuePattern {
  std::uint64_t instructions = 0, barrier_time = 0, stalls = 0;
};

struct PatternDecision {
  std::size_t of_interest = 0;  // warps, from the oldest on, that were looked at
  std::uint64_t sum = 0;        // of their scores
  double threshold = 0;
  bool round_robin = false;  // the pattern is convex
  double convexity() const { return threshold > 0 ? static_cast<double>(sum) / threshold : 0; }
};

// Warps (or CTAs) from the oldest to the youngest. Those of interest end with the one that was
// stalled most often (the youngest of several); without `limit_to_interest`, and when none was
// stalled, all count.
PatternDecision decide_by_pattern(std::span<const IssuePattern> by_age,
                                  bool limit_to_interest = true);

}  // namespace heddle::sched
