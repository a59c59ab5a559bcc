#include "sched/adaptive/issue_pattern.h"

#include <algorithm>

namespace heddle::sched {

PatternDecision decide_by_pattern(std::span<const IssuePattern> by_age, Interest interest) {
  PatternDecision d;
  d.of_interest = by_age.size();
  std::uint64_t most = 0;
  for (std::size_t i = 0; interest != Interest::all && i < by_age.size(); ++i) {
    if (by_age[i].stalls <= most) continue;
    most = by_age[i].stalls;
    d.of_interest = interest == Interest::older && i > 0 ? i : i + 1;
  }
  std::uint64_t highest = 0;
  for (const IssuePattern& p : by_age.first(d.of_interest)) {
    const std::uint64_t score = p.instructions + p.barrier_time;
    d.sum += score;
    highest = std::max(highest, score);
  }
  d.threshold = static_cast<double>(d.of_interest) * static_cast<double>(highest) / 2;
  d.round_robin = static_cast<double>(d.sum) >= d.threshold;
  return d;
}

}  // namespace heddle::sched
