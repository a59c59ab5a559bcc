// The latches between two pipeline stages. Each holds one instruction that waits for the next
// stage.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "base/diagnostics.h"
#include "sm/issue/op.h"

namespace heddle::sm {

inline constexpr std::uint32_t kMaxLatches = 32;

// A set of schedulers of an SM, in bit 0 of a byte for each.
using SchedulerBytes = std::uint64_t;
inline constexpr int kMaxSchedulers = 8;
inline constexpr SchedulerBytes kAllSchedulers = 0x0101010101010101;
static_assert(kUnitClasses <= 8, "a scheduler has one byte, with a bit per unit class");

// The latches of one unit class. With `partitioned` (sub-cores), latch i belongs to scheduler i;
// otherwise all schedulers share them.
class LatchSet {
 public:
  LatchSet() = default;
  LatchSet(std::uint32_t capacity, bool partitioned)
      : capacity_(capacity), partitioned_(partitioned) {
    check_invariant(capacity <= kMaxLatches,
                    "more than 32 latches between two stages were configured");
    if (capacity == 0) return;
    places_.fill(capacity < kMaxLatches ? (1u << capacity) - 1 : ~0u);
    if (!partitioned) return;
    users_of_first_ = 0;
    for (std::uint32_t s = 0; s < kMaxSchedulers; ++s) {
      places_[s] = 1u << s % capacity;
      if (s % capacity == 0) users_of_first_ |= SchedulerBytes{1} << (8 * s);
    }
  }
  bool has_room(int scheduler) const { return free_places(scheduler) != 0; }
  // The schedulers that have room when this scheduler has.
  SchedulerBytes sharers(int scheduler) const {
    return partitioned_ ? users_of_first_ << (8 * own(scheduler)) : kAllSchedulers;
  }
  bool empty() const { return used_ == 0; }
  void put(OpId op, int scheduler) {
    const int i = std::countr_zero(free_places(scheduler));
    ops_[static_cast<std::size_t>(i)] = static_cast<std::uint16_t>(op);
    used_ |= 1u << i;
  }
  // The place of the instruction that issued first; -1 when empty.
  int oldest(const OpPool& pool) const {
    if ((used_ & (used_ - 1)) == 0) return used_ ? std::countr_zero(used_) : -1;
    int best = -1;
    for (std::uint32_t rest = used_; rest; rest &= rest - 1) {
      const int i = std::countr_zero(rest);
      if (best < 0 || pool[at(i)].sequence < pool[at(best)].sequence) best = i;
    }
    return best;
  }
  // The place of a sub-core's instruction; -1 when it has none.
  int of_scheduler(int scheduler) const {
    return capacity_ && ((used_ >> own(scheduler)) & 1) ? static_cast<int>(own(scheduler)) : -1;
  }
  OpId at(int place) const { return ops_[static_cast<std::size_t>(place)]; }
  OpId take(int place) {
    used_ &= ~(1u << place);
    return at(place);
  }
  bool partitioned() const { return partitioned_; }

 private:
  // The free latches that the scheduler may use.
  std::uint32_t free_places(int scheduler) const {
    return places_[static_cast<std::size_t>(scheduler)] & ~used_;
  }
  std::uint32_t own(int scheduler) const {
    const auto s = static_cast<std::uint32_t>(scheduler);
    return s < capacity_ ? s : s % capacity_;
  }

  std::uint32_t capacity_ = 0, used_ = 0;
  bool partitioned_ = false;
  SchedulerBytes users_of_first_ = kAllSchedulers;      // the schedulers that use latch 0
  std::array<std::uint32_t, kMaxSchedulers> places_{};  // by scheduler: the latches that it may use
  // OpIds of 16 bits, so that those of the first latches lie in the cache line of the members
  // above.
  std::array<std::uint16_t, kMaxLatches> ops_{};
};

// One LatchSet per unit class, with a summary of those that hold instructions.
class LatchSets {
 public:
  void build(std::size_t unit, const LatchSet& set) {
    sets_[unit] = set;
    full_ &= ~(kAllSchedulers << unit);
    if (!set.has_room(0)) full_ |= kAllSchedulers << unit;
  }
  const LatchSet& operator[](std::size_t unit) const { return sets_[unit]; }
  void put(std::size_t unit, OpId op, int scheduler) {
    LatchSet& set = sets_[unit];
    set.put(op, scheduler);
    filled_ |= 1u << unit;
    if (!set.has_room(scheduler)) full_ |= set.sharers(scheduler) << unit;
  }
  OpId take(std::size_t unit, int place) {
    LatchSet& set = sets_[unit];
    const OpId op = set.take(place);
    if (set.empty()) filled_ &= ~(1u << unit);
    full_ &= ~(set.sharers(place) << unit);
    return op;
  }
  std::uint32_t filled() const { return filled_; }  // bit per unit class
  // A compiler-guided core has no latches behind issue: it says which units take no instruction.
  void set_full(SchedulerBytes units) { full_ = units; }
  // A byte per scheduler, with a bit per unit class without room for its instructions.
  SchedulerBytes full() const { return full_; }
  // The classes without room for an instruction of the scheduler, bit per unit class.
  std::uint32_t full(int scheduler) const {
    return static_cast<std::uint8_t>(full_ >> (8 * scheduler));
  }
  bool has_room(std::size_t unit, int scheduler) const {
    return (full(scheduler) >> unit & 1) == 0;
  }

 private:
  std::array<LatchSet, kUnitClasses> sets_{};
  std::uint32_t filled_ = 0;  // classes that hold instructions
  // By scheduler, a byte each: bit per class without room.
  SchedulerBytes full_ = kAllSchedulers * ((1u << kUnitClasses) - 1);
};

}  // namespace heddle::sm
