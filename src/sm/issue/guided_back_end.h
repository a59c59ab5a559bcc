// From issue to the units in a compiler-guided core: control, allocation of register read ports, a
// read window of fixed length, units, result queue; for memory instructions a queue per sub-core
// before the load/store unit. Huerta et al., MICRO 2025; docs/compiler-guided-core.md.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/bounded_queue.h"
#include "base/types.h"
#include "config/gpu_spec.h"
#include "sm/issue/event_wheel.h"
#include "sm/issue/latches.h"
#include "sm/issue/register_banks.h"

namespace heddle::sm {

class GuidedBackEnd {
 public:
  // `gates`: of the issue stage; `to_memory`: latches before the load/store unit, one per sub-core.
  // `banks`: those that the load/store unit writes in this cycle.
  GuidedBackEnd(const config::SmSpec& spec, OpPool& pool, LatchSets& gates, LatchSets& to_memory,
                RegisterBanks& banks);

  // An instruction issued.
  void issue(OpId id);
  // After the issue stage: units that the instructions of this cycle occupy are closed.
  void close_units(Cycle now);
  // Before the other stages of the cycle: results are written, one of fixed latency in each
  // sub-core that writes no other.
  void write_results(Cycle now);
  // The stages of the cycle, before issue.
  void cycle(Cycle now) {
    if (next_move() <= now) move(now);
  }

  // The sources of an instruction with a read counter have been read.
  struct Read {
    WarpSlot warp;
    std::uint8_t counter = 0;
    std::uint64_t sequence = 0;
  };
  // Calls result(op) for the results due at `now`, and read(Read) for the sources. Must be called
  // in every cycle that has some.
  template <class Result, class Reads>
  void take_events(Cycle now, Result&& result, Reads&& read) {
    events_.take(now, [&](const Event& e) {
      if (e.op == kNoOp) return read(e.read);
      arrive(e.op, now);
      result(e.op);
    });
  }
  // The first cycle >= from in which results are written or sources have been read.
  Cycle next_event(Cycle from) const { return arrived_ != 0 ? from : events_.next(from); }

  // The SM accepts one memory instruction per interval.
  bool memory_ready(Cycle now) const { return memory_free_ <= now; }
  void memory_accepted(Cycle now);

  // The first cycle in which cycle() changes something without a new instruction, a result or room
  // in to_memory.
  Cycle next_move() const { return next_move_; }
  std::uint64_t conflicts() const { return conflicts_; }
  std::uint64_t take_reuse_hits() { return std::exchange(reuse_hits_, 0); }

 private:
  static constexpr std::size_t kBanks = 2, kReuseSlots = 3, kMemoryQueue = 4;
  static constexpr std::uint64_t kToAllocation = 2;  // cycles from the issue
  static constexpr std::uint32_t kWindow = 3;        // cycles
  static constexpr std::uint32_t kResultQueue = 8;   // results
  // Cycles from the read of a memory instruction to the fall of its read counter: 9 and 12 from the
  // issue.
  static constexpr std::uint64_t kLoadRelease = 8, kStoreRelease = 11;

  struct Event {
    OpId op = kNoOp;
    Read read;
  };
  struct Register {
    WarpSlot warp;
    std::uint16_t number = 0;
    friend bool operator==(const Register&, const Register&) = default;
  };
  struct SubCore {
    OpId control = kNoOp;   // issued in the last cycle, or could not move on
    OpId allocate = kNoOp;  // waits for read ports
    OpId reading = kNoOp;   // memory instruction whose operands are read
    Cycle read_until, address_free;
    BoundedQueue<OpId> memory{kMemoryQueue};
    // By bank: bit k: the read port is taken k cycles after `last`.
    Cycle last;
    std::array<std::uint32_t, kBanks> taken{};
    std::array<std::array<Register, kBanks>, kReuseSlots> reuse{};
    std::uint32_t kept = 0;  // registers in the reuse cache
    // Bit per unit class: no instruction may issue to it; it is busy until unit_free.
    std::uint32_t closed = 0, busy = 0;
    std::array<Cycle, kUnitClasses> unit_free{};
    std::uint32_t results = 0;  // of fixed latency: on their way, or in the result queue
    std::uint32_t arrived = 0;  // of them, in the queue
  };
  using Reads = std::array<std::uint8_t, kBanks>;  // by bank

  void arrive(OpId id, Cycle now);
  void end_result(int scheduler, SubCore& s, Cycle now);
  void move(Cycle now);
  void find_first_move();
  void move(int scheduler, SubCore& s, Cycle now);
  void move_at(int scheduler, Cycle at) {
    Cycle& next = next_[static_cast<std::size_t>(scheduler)];
    next = std::min(next, at);
    next_move_ = std::min(next_move_, at);
  }
  Cycle find_next_move(int scheduler, const SubCore& s, Cycle now) const;
  bool execute(SubCore& s, OpId id, Cycle start);
  void begin_memory_read(SubCore& s, Cycle now);
  bool read_memory_operands(SubCore& s, OpId id, Cycle start);
  void pass_control(SubCore& s);
  void close_units(int scheduler, SubCore& s, Cycle now);
  // The reads of the instruction that the reuse cache does not serve.
  static Reads count_reads(const SubCore& s, const Op& op);
  void keep(SubCore& s, const Op& op);
  static bool reserve(SubCore& s, const Reads& reads, Cycle start, std::uint32_t window);
  void schedule_read(const Op& op, Cycle at);
  static bool is_fixed(const Op& op) {
    return op.timing->control.write_barrier == isa::ControlWord::kNone;
  }

  OpPool& pool_;
  LatchSets& gates_;
  LatchSets& to_memory_;
  RegisterBanks& banks_;
  const std::uint64_t address_interval_, memory_interval_;
  const int own_banks_;  // banks of a sub-core in RegisterBanks::end_step()
  std::vector<SubCore> sub_cores_;
  std::array<Cycle, kMaxSchedulers> next_;  // by sub-core: its next move
  Cycle next_move_ = Cycle::never();        // the first of them
  // A bit for each sub-core: results are in the queue; the write port is taken by a result of
  // variable latency; an instruction has issued in this cycle.
  std::uint32_t arrived_ = 0, ports_taken_ = 0, issued_ = 0;
  Cycle memory_free_;
  EventWheel<Event> events_;
  std::uint64_t conflicts_ = 0, reuse_hits_ = 0;
};

}  // namespace heddle::sm
