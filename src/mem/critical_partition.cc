#include "mem/critical_partition.h"

#include <algorithm>

#include "base/diagnostics.h"

namespace heddle::mem {

CriticalPartition::CriticalPartition(const Options& options, CriticalityJudge& judge,
                                     std::uint32_t lines, std::uint32_t ways,
                                     std::uint32_t now_per_cycle)
    : options_(options), judge_(judge), now_per_cycle_(now_per_cycle) {
  reused_.fill(1);
  resize(lines, ways);
}

void CriticalPartition::resize(std::uint32_t lines, std::uint32_t ways) {
  ways_ = ways;
  critical_ways_ = ways < 2 ? 0 : std::clamp(ways * options_.critical_share / 100, 1u, ways - 1);
  lines_.assign(lines, State{});
}

// A cache of one way is not divided.
CriticalPartition::Part CriticalPartition::part_of(std::uint32_t first, bool critical) const {
  if (critical_ways_ == 0) return {first, first + ways_};
  return critical ? Part{first, first + critical_ways_}
                  : Part{first + critical_ways_, first + ways_};
}

std::uint32_t CriticalPartition::victim(const TagArray& tags, Address address, Pc pc) const {
  const Part part = part_of(tags.first_of_set(address), predicts_critical(address, pc));
  std::uint32_t best = kNoLine;
  for (std::uint32_t i = part.first; i < part.end; ++i) {
    if (tags.line(i).reserved) continue;
    if (!tags.line(i).valid) return i;
    if (best == kNoLine || lines_[i].interval > lines_[best].interval) best = i;
  }
  return best;
}

void CriticalPartition::evict(std::uint32_t line) {
  const State& state = lines_[line];
  const bool unused = !state.used_by_critical && !state.used_by_others;
  if (in_critical_ways(line) && !state.used_by_critical && state.used_by_others)
    lower(critical_[state.signature]);
  if (unused) {
    lower(reused_[state.signature]);
    ++stats_.unused_evictions;
  }
  // SRRIP ages the lines of the part until the evicted line has the longest interval.
  const int steps = kMaxCount - state.interval;
  if (steps == 0) return;
  const Part part = part_of(line - line % ways_, in_critical_ways(line));
  for (std::uint32_t i = part.first; i < part.end; ++i)
    lines_[i].interval =
        static_cast<std::uint8_t>(std::min<int>(kMaxCount, lines_[i].interval + steps));
}

void CriticalPartition::insert(const TagArray& tags, std::uint32_t line, Address address, Pc pc) {
  check_invariant(tags.holds(line, address),
                  "a line was inserted in a way that does not hold its tag");
  const std::uint8_t key = signature(address, pc);
  const bool distant = reused_[key] == 0;
  lines_[line] = {static_cast<std::uint8_t>(distant ? kMaxCount : kMaxCount - 1), key, false,
                  false};
  stats_.distant_insertions += distant;
  ++(in_critical_ways(line) ? stats_.critical_insertions : stats_.other_insertions);
}

void CriticalPartition::hit(std::uint32_t line, WarpSlot warp, std::uint64_t now) {
  State& state = lines_[line];
  state.interval = 0;
  raise(reused_[state.signature]);
  if (judge_.is_critical(warp, now / now_per_cycle_)) {
    state.used_by_critical = true;
    raise(critical_[state.signature]);
    ++stats_.hits_by_critical;
  } else {
    state.used_by_others = true;
    ++stats_.hits_by_others;
  }
}

}  // namespace heddle::mem
