#include "sm/warp/latency_law.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "sm/warp/issue_control.h"
#include "sm/warp/kernel_flow.h"

namespace heddle::sm {
namespace {

bool contains(const std::uint16_t* registers, std::uint8_t count, std::uint16_t reg) {
  return std::find(registers, registers + count, reg) != registers + count;
}

bool is_memory(const InstructionTiming& t) { return t.unit == UnitClass::mem; }

bool is_wide_product(const InstructionTiming& t) {
  const isa::Instruction& i = *t.registers.instruction;
  return (i.op_class == isa::OpClass::int_mul || i.op_class == isa::OpClass::int_mad) &&
         i.write_count >= 2 && i.writes[1] == i.writes[0] + 1;
}

// The last source that is no guard, if it is the upper half of a pair.
bool is_upper_addend(const isa::Instruction& i, std::uint16_t reg) {
  int last = i.read_count - 1;
  if (last >= 0 && i.reads[static_cast<std::size_t>(last)] == i.guard_register) --last;
  return last > 0 && i.reads[static_cast<std::size_t>(last)] == reg &&
         i.reads[static_cast<std::size_t>(last - 1)] + 1 == reg;
}

// By how many cycles an instruction may issue before `older`'s result is ready: the shortest
// distances in ptxas's code for sm_90. A product of 64 bits makes its lower half first and adds the
// upper half two cycles later; special functions and conversions read two cycles after the issue.
std::uint32_t early_cycles(const InstructionTiming& older, const InstructionTiming& t,
                           std::uint16_t reg) {
  if (older.unit == UnitClass::dp && t.unit != UnitClass::dp && t.variable_latency) return 2;
  const std::uint32_t lower =
      is_wide_product(older) && reg == older.registers.instruction->writes[0];
  return lower + (is_wide_product(t) && is_upper_addend(*t.registers.instruction, reg) ? 2 : 0);
}

// A forward analysis: before each instruction the older ones whose result may not be ready, or
// whose sources may not have been read, with the least number of cycles since their issue. Entries
// only grow and numbers only fall, so it ends.
class Proof {
 public:
  Proof(const isa::Kernel& kernel, std::span<const InstructionTiming> timing,
        std::uint32_t predicate_latency)
      : flow_(kernel),
        code_(kernel.instructions),
        timing_(timing),
        predicate_latency_(predicate_latency),
        is_target_(code_.size()) {
    for (Pc pc = 0; pc < size(); ++pc)
      if (const Pc target = flow_.branch_target(pc); target < size()) is_target_[target] = 1;
    find_waits();
  }

  // with_variable: of older instructions of variable latency, too. Where no path leads, one may
  // begin that the code does not name; nothing is in flight there.
  bool holds(bool with_variable) {
    with_variable_ = with_variable;
    reached_.assign(code_.size(), 0);
    entries_.assign(code_.size(), {});
    waiting_.clear();
    for (Pc pc = 0; pc < size(); ++pc) {
      if (flow_.gathers_lanes(pc)) return false;
      if (!reached_[pc]) waiting_.push_back(pc);
      while (!waiting_.empty()) {
        const Pc first = waiting_.back();
        waiting_.pop_back();
        if (!walk(first)) return false;
      }
    }
    return true;
  }

 private:
  struct Producer {
    Pc pc = kNoPc;
    std::uint32_t cycles = 0;  // since its issue
    // Of variable latency: its result is not written, its sources are not read. Each of these
    // counters says by 0 that they are: its own, and those of later instructions that come after
    // it (count_follower()).
    bool unwritten = false, unread = false;
    std::uint8_t writers = 0, readers = 0;
    bool is_variable() const { return unwritten || unread; }
    friend bool operator==(const Producer&, const Producer&) = default;
  };
  using State = std::vector<Producer>;
  Pc size() const { return static_cast<Pc>(code_.size()); }

