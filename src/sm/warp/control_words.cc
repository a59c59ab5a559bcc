#include "sm/warp/control_words.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "sm/warp/kernel_flow.h"

namespace heddle::sm {
namespace {

using isa::ControlWord;

class PcSet {
 public:
  explicit PcSet(std::size_t size) : words_((size + 63) / 64) {}
  bool test(std::size_t i) const { return words_[i / 64] >> (i % 64) & 1; }
  void set(std::size_t i) { words_[i / 64] |= bit(i); }
  void reset(std::size_t i) { words_[i / 64] &= ~bit(i); }
  bool add(const PcSet& other) {  // returns whether it grew
    std::uint64_t grown = 0;
    for (std::size_t k = 0; k < words_.size(); ++k) {
      grown |= other.words_[k] & ~words_[k];
      words_[k] |= other.words_[k];
    }
    return grown != 0;
  }
  template <class F>
  void for_each(F&& f) const {
    for (std::size_t k = 0; k < words_.size(); ++k)
      for (std::uint64_t rest = words_[k]; rest; rest &= rest - 1)
        f(k * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
  }

 private:
  static std::uint64_t bit(std::size_t i) { return std::uint64_t{1} << (i % 64); }
  std::vector<std::uint64_t> words_;
};

// A result of fixed latency that is not ready: cycles until it is.
struct Unready {
  Pc pc = kNoPc;
  int value = 0, guard = 0;  // for an instruction that reads it, and for one that it guards
};

// What may be in flight before an instruction. Sets hold indices into Computation::variable_.
struct InFlight {
  explicit InFlight(std::size_t variable) : unwritten(variable), unread(variable) {}
  std::vector<Unready> unready;
  PcSet unwritten, unread;

  void pass(int cycles) {
    for (Unready& u : unready) u.value -= cycles, u.guard -= cycles;
    std::erase_if(unready, [](const Unready& u) { return u.value <= 0 && u.guard <= 0; });
  }
  bool join(const InFlight& other) {
    bool grown = unwritten.add(other.unwritten);
    grown |= unread.add(other.unread);
    for (const Unready& u : other.unready) {
      const auto known = std::find_if(unready.begin(), unready.end(),
                                      [&](const Unready& k) { return k.pc == u.pc; });
      if (known == unready.end()) {
        unready.push_back(u);
        grown = true;
      } else if (u.value > known->value || u.guard > known->guard) {
        known->value = std::max(known->value, u.value);
        known->guard = std::max(known->guard, u.guard);
        grown = true;
      }
    }
    return grown;
  }
};

// A forward analysis over basic blocks. Entry states, waits, stalls and counters only grow, so it
// ends. A call, a return and an indirect branch wait for everything: they continue at places that
// this analysis does not know.
class Computation {
 public:
  Computation(const isa::Kernel& kernel, std::uint32_t predicate_latency,
              std::span<InstructionTiming> timing)
      : code_(kernel.instructions),
        flow_(kernel),
        timing_(timing),
        predicate_latency_(static_cast<int>(predicate_latency)),
        writers_(registers_of(kernel)),
        readers_(writers_.size()) {
    for (InstructionTiming& t : timing_) t.control = ControlWord{};
    index_variable();
    find_blocks();
  }

  void run() {
    std::vector<char> waits(blocks_.size(), 1);
    for (bool any = true; any;) {
      any = false;
      for (std::size_t b = 0; b < blocks_.size(); ++b) {
        if (!std::exchange(waits[b], 0)) continue;
        any = true;
        for (const std::size_t s : walk(b)) waits[s] = 1;
      }
    }
    for (Pc pc = 0; pc < size(); ++pc) finish(pc);
  }

 private:
  struct Block {
    Pc first = 0, end = 0;
    std::vector<std::size_t> successors;
    InFlight entry;
  };
  static std::size_t registers_of(const isa::Kernel& kernel) {
    std::size_t count = 0;
    for (const isa::Instruction& i : kernel.instructions) {
      for (int k = 0; k < i.read_count; ++k)
        count = std::max(count, i.reads[static_cast<std::size_t>(k)] + std::size_t{1});
      for (int k = 0; k < i.write_count; ++k)
        count = std::max(count, i.writes[static_cast<std::size_t>(k)] + std::size_t{1});
    }
    return count;
  }
  Pc size() const { return static_cast<Pc>(code_.size()); }
  ControlWord& control(Pc pc) { return timing_[pc].control; }

