#include "mem/replacement/critical_partition.h"

#include <algorithm>

namespace heddle::mem {

CriticalPartition::CriticalPartition(const Options& options, CriticalityJudge& judge,
                                     std::uint32_t now_per_cycle)
    : options_(options), judge_(judge), now_per_cycle_(now_per_cycle) {
  reused_.fill(1);
}

void CriticalPartition::resize(std::uint32_t lines, std::uint32_t ways) {
  ways_ = ways;
  critical_ways_ = ways < 2 ? 0 : std::clamp(ways * options_.critical_share / 100, 1u, ways - 1);
  lines_.assign(lines, State{});
  intervals_.resize(lines);
}

// A cache of one way is not divided.
CriticalPartition::Part CriticalPartition::part_of(std::uint32_t first, bool critical) const {
  if (critical_ways_ == 0) return {first, first + ways_};
  return critical ? Part{first, first + critical_ways_}
                  : Part{first + critical_ways_, first + ways_};
}

std::uint32_t CriticalPartition::victim(const TagArray& tags, const Incoming& incoming) const {
  const Part part = part_of(tags.first_of_set(incoming.address),
                            predicts_critical(incoming.address, incoming.pc));
  std::uint32_t best = kNoLine;
  for (std::uint32_t i = part.first; i < part.end; ++i) {
    if (tags.line(i).reserved) continue;
    if (!tags.line(i).valid) return i;
    if (best == kNoLine || intervals_.longer(i, best)) best = i;
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
  const Part part = part_of(line - line % ways_, in_critical_ways(line));
  intervals_.evict(line, part.first, part.end);
}

void CriticalPartition::insert(std::uint32_t line, const Incoming& incoming) {
  const std::uint8_t key = signature(incoming.address, incoming.pc);
  const bool distant = reused_[key] == 0;
  intervals_.insert(line, distant);
  lines_[line] = {key, false, false};
  stats_.distant_insertions += distant;
  ++(in_critical_ways(line) ? stats_.critical_insertions : stats_.other_insertions);
}

void CriticalPartition::use(std::uint32_t line, const Use& use) {
  if (!use.hit || use.kind != PacketKind::read) return;
  State& state = lines_[line];
  intervals_.use(line);
  raise(reused_[state.signature]);
  if (judge_.is_critical(use.warp, use.now / now_per_cycle_)) {
    state.used_by_critical = true;
    raise(critical_[state.signature]);
    ++stats_.hits_by_critical;
  } else {
    state.used_by_others = true;
    ++stats_.hits_by_others;
  }
}

}  // namespace heddle::mem
