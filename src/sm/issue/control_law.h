// The law of control bits: no instruction reads a register before its producer is ready by the
// latencies of the machine, or overwrites a register that is still read or written, although its
// control word let it issue. Lanes count: paths of a divergent warp do not meet. docs/
// compiler-guided-core.md has the law. An instruction needs no look at those of which
// InstructionTiming::proven says that it keeps the law with them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/types.h"
#include "sm/issue/op.h"
#include "sm/warp/latency_law.h"

namespace heddle::sm {

class ControlLaw {
 public:
  // Counts the violations of an instruction that issues; from then on it is in flight. active: the
  // lanes whose guard it reads. age: of the warp, which distinguishes it from others of its slot.
  std::uint32_t issue(const Op& op, LaneMask active, std::uint32_t age,
                      std::uint32_t predicate_latency) {
    const InstructionTiming& timing = *op.timing;
    if (timing.proven == ProvenLaw::all) [[likely]]
      return 0;
    if (timing.proven == ProvenLaw::fixed_latencies && !timing.variable_latency &&
        of(op.warp).in_flight.empty())
      return 0;
    return compare(op, active, age, predicate_latency);
  }
  // Its sources have been read; its results have been written. The instructions of a warp for one
  // unit read their sources in order, so a wait for one is a wait for those before it.
  void read(WarpSlot warp, std::uint64_t sequence) {
    if (!of(warp).in_flight.empty()) [[unlikely]]
      end_reads(of(warp), sequence);
  }
  void complete(const Op& op) {
    if (op.timing->variable_latency && op.timing->proven != ProvenLaw::all) [[unlikely]]
      end(op);
  }

 private:
  // An instruction of fixed latency: its issue says when its result is ready.
  struct Fixed {
    const InstructionTiming* timing;
    Cycle issued;
    LaneMask lanes;
  };
  // One of variable latency, in flight.
  struct Variable {
    const InstructionTiming* timing;
    std::uint64_t sequence;
    LaneMask lanes;
    bool unread;
  };
  // Instructions of fixed latency that a warp remembers. It issues at most one in a cycle.
  static constexpr std::uint32_t kRecent = 64;
  struct Slot {
    std::uint32_t age = 0, count = 0;  // count: of instructions of fixed latency
    std::uint64_t longest = 0;         // wait for the result of one of them
    std::vector<Fixed> recent;         // a ring; empty until the slot has had one
    std::vector<Variable> in_flight;   // by sequence
    // Sets with the registers that those in flight will write, and those that they have yet to
    // read. Others are in them, too, until find_registers(), while some have ended.
    RegisterUse::Mask awaited{}, unread{};
    bool masked = true;  // the sets have all these registers
    bool ended = false;

    void start(std::uint32_t its_age);
    bool meets_in_flight(const RegisterUse& use);
    void add(const Fixed& f, std::uint64_t wait);
    void add(const Variable& v);
    void end_reads(std::uint64_t sequence, UnitClass unit);
    void include_registers(const Variable& v);
    void find_registers();
  };
  std::uint32_t compare(const Op& op, LaneMask active, std::uint32_t age,
                        std::uint32_t predicate_latency);
  static std::uint32_t of_fixed(const Slot& warp, const Op& op, LaneMask active,
                                std::uint32_t predicate_latency);
  static std::uint32_t of_variable(Slot& warp, const Op& op, LaneMask active);
  static void end_reads(Slot& warp, std::uint64_t sequence);
  void end(const Op& op);
  Slot& of(WarpSlot w) { return slots_[static_cast<std::size_t>(w.index)]; }

  std::array<Slot, kMaxWarpsPerSm> slots_;
};

}  // namespace heddle::sm