  // For how long after its issue a producer of fixed latency matters.
  void find_waits() {
    std::vector<char> is_guard;
    for (const isa::Instruction& i : code_) {
      if (i.guard_register == isa::kNoRegister) continue;
      if (i.guard_register >= is_guard.size()) is_guard.resize(i.guard_register + std::size_t{1});
      is_guard[i.guard_register] = 1;
    }
    for (Pc pc = 0; pc < size(); ++pc) {
      const InstructionTiming& t = timing_[pc];
      std::uint32_t wait = 0;
      for (int k = 0; k < code_[pc].write_count && !t.variable_latency; ++k) {
        const std::size_t reg = code_[pc].writes[static_cast<std::size_t>(k)];
        wait = std::max(wait, dependence_of(t));
        if (reg < is_guard.size() && is_guard[reg]) wait = std::max(wait, predicate_latency_);
      }
      waits_.push_back(wait);
    }
  }

  // From `first` to the next place at which paths meet. Returns whether the law holds.
  bool walk(Pc first) {
    State state = entries_[first];
    for (Pc pc = first;; ++pc) {
      reached_[pc] = 1;
      if (with_variable_) wait_for_counters(pc, state);
      if (breaks_law(pc, state)) return false;
      issue(pc, state);
      if (flow_.continues_elsewhere(pc) && !state.empty()) return false;
      if (const Pc target = flow_.branch_target(pc); target < size()) join(target, state);
      if (!flow_.falls_through(pc)) return true;
      if (is_target_[pc + 1]) return join(pc + 1, state), true;
    }
  }

  static std::uint8_t bit(std::uint8_t counter) {
    return static_cast<std::uint8_t>(counter == isa::ControlWord::kNone ? 0 : 1u << counter);
  }
  std::uint8_t counters_of(Pc pc) const {
    const isa::ControlWord& c = timing_[pc].control;
    return static_cast<std::uint8_t>(bit(c.write_barrier) | bit(c.read_barrier));
  }
  // A wait for a counter that may not have risen yet is worth nothing, nor is one for a threshold.
  void wait_for_counters(Pc pc, State& state) const {
    std::uint8_t mask = timing_[pc].control.wait_mask;
    if (mask == 0) return;
    for (const Producer& p : state)
      if (p.is_variable() && p.cycles < IssueControl::kRaise)
        mask = static_cast<std::uint8_t>(mask & ~counters_of(p.pc));
    for (Producer& p : state) {
      if (!p.is_variable()) continue;
      p.unwritten = p.unwritten && (p.writers & mask) == 0;
      p.unread = p.unread && (p.readers & mask) == 0;
    }
    std::erase_if(state, [&](const Producer& p) { return !p.is_variable() && waits_[p.pc] == 0; });
  }

  bool breaks_law(Pc pc, const State& state) const {
    const InstructionTiming& t = timing_[pc];
    return std::any_of(state.begin(), state.end(), [&](const Producer& p) {
      const InstructionTiming& older = timing_[p.pc];
      if (!may_need(t.registers, older.registers, p.unread)) return false;
      const Cycle ready = p.unwritten ? Cycle::never() : Cycle{0};
      return violations(p.is_variable()
                            ? OlderInstruction{&older, LaneMask::all(), ready, ready, p.unread}
                            : OlderInstruction::fixed(older, LaneMask::all(), Cycle{0},
                                                      predicate_latency_),
                        t, Cycle{p.cycles}, LaneMask::all()) > 0;
    });
  }

  void issue(Pc pc, State& state) const {
    const InstructionTiming& t = timing_[pc];
    const std::uint32_t cycles = IssueControl::cycles_to_next(t.control);
    const bool raises = counters_of(pc) != 0;
    for (Producer& p : state) {
      p.cycles += cycles;
      if (raises && p.is_variable()) count_follower(p, pc);
    }
    std::erase_if(state, [&](const Producer& p) {
      return p.pc == pc || !(p.is_variable() || p.cycles < waits_[p.pc]);
    });
    if (cycles < waits_[pc]) state.push_back({pc, cycles});
    if (!with_variable_ || !t.variable_latency) return;
    const Producer p{pc,
                     cycles,
                     code_[pc].write_count > 0,
                     code_[pc].read_count > 0,
                     bit(t.control.write_barrier),
                     counters_of(pc)};
    if (p.is_variable()) state.push_back(p);
  }
  // The instructions of a unit read their sources in order, and the data of loads from shared
  // memory arrive in order.
  void count_follower(Producer& p, Pc pc) const {
    const auto loads_shared = [&](const isa::Instruction& i) {
      return i.is_load() && i.space == isa::Space::shared && i.copy == isa::CopyStep::none;
    };
    if (timing_[p.pc].unit == timing_[pc].unit) p.readers |= counters_of(pc);
    if (loads_shared(code_[p.pc]) && loads_shared(code_[pc]))
      p.writers |= bit(timing_[pc].control.write_barrier);
  }

