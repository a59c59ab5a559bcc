// Which units of a compiler-guided core take an instruction: a unit is busy for the interval of its
// instruction; a sub-core closes units whose queue is full. Nothing but the issue stage asks, so a
// unit that is free again opens when a cycle is simulated.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/types.h"
#include "sm/issue/latches.h"

namespace heddle::sm {

class UnitGates {
 public:
  // `gates`: of the issue stage. cycles: a power of two above the longest interval.
  UnitGates(LatchSets& gates, std::uint64_t cycles) : gates_(gates), openings_(cycles) {
    gates_.set_full(0);
  }

  // An instruction issues in the cycle that is open. Its unit is busy until `free`.
  void occupy(int scheduler, UnitClass unit, Cycle free) {
    const SchedulerBytes bit = SchedulerBytes{1} << (8 * scheduler + index(unit));
    busy_ |= bit;
    openings_at(free) |= bit;
  }
  // Bit per unit class: those that take no instruction of the sub-core until the next call.
  void close(int scheduler, std::uint32_t units) {
    const int shift = 8 * scheduler;
    closed_ = (closed_ & ~(SchedulerBytes{0xff} << shift)) | SchedulerBytes{units} << shift;
  }
  // For the issue of the cycle `now`, which does not fall.
  void open(Cycle now) {
    while (busy_ != 0 && opened_ < now) {
      ++opened_;
      busy_ &= ~std::exchange(openings_at(opened_), 0);
    }
    opened_ = now;
    gates_.set_full(closed_ | busy_);
  }
  // The first cycle in which a busy unit is free that open() has not opened; never() without one.
  Cycle next_opening() const {
    if (busy_ == 0) return Cycle::never();
    Cycle next = opened_ + 1;
    while (openings_[place(next)] == 0) ++next;
    return next;
  }

 private:
  std::size_t place(Cycle cycle) const { return cycle.value & (openings_.size() - 1); }
  SchedulerBytes& openings_at(Cycle cycle) { return openings_[place(cycle)]; }

  LatchSets& gates_;
  // By sub-core, a bit per unit class.
  SchedulerBytes closed_ = 0, busy_ = 0;
  std::vector<SchedulerBytes> openings_;  // by cycle: the busy units that are free then
  Cycle opened_;                          // up to this cycle busy_ lacks those of openings_
};

}  // namespace heddle::sm