  void index_variable() {
    place_.assign(code_.size(), 0);
    for (Pc pc = 0; pc < size(); ++pc) {
      const isa::Instruction& i = code_[pc];
      if (!has_variable_latency(timing_[pc])) continue;
      place_[pc] = variable_.size();
      for (int k = 0; k < i.write_count; ++k)
        writers_[i.writes[static_cast<std::size_t>(k)]].push_back(variable_.size());
      for (int k = 0; k < i.read_count; ++k)
        readers_[i.reads[static_cast<std::size_t>(k)]].push_back(variable_.size());
      variable_.push_back(pc);
    }
  }

  void find_blocks() {
    std::vector<char> leader(code_.size() + 1, 0);
    leader[0] = 1;
    for (Pc pc = 0; pc < size(); ++pc) {
      const isa::Instruction& i = code_[pc];
      for (const Pc place : {i.target, i.reconvergence})
        if (place < size()) leader[place] = 1;
      if (KernelFlow::transfers_control(i)) leader[pc + 1] = 1;
    }
    std::vector<std::size_t> block_of(code_.size());
    for (Pc pc = 0; pc < size(); ++pc) {
      if (leader[pc]) blocks_.push_back({pc, pc, {}, InFlight(variable_.size())});
      blocks_.back().end = pc + 1;
      block_of[pc] = blocks_.size() - 1;
    }
    for (Block& block : blocks_) {
      const Pc last = block.end - 1;
      if (flow_.falls_through(last)) block.successors.push_back(block_of[block.end]);
      if (const Pc target = flow_.branch_target(last); target < size())
        block.successors.push_back(block_of[target]);
    }
  }

  // Returns the blocks to visit again: successors whose entry grew, and this block when a counter
  // was assigned that an instruction before may have had to wait for.
  std::vector<std::size_t> walk(std::size_t b) {
    Block& block = blocks_[b];
    InFlight state = block.entry;
    for (Pc pc = block.first; pc < block.end; ++pc) {
      wait_for_counters(pc, state);
      if (pc > block.first) stall_before(pc, pc - 1, state);
      add(pc, state);
      state.pass(control(pc).stall_cycles);
    }
    const Pc last = block.end - 1;
    if (flow_.continues_elsewhere(last)) wait_for_everything(last, state);
    std::vector<std::size_t> grown;
    for (const std::size_t s : block.successors) stall_before(blocks_[s].first, last, state);
    for (const std::size_t s : block.successors)
      if (blocks_[s].entry.join(state)) grown.push_back(s);
    return grown;
  }

  void wait_for_counters(Pc pc, InFlight& state) {
    const isa::Instruction& i = code_[pc];
    std::uint8_t& mask = control(pc).wait_mask;
    const auto wait_for_results = [&](std::uint16_t reg) {
      for (const std::size_t v : writers_[reg])
        if (state.unwritten.test(v)) mask |= bit(control(variable_[v]).write_barrier);
    };
    for (int k = 0; k < i.read_count; ++k) wait_for_results(i.reads[static_cast<std::size_t>(k)]);
    for (int k = 0; k < i.write_count; ++k) {
      const std::uint16_t reg = i.writes[static_cast<std::size_t>(k)];
      wait_for_results(reg);
      for (const std::size_t v : readers_[reg])
        if (state.unread.test(v)) mask |= bit(read_counter(variable_[v]));
    }
    if (mask != 0) clear(mask, state);
  }

  static std::uint8_t bit(std::uint8_t counter) { return static_cast<std::uint8_t>(1u << counter); }
  std::uint8_t next_counter() {
    last_counter_ = static_cast<std::uint8_t>((last_counter_ + 1) % isa::kDependenceCounters);
    return last_counter_;
  }
  std::uint8_t read_counter(Pc pc) {
    std::uint8_t& counter = control(pc).read_barrier;
    if (counter == ControlWord::kNone) counter = next_counter();
    return counter;
  }

  void clear(std::uint8_t mask, InFlight& state) {
    const auto waited_for = [mask](std::uint8_t counter) {
      return counter != ControlWord::kNone && (mask >> counter & 1) != 0;
    };
    const PcSet unwritten = state.unwritten, unread = state.unread;
    unwritten.for_each([&](std::size_t v) {
      if (waited_for(control(variable_[v]).write_barrier)) state.unwritten.reset(v);
    });
    unread.for_each([&](std::size_t v) {
      const ControlWord& c = control(variable_[v]);
      if (waited_for(c.read_barrier) || waited_for(c.write_barrier)) state.unread.reset(v);
    });
  }

