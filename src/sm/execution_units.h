// The arithmetic units. A unit accepts an instruction per initiation interval; its result comes out
// after a fixed latency, on a result bus that was reserved when the instruction went in.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/types.h"
#include "config/gpu_spec.h"
#include "sm/latches.h"

namespace heddle::sm {

// From a unit's acceptance to writeback: the latency, one cycle into the result latch, one out of
// it.
inline constexpr std::uint64_t kWritebackDelay = 2;

class ExecutionUnits {
 public:
  ExecutionUnits(const config::SmSpec& spec, OpPool& pool, LatchSets& latches);

  // Every unit that can accept takes the oldest instruction waiting for its class.
  void accept(Cycle now);
  // Calls f(op) for the results due at `now`, in the order in which they were accepted. Every cycle
  // with results must be visited.
  template <class F>
  void take_results(Cycle now, F&& f) {
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
    int place;
    Cycle free_at;
  };  // place: among its class, for sub-cores
  struct Class {
    std::size_t unit;
    std::uint32_t first, end;
  };  // its units are units_[first..end)
  void accept(const Class& c, Cycle now);
  struct Result {
    OpId op;
    std::uint32_t unit;
  };
  bool bus_free(std::uint64_t slot, std::uint32_t unit) const;

  OpPool& pool_;
  LatchSets& latches_;
  std::uint32_t buses_;
  std::uint64_t mask_ = 0;
  std::vector<Class> classes_;
  std::vector<Unit> units_;
  std::vector<std::uint8_t> counts_;  // by cycle of writeback: results due
  std::vector<Result> results_;       // buses_ per cycle
  std::size_t in_flight_ = 0;
};

}  // namespace heddle::sm
