#include "sm/issue/execution_units.h"

#include <algorithm>
#include <bit>

namespace heddle::sm {

ExecutionUnits::ExecutionUnits(const config::SmSpec& spec, OpPool& pool, LatchSets& latches)
    : pool_(pool),
      latches_(latches),
      buses_(std::max(1u, spec.writeback_latches)),
      writeback_delay_(spec.writeback_delay) {
  check_invariant(buses_ <= 255, "more than 255 writeback latches were configured");
  // The largest product, wgmma.m64n256k16, takes 8 intervals.
  std::uint32_t longest = std::max(
      {1u, spec.sfu_latency, spec.tensor_latency, spec.sfu_interval, 8 * spec.tensor_interval});
  for (const config::LatencySpec* op : {&spec.int_op, &spec.fp_op, &spec.dp_op})
    for (std::size_t i = 0; i < op->latency.size(); ++i)
      longest = std::max({longest, op->latency[i], op->interval[i]});
  const std::uint64_t size =
      std::bit_ceil(std::uint64_t{longest} + 1 + writeback_delay_ + 1);  // + 1: 24-bit multipliers
  mask_ = size - 1;
  counts_.resize(size);
  results_.resize(size * buses_);
  for (UnitClass u :
       {UnitClass::sp, UnitClass::dp, UnitClass::int_, UnitClass::sfu, UnitClass::tensor})
    if (const std::uint32_t count = count_of(spec.units, u)) {
      classes_.push_back({static_cast<std::size_t>(index(u)),
                          static_cast<std::uint32_t>(units_.size()),
                          static_cast<std::uint32_t>(units_.size()) + count});
      for (std::uint32_t i = 0; i < count; ++i) units_.push_back({static_cast<int>(i), Cycle{}});
    }
}

// Whether a result bus is free in that cycle and the unit delivers no other result then.
bool ExecutionUnits::bus_free(std::uint64_t slot, std::uint32_t unit) const {
  const std::uint32_t count = counts_[slot];
  if (count >= buses_) return false;
  for (std::uint32_t i = 0; i < count; ++i)
    if (results_[slot * buses_ + i].unit == unit) return false;
  return true;
}

void ExecutionUnits::accept(const Class& c, Cycle now) {
  const LatchSet& latch = latches_[c.unit];
  for (std::uint32_t n = c.first; n < c.end && !latch.empty(); ++n) {
    Unit& unit = units_[n];
    if (unit.free_at > now) continue;
    const int place = latch.partitioned() ? latch.of_scheduler(unit.place) : latch.oldest(pool_);
    if (place < 0) continue;
    const InstructionTiming& timing = *pool_[latch.at(place)].timing;
    const std::uint64_t slot = (now.value + timing.latency + writeback_delay_) & mask_;
    if (!bus_free(slot, n)) continue;
    results_[slot * buses_ + counts_[slot]++] = {latches_.take(c.unit, place), n};
    unit.free_at = now + timing.interval;
    ++in_flight_;
  }
}

Cycle ExecutionUnits::next_result(Cycle from) const {
  if (in_flight_ == 0) return Cycle::never();
  for (std::uint64_t t = from.value; t <= from.value + mask_; ++t)
    if (counts_[t & mask_]) return Cycle{t};
  return Cycle::never();
}

}  // namespace heddle::sm
