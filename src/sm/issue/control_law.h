// The law of control bits: no instruction reads a register before its producer is ready by the
// latencies of the machine, or overwrites a register that is still read or written, although its
// control word let it issue. Lanes count: paths of a divergent warp do not meet. docs/
// compiler-guided-core.md has the law.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/types.h"
#include "sm/issue/op.h"

namespace heddle::sm {

class ControlLaw {
 public:
  // Counts the violations of an instruction that issues; from then on it is in flight. active: the
  // lanes whose guard it reads. age: of the warp, which distinguishes it from others of its slot.
  std::uint32_t issue(const Op& op, LaneMask active, std::uint32_t age,
                      std::uint32_t predicate_latency);
  // Its sources have been read; its results have been written. The instructions of a warp for one
  // unit read their sources in order, so a wait for one is a wait for those before it.
  void read(WarpSlot warp, std::uint64_t sequence);
  void complete(const Op& op);

 private:
  struct InFlight {
    const InstructionTiming* timing;
    std::uint64_t sequence;
    LaneMask lanes;
    Cycle ready, guard_ready;  // of the result: never() until it is complete
    bool unread;
  };
  // What is known of a register without a search. Registers whose numbers are equal modulo kEntries
  // share an entry, and the lanes do not count: it may forbid what the law allows.
  struct Entry {
    Cycle ready;                     // results of fixed latency
    std::uint16_t guard_cycles = 0;  // after that it can be read as a guard
    std::uint16_t writers = 0;       // instructions of variable latency in flight
    std::uint16_t readers = 0;       // instructions that have yet to read it
  };
  static constexpr std::size_t kEntries = 256;
  struct Slot {
    std::uint32_t age = 0;
    std::vector<Entry> entries;       // empty until the slot has had a warp
    std::vector<InFlight> in_flight;  // by sequence, and some that are complete

    Entry& entry(std::uint16_t reg) { return entries[reg % kEntries]; }
    const Entry& entry(std::uint16_t reg) const { return entries[reg % kEntries]; }
    void start(std::uint32_t its_age);
    bool allows(const isa::Instruction& instruction, Cycle now, Cycle written) const;
    void add(const InFlight& f);
    void end_reads(InFlight& f);
    void end_writes(const InFlight& f);
  };
  static std::uint32_t violations(const InFlight& older, const InstructionTiming& timing, Cycle now,
                                  LaneMask executed);
  Slot& of(WarpSlot w) { return slots_[static_cast<std::size_t>(w.index)]; }

  std::array<Slot, kMaxWarpsPerSm> slots_;
};

}  // namespace heddle::sm
