#include "gpu/active_cycles.h"

#include <algorithm>

namespace heddle::gpu {

void ActiveCycles::add(Cycle start, std::uint64_t cycles) {
  if (cycles == 0) return;
  Interval added{start, start + std::min(cycles, Cycle::never() - start)};
  // The intervals that touch the added one become one with it.
  const auto first = std::partition_point(intervals_.begin(), intervals_.end(),
                                          [&](const Interval& i) { return i.end < added.begin; });
  const auto last = std::partition_point(first, intervals_.end(),
                                         [&](const Interval& i) { return i.begin <= added.end; });
  for (auto i = first; i != last; ++i) {
    added.begin = std::min(added.begin, i->begin);
    added.end = std::max(added.end, i->end);
    count_ -= i->end - i->begin;
  }
  count_ += added.end - added.begin;
  intervals_.insert(intervals_.erase(first, last), added);
}

std::uint64_t ActiveCycles::count_before(Cycle end) const {
  std::uint64_t after = 0;
  for (auto i = intervals_.rbegin(); i != intervals_.rend() && i->end > end; ++i)
    after += i->end - std::max(i->begin, end);
  return count_ - after;
}

}  // namespace heddle::gpu
