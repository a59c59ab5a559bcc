// The arithmetic units. A unit accepts an instruction per initiation interval; its result comes out after a fixed latency, on a result bus
// that was reserved when the instruction went in.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/types.h"
#include "config/gpu_spec.h"
#include "sm/latches.h"

namespace heddle::sm {

// From a unit's acceptance to writeback: the latency, one cycle into the result latch, one out of it.
inline constexpr std::uint64_t kWritebackDelay = 2;

class ExecutionUnits {
 public:
  ExecutionUnits(const config::SmSpec& spec, OpPool& pool, LatchSets& latches);

  // Every unit that can accept takes the oldest instruction waiting for its class.
  void accept(Cycle now);
  // Calls f(op) for the results due at `now`, in the order in which they were accepted. Every cycle with results must be visited.
  template <class F>
  void take_results(Cycle now, F&& f) {
    Slot& slot = slot_at(now.value);
    if (slot.count == 0) return;
    const std::uint32_t count = slot.count;
    slot.count = 0;
    in_flight_ -= count;
    for (std::uint32_t i = 0; i < count; ++i) {
      units_[slot.units[i]].finishing[now.value & mask_] = 0;
      f(slot.ops[i]);
    }
  }
  bool idle() const { return in_flight_ == 0; }
  Cycle next_result(Cycle from) const;

 private:
  static constexpr std::size_t kMaxBuses = 32;
  struct Unit {
    UnitClass unit;
    int place;                             // among its class, for sub-cores
    Cycle free_at;
    std::vector<std::uint8_t> finishing;   // by cycle of writeback: an instruction of this unit comes out
  };
  struct Slot { std::uint32_t count = 0; std::array<OpId, kMaxBuses> ops; std::array<std::uint16_t, kMaxBuses> units; };
  Slot& slot_at(std::uint64_t cycle) { return wheel_[cycle & mask_]; }

  OpPool& pool_;
  LatchSets& latches_;
  std::uint32_t buses_;
  std::uint64_t mask_ = 0;
  std::vector<Unit> units_;
  std::vector<Slot> wheel_;
  std::size_t in_flight_ = 0;
};

}  // namespace heddle::sm