  void join(Pc target, const State& state) {
    bool grown = !reached_[target];
    State& entry = entries_[target];
    for (const Producer& p : state) {
      const auto known =
          std::find_if(entry.begin(), entry.end(), [&](const Producer& e) { return e.pc == p.pc; });
      if (known == entry.end())
        entry.push_back(p), grown = true;
      else
        grown |= join(*known, p);
    }
    if (grown) waiting_.push_back(target);
  }
  // Returns whether the entry may be in flight for longer than before.
  static bool join(Producer& known, const Producer& p) {
    Producer joined = known;
    joined.cycles = std::min(joined.cycles, p.cycles);
    joined.unwritten |= p.unwritten, joined.unread |= p.unread;
    joined.writers &= p.writers, joined.readers &= p.readers;
    return std::exchange(known, joined) != joined;
  }

  const KernelFlow flow_;
  const std::vector<isa::Instruction>& code_;
  const std::span<const InstructionTiming> timing_;
  const std::uint32_t predicate_latency_;
  bool with_variable_ = false;
  std::vector<std::uint32_t> waits_;  // by pc; 0: nothing waits for its stall cycles
  std::vector<char> is_target_, reached_;
  std::vector<State> entries_;  // of targets
  std::vector<Pc> waiting_;     // places to walk from
};

}  // namespace

// The uniform datapath takes two cycles (Huerta et al., MICRO 2025), of which GuidedBackEnd knows
// nothing.
std::uint32_t dependence_of(const InstructionTiming& t) {
  constexpr std::uint32_t kUniform = 2;
  return t.registers.instruction->on_uniform_datapath ? kUniform : t.dependence;
}

OlderInstruction OlderInstruction::fixed(const InstructionTiming& timing, LaneMask lanes,
                                         Cycle issued, std::uint32_t predicate_latency) {
  const Cycle ready = issued + dependence_of(timing);
  const bool uniform = timing.registers.instruction->on_uniform_datapath;
  return {&timing, lanes, ready, uniform ? ready : std::max(ready, issued + predicate_latency),
          false};
}

std::uint32_t violations(const OlderInstruction& older, const InstructionTiming& timing, Cycle now,
                         LaneMask executed) {
  const isa::Instruction& i = *timing.registers.instruction;
  const isa::Instruction& o = *older.timing->registers.instruction;
  const Cycle written = timing.variable_latency ? Cycle::never() : now + dependence_of(timing);
  std::uint32_t found = 0;
  const bool meets = (older.lanes & executed).any();  // otherwise only its guard does
  for (int k = 0; k < i.read_count; ++k) {
    const std::uint16_t reg = i.reads[static_cast<std::size_t>(k)];
    if ((meets || reg == i.guard_register) && contains(o.writes.data(), o.write_count, reg))
      found += reg == i.guard_register
                   ? now < older.guard_ready
                   : now + early_cycles(*older.timing, timing, reg) < older.ready;
  }
  for (int k = 0; meets && k < i.write_count; ++k) {
    const std::uint16_t reg = i.writes[static_cast<std::size_t>(k)];
    if (contains(o.writes.data(), o.write_count, reg))
      found += older.ready == Cycle::never() || written < older.ready;
    // Guards and uniform registers are read at the issue, and memory instructions read in order.
    const bool in_order = is_memory(timing) && is_memory(*older.timing);
    if (older.unread && reg != o.guard_register && !i.on_uniform_datapath && !in_order &&
        contains(o.reads.data(), o.read_count, reg))
      ++found;
  }
  return found;
}

ProvenLaw prove_law(const isa::Kernel& kernel, std::span<const InstructionTiming> timing,
                    std::uint32_t predicate_latency) {
  Proof proof(kernel, timing, predicate_latency);
  if (proof.holds(true)) return ProvenLaw::all;
  return proof.holds(false) ? ProvenLaw::fixed_latencies : ProvenLaw::nothing;
}

}  // namespace heddle::sm