  // Stalls at `before` until the operands of the instruction at pc are ready, and until its result
  // cannot overtake an older one.
  void stall_before(Pc pc, Pc before, InFlight& state) {
    const isa::Instruction& i = code_[pc];
    const bool variable = has_variable_latency(timing_[pc]);
    int missing = 0;
    for (const Unready& u : state.unready) {
      const isa::Instruction& producer = code_[u.pc];
      for (int w = 0; w < producer.write_count; ++w) {
        const std::uint16_t reg = producer.writes[static_cast<std::size_t>(w)];
        for (int k = 0; k < i.read_count; ++k)
          if (i.reads[static_cast<std::size_t>(k)] == reg)
            missing =
                std::max(missing, reg == i.guard_register ? std::max(u.guard, u.value) : u.value);
        for (int k = 0; k < i.write_count && !variable; ++k)
          if (i.writes[static_cast<std::size_t>(k)] == reg)
            missing = std::max(missing, u.value - timing_[pc].dependence);
      }
    }
    stall_longer(before, missing, state);
  }
  void stall_longer(Pc pc, int cycles, InFlight& state) {
    if (cycles <= 0) return;
    control(pc).stall_cycles = static_cast<std::uint8_t>(control(pc).stall_cycles + cycles);
    check_invariant(control(pc).stall_cycles <= kLongestStall,
                    "a computed stall does not fit into a control word");
    state.pass(cycles);
  }

  void wait_for_everything(Pc pc, InFlight& state) {
    std::uint8_t mask = 0;
    state.unwritten.for_each(
        [&](std::size_t v) { mask |= bit(control(variable_[v]).write_barrier); });
    state.unread.for_each([&](std::size_t v) { mask |= bit(read_counter(variable_[v])); });
    control(pc).wait_mask |= mask;
    clear(mask, state);
    int longest = 0;
    for (const Unready& u : state.unready) longest = std::max({longest, u.value, u.guard});
    stall_longer(pc, longest, state);
  }

  void add(Pc pc, InFlight& state) {
    const isa::Instruction& i = code_[pc];
    if (has_variable_latency(timing_[pc])) {
      std::uint8_t& counter = control(pc).write_barrier;
      if (i.write_count > 0) {
        if (counter == ControlWord::kNone) counter = next_counter();
        state.unwritten.set(place_[pc]);
      }
      if (i.read_count > 0) state.unread.set(place_[pc]);
    } else if (i.write_count > 0) {
      const int latency = timing_[pc].dependence;
      std::erase_if(state.unready, [pc](const Unready& u) { return u.pc == pc; });
      state.unready.push_back({pc, latency, std::max(latency, predicate_latency_)});
    }
  }

  // A counter is visible to the instruction after the next cycle. A register that the next
  // instruction reads as the same operand stays in the reuse cache.
  void finish(Pc pc) {
    ControlWord& c = control(pc);
    const bool ends = pc + 1 == size() || KernelFlow::transfers_control(code_[pc]);
    const std::uint8_t raised = static_cast<std::uint8_t>(
        (c.write_barrier != ControlWord::kNone ? bit(c.write_barrier) : 0) |
        (c.read_barrier != ControlWord::kNone ? bit(c.read_barrier) : 0));
    if (raised && (ends || (control(pc + 1).wait_mask & raised)))
      c.stall_cycles = std::max<std::uint8_t>(2, c.stall_cycles);
    if (ends || timing_[pc].unit == UnitClass::mem || timing_[pc + 1].unit == UnitClass::mem)
      return;
    constexpr std::uint8_t kSlots = 3;
    const InstructionTiming &here = timing_[pc], &next = timing_[pc + 1];
    for (std::uint8_t k = 0; k < std::min({kSlots, here.operand_count, next.operand_count}); ++k)
      if (here.operands[k] == next.operands[k]) c.reuse |= bit(k);
  }

  const std::vector<isa::Instruction>& code_;
  const KernelFlow flow_;
  std::span<InstructionTiming> timing_;
  const int predicate_latency_;
  std::vector<Pc> variable_;                                 // instructions without a fixed latency
  std::vector<std::size_t> place_;                           // by pc: the index there
  std::vector<std::vector<std::size_t>> writers_, readers_;  // by register: indices
  std::vector<Block> blocks_;
  std::uint8_t last_counter_ = isa::kDependenceCounters - 1;
};

}  // namespace

bool has_variable_latency(const InstructionTiming& timing) {
  return timing.unit == UnitClass::mem || timing.dependence > kLongestStall;
}

void compute_control_words(const isa::Kernel& kernel, std::uint32_t predicate_latency,
                           std::span<InstructionTiming> timing) {
  if (!kernel.instructions.empty()) Computation(kernel, predicate_latency, timing).run();
}

}  // namespace heddle::sm
