// The arithmetic units. A unit accepts one instruction per initiation interval. The result is
// written back after a fixed latency and `writeback_delay` on a result bus, which is reserved when
// the unit accepts the instruction.
#pragma once

#include <cstdint>
#include <vector>

#include "base/types.h"
#include "config/gpu_spec.h"
#include "sm/issue/latches.h"

namespace heddle::sm {

class ExecutionUnits {
 public:
  ExecutionUnits(const config::SmSpec& spec, OpPool& pool, LatchSets& latches);

  // Every free unit accepts the oldest instruction that waits for its class.
  void accept(Cycle now) {
    for (const Class& c : classes_)
      if (latches_.filled() >> c.unit & 1) accept(c, now);
  }
  // Calls f(op) for the results due at `now`, in the order of acceptance. Must be called in every
  // cycle with results.
  template <class F>
  [[gnu::always_inline]] void take_results(Cycle now, F&& f) {
    std::uint8_t& due = counts_[now.value & mask_];
    if (due == 0) return;
    const std::uint32_t count = due;
    due = 0;
    in_flight_ -= count;
    const Result* results = &results_[(now.value & mask_) * buses_];
    for (std::uint32_t i = 0; i < count; ++i) f(results[i].op);
  }
  bool idle() const { return in_flight_ == 0; }
  Cycle next_result(Cycle from) const;

 private:
  struct Unit {
    int place;  // within its class: the sub-core
    Cycle free_at;
  };
  struct Class {
    std::size_t unit;
    std::uint32_t first, end;  // its units are units_[first..end)
  };
  void accept(const Class& c, Cycle now);
  struct Result {
    OpId op;
    std::uint32_t unit;
  };
  bool bus_free(std::uint64_t slot, std::uint32_t unit) const;

  OpPool& pool_;
  LatchSets& latches_;
  std::uint32_t buses_;
  std::uint64_t writeback_delay_;
  std::uint64_t mask_ = 0;
  std::vector<Class> classes_;
  std::vector<Unit> units_;
  std::vector<std::uint8_t> counts_;  // results due, by cycle of writeback
  std::vector<Result> results_;       // buses_ per cycle
  std::size_t in_flight_ = 0;
};

}  // namespace heddle::sm
