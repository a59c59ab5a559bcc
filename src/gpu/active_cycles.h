// Core cycles in which at least one launch is active, counted once however many are.
#pragma once

#include <cstdint>
#include <vector>

#include "base/types.h"

namespace heddle::gpu {

class ActiveCycles {
 public:
  // A launch is active in [start, start + cycles), from when the hardware takes it to the end of
  // its last CTA. Launches may be added in any order.
  void add(Cycle start, std::uint64_t cycles);
  std::uint64_t count() const { return count_; }
  std::uint64_t count_before(Cycle end) const;

 private:
  struct Interval {
    Cycle begin, end;
  };
  std::vector<Interval> intervals_;  // by time, with gaps between them
  std::uint64_t count_ = 0;
};

}  // namespace heddle::gpu
