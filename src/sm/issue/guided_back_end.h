// From issue to the units in a compiler-guided core: control, allocation of register read ports, a
// read window of fixed length, units, result queue; for memory instructions a queue per sub-core
// before the load/store unit. Huerta et al., MICRO 2025; docs/compiler-guided-core.md.
#pragma once

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
  // The stages of the cycle, before issue.
  void cycle(Cycle now);

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
      arrive(e.op);
      result(e.op);
    });
  }
  Cycle next_event(Cycle from) const { return events_.next(from); }

  // The SM accepts one memory instruction per interval.
  bool memory_ready(Cycle now) const { return memory_free_ <= now; }
  void memory_accepted(Cycle now) { memory_free_ = now + memory_interval_; }

  // cycle() changes nothing without a new instruction, a result or room in to_memory.
  bool settled() const;
  std::uint64_t conflicts() const { return conflicts_; }
  std::uint64_t take_reuse_hits() { return std::exchange(reuse_hits_, 0); }

 private:
  static constexpr std::size_t kBanks = 2, kReuseSlots = 3, kMemoryQueue = 4;
  static constexpr std::uint32_t kWindow = 3;       // cycles
  static constexpr std::uint32_t kResultQueue = 8;  // results
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
    Cycle last;  // cycle that was simulated
    // By bank: bit k: the read port is taken k cycles after `last`.
    std::array<std::uint32_t, kBanks> taken{};
    std::array<std::array<Register, kBanks>, kReuseSlots> reuse{};
    std::uint32_t kept = 0;  // registers in the reuse cache
    // Bit per unit class: no instruction may issue to it; it is busy until unit_free.
    std::uint32_t closed = 0, busy = 0;
    std::array<Cycle, kUnitClasses> unit_free{};
    std::uint32_t results = 0;  // of fixed latency: on their way, or in the result queue
    std::uint32_t arrived = 0;  // of them, in the queue
    bool port_taken = false;    // by a result of variable latency, in this cycle
  };
  using Reads = std::array<std::uint8_t, kBanks>;  // by bank

  void arrive(OpId id);
  void cycle(int scheduler, SubCore& s, Cycle now);
  void execute(SubCore& s, Cycle now);
  void read_memory_operands(SubCore& s, Cycle now);
  void pass_control(SubCore& s);
  static std::uint32_t closed_units(SubCore& s, Cycle now);
  static bool is_quiet(const SubCore& s);
  // The reads of the instruction that the reuse cache does not serve.
  static Reads count_reads(const SubCore& s, const Op& op);
  void keep(SubCore& s, const Op& op);
  bool reserve(SubCore& s, const Reads& reads, std::uint32_t window);
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
  // A bit for each sub-core: something moves without a new instruction or a result.
  std::uint32_t moving_ = 0;
  Cycle memory_free_;
  EventWheel<Event> events_;
  std::uint64_t conflicts_ = 0, reuse_hits_ = 0;
};

}  // namespace heddle::sm
