#include "sm/warp/latency_law.h"

#include <algorithm>
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

// A forward analysis: before each instruction the producers whose result may not be ready, with
// the least number of cycles since their issue. Entries only grow and numbers only fall, so it
// ends.
class Proof {
 public:
  Proof(const isa::Kernel& kernel, std::span<const InstructionTiming> timing,
        std::uint32_t predicate_latency)
      : flow_(kernel),
        code_(kernel.instructions),
        timing_(timing),
        predicate_latency_(predicate_latency),
        is_target_(code_.size()),
        reached_(code_.size()),
        entries_(code_.size()) {
    for (Pc pc = 0; pc < size(); ++pc)
      if (const Pc target = flow_.branch_target(pc); target < size()) is_target_[target] = 1;
    find_waits();
  }

  // Where no path leads, one may begin that the code does not name; nothing is in flight there.
  bool holds() {
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
      if (breaks_law(pc, state)) return false;
      issue(pc, state);
      if (flow_.continues_elsewhere(pc) && !state.empty()) return false;
      if (const Pc target = flow_.branch_target(pc); target < size()) join(target, state);
      if (!flow_.falls_through(pc)) return true;
      if (is_target_[pc + 1]) return join(pc + 1, state), true;
    }
  }

  bool breaks_law(Pc pc, const State& state) const {
    const InstructionTiming& t = timing_[pc];
    return std::any_of(state.begin(), state.end(), [&](const Producer& p) {
      const InstructionTiming& older = timing_[p.pc];
      return may_need(t.registers, older.registers) &&
             violations(
                 OlderInstruction::fixed(older, LaneMask::all(), Cycle{0}, predicate_latency_), t,
                 Cycle{p.cycles}, LaneMask::all()) > 0;
    });
  }

  void issue(Pc pc, State& state) const {
    const std::uint32_t cycles = IssueControl::cycles_to_next(timing_[pc].control);
    std::size_t kept = 0;
    for (Producer p : state) {
      p.cycles += cycles;
      if (p.pc != pc && p.cycles < waits_[p.pc]) state[kept++] = p;
    }
    state.resize(kept);
    if (cycles < waits_[pc]) state.push_back({pc, cycles});
  }

  void join(Pc target, const State& state) {
    bool grown = !reached_[target];
    State& entry = entries_[target];
    for (const Producer& p : state) {
      const auto known =
          std::find_if(entry.begin(), entry.end(), [&](const Producer& e) { return e.pc == p.pc; });
      if (known == entry.end())
        entry.push_back(p);
      else if (p.cycles < known->cycles)
        known->cycles = p.cycles;
      else
        continue;
      grown = true;
    }
    if (grown) waiting_.push_back(target);
  }

  const KernelFlow flow_;
  const std::vector<isa::Instruction>& code_;
  const std::span<const InstructionTiming> timing_;
  const std::uint32_t predicate_latency_;
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

bool stalls_cover_latencies(const isa::Kernel& kernel, std::span<const InstructionTiming> timing,
                            std::uint32_t predicate_latency) {
  return Proof(kernel, timing, predicate_latency).holds();
}

}  // namespace heddle::sm
