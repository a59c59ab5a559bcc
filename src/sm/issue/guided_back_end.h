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
#include "sm/issue/result_queue.h"
#include "sm/issue/unit_gates.h"

namespace heddle::sm {

class GuidedBackEnd {
 public:
  // `gates`: of the issue stage; `to_memory`: latches before the load/store unit, one per sub-core.
  // `banks`: those that the load/store unit writes in this cycle.
  GuidedBackEnd(const config::SmSpec& spec, OpPool& pool, LatchSets& gates, LatchSets& to_memory,
                RegisterBanks& banks);

  // An instruction issued.
  void issue(OpId id);
  // After the issue stage: which units take an instruction of the next cycle.
  void end_issue(Cycle now) {
    if (issued_ != 0) move_on_after_issue(now);
    units_.open(now + 1);
  }
  // Before the other stages of the cycle: results of variable latency take their write ports.
  void write_results(Cycle now);
  // The stages of the cycle, before issue.
  void cycle(Cycle now) {
    if (next_move() <= now) move(now);
    units_.open(now);
  }

  // The warp has ended. Returns how many events of it without a counter will follow.
  std::uint32_t end_warp(WarpSlot w, Cycle now);

  // The sources of an instruction with a read counter have been read. Without a counter: one
  // of the last results of a warp that has ended is ready.
  struct Read {
    WarpSlot warp;
    std::uint8_t counter = isa::ControlWord::kNone;
    std::uint64_t sequence = 0;
  };
  // Calls result(op) for the awaited results that are due at `now`, and read(Read). Must be
  // called in every cycle that has some.
  template <class Result, class Reads>
  void take_events(Cycle now, Result&& result, Reads&& read) {
    events_.take(now, [&](const Event& e) {
      if (e.op == kNoOp) return read(e.read);
      const Op& op = pool_[e.op];
      if (op.timing->variable_latency) ports_taken_ |= 1u << op.scheduler;
      result(e.op);
    });
  }
  // The first cycle >= from in which take_events() has something to do.
  Cycle next_event(Cycle from) const { return events_.next(from); }

  // The SM accepts one memory instruction per interval.
  bool memory_ready(Cycle now) const { return memory_free_ <= now; }
  void memory_accepted(Cycle now);

  // The first cycle in which cycle() changes something without a new instruction or room in
  // to_memory, but for units that open.
  Cycle next_move() const { return next_move_; }
  // The first cycle in which a busy unit takes an instruction again.
  Cycle next_opening() const { return units_.next_opening(); }
  std::uint64_t conflicts() const { return conflicts_; }
  std::uint64_t take_reuse_hits() { return std::exchange(reuse_hits_, 0); }

 private:
  static constexpr std::size_t kBanks = 2, kReuseSlots = 3, kMemoryQueue = 4;
  static constexpr std::uint64_t kToAllocation = 2;  // cycles from the issue
  static constexpr std::uint32_t kWindow = 3;        // cycles
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
    OpId control = kNoOp;   // no memory instruction: issued in the last cycle, or cannot move on
    OpId allocate = kNoOp;  // waits for read ports
    OpId reading = kNoOp;   // memory instruction whose operands are read
    Cycle read_until, address_free;
    BoundedQueue<OpId> memory{kMemoryQueue};
    // Bit kBanks * k + b: the read port of bank b is taken k cycles after `last`.
    Cycle last;
    std::uint64_t taken = 0;
    std::array<std::array<Register, kBanks>, kReuseSlots> reuse{};
    std::uint32_t kept = 0;  // registers in the reuse cache
    ResultQueue results;
  };
  using Reads = std::array<std::uint8_t, kBanks>;  // by bank

  void move(Cycle now);
  void move(int scheduler, SubCore& s, Cycle now);
  bool execute(SubCore& s, OpId id, Cycle start);
  void begin_memory_read(SubCore& s, Cycle now);
  bool read_memory_operands(SubCore& s, OpId id, Cycle start);
  void move_on_after_issue(Cycle now);
  // The sub-core moved in the cycle `now`.
  void end_move(int scheduler, SubCore& s, Cycle now);
  // Whether the result queue has no room for a result of one more instruction.
  bool is_full(const SubCore& s) const {
    if (s.results.size() + 1 < ResultQueue::kPlaces) [[likely]]
      return false;
    const bool waits = s.allocate != kNoOp && !pool_[s.allocate].timing->variable_latency;
    return s.results.size() + waits >= ResultQueue::kPlaces;
  }
  // The reads of the instruction that the reuse cache does not serve.
  static Reads count_reads(const SubCore& s, const Op& op);
  void keep(SubCore& s, const Op& op);
  static bool reserve(SubCore& s, const Reads& reads, Cycle start, std::uint32_t window);
  void schedule_read(const Op& op, Cycle at);
  void forget(OpId id, Cycle due);

  OpPool& pool_;
  UnitGates units_;
  LatchSets& to_memory_;
  RegisterBanks& banks_;
  const std::uint64_t address_interval_, memory_interval_;
  const int own_banks_;  // banks of a sub-core in RegisterBanks::end_step()
  std::vector<SubCore> sub_cores_;
  std::array<Cycle, kMaxSchedulers> next_;  // by sub-core: its next move
  Cycle next_move_ = Cycle::never();        // the first of them
  // A bit for each sub-core: the write port is taken by a result of variable latency; what moves
  // next has changed since the issue; an instruction that has read its operands finds no room.
  std::uint32_t ports_taken_ = 0, issued_ = 0, blocked_ = 0;
  std::array<Cycle, kMaxWarpsPerSm> last_result_{};  // of a warp's results that nobody awaits
  Cycle memory_free_;
  EventWheel<Event> events_;
  std::uint64_t conflicts_ = 0, reuse_hits_ = 0;
};

}  // namespace heddle::sm
