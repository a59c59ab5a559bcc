#include "exec/livelock/livelock_detector.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>

#include "exec/livelock/clock_free_state.h"
#include "exec/state/global_memory.h"
#include "exec/state/registers.h"

namespace heddle::exec {
namespace {

using ptx::OpClass;
using ptx::Opcode;

// True when the instruction changes nothing but the warp's own registers. Atomics report changes
// themselves (note_change).
bool changes_registers_only(const Warp& w, const DecodedInstruction& r) {
  const ptx::Instruction& i = ptx_of(r);
  if (i.clock_acts || (r.flow == Flow::return_ && w.stack.call_depth() == 0)) return false;
  switch (i.opcode) {
    case Opcode::cp_async:
    case Opcode::bulk_load:
    case Opcode::vprintf:
    case Opcode::assertfail:
    case Opcode::device_malloc:
    case Opcode::device_free:
    case Opcode::device_runtime: return false;
    default: break;
  }
  switch (i.op_class) {
    case OpClass::store:
    case OpClass::exit_: return false;
    case OpClass::barrier:
      return i.barrier == ptx::BarrierOp::sync || i.barrier == ptx::BarrierOp::warp_sync;
    default: return true;
  }
}

bool stores_to_local_memory(const Warp& w, const DecodedInstruction& r, std::uint32_t mask) {
  const ptx::Instruction& i = ptx_of(r);
  if (i.op_class != OpClass::store) return false;
  if (i.space == ptx::Space::local || i.space == ptx::Space::frame) return true;
  if (i.space != ptx::Space::generic || r.uniform_pointer || i.opcode != Opcode::st) return false;
  for (; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(mask));
    const std::uint64_t address =
        pair_or_word(w, r.src[0], lane) + static_cast<std::uint64_t>(r.offset);
    if (address - w.machine->map.local_window >= kWindowBytes) return false;
  }
  return true;
}

bool equal_stacks(const SimtStack& a, const SimtStack& b) {
  if (a.depth() != b.depth()) return false;
  for (int i = 0; i < a.depth(); ++i)
    if (a.entry(i) != b.entry(i)) return false;
  return true;
}

// The number of loop iterations is part of the state only when other lanes of the warp wait: it
// decides when the running lanes yield to them.
bool iterations_matter(const Warp& w) { return w.stack.depth() > 1 || !w.fragments.empty(); }

// True when some lanes are on a path that the clock selected: their state is not comparable.
bool on_clock_path(const Warp& w, const SimtStack& stack) {
  for (int i = 0; i < stack.depth(); ++i)
    if (ptx_of(w.machine->code[stack.entry(i).pc]).clock_decides) return true;
  return false;
}
bool on_clock_path(const Warp& w) {
  return on_clock_path(w, w.stack) ||
         std::any_of(w.fragments.begin(), w.fragments.end(),
                     [&](const SimtStack& stack) { return on_clock_path(w, stack); });
}

}  // namespace

void LivelockDetector::begin() {
  recorded_.clear();
  changed_ = visible_change_ = false;
}

bool LivelockDetector::repeats(const Warp& w) const {
  const auto found = recorded_.find(&w);
  return found != recorded_.end() && found->second.repeats;
}

void LivelockDetector::observe_instruction(const Warp& w, const DecodedInstruction& r,
                                           std::uint32_t mask) {
  if (mask && !changes_registers_only(w, r)) {
    changed_ = true;
    visible_change_ = visible_change_ || !stores_to_local_memory(w, r, mask);
    return;
  }
  if (changed_) return;
  Recorded& state = recorded_[&w];
  if (state.repeats || on_clock_path(w)) return;
  if (state.steps == 0)
    record(state, w);
  else if (equal(state, w))
    state.repeats = true;
  if (++state.steps > state.max_steps) state.steps = 0, state.max_steps *= 2;
}

void LivelockDetector::record(Recorded& state, const Warp& w) {
  state.registers.clear();
  state.predicates.clear();
  for_each_clock_free_register(w, [&](std::span<const std::uint8_t> bytes) {
    state.registers.insert(state.registers.end(), bytes.begin(), bytes.end());
  });
  for_each_clock_free_predicate(w, [&](std::span<const std::uint32_t> masks) {
    state.predicates.insert(state.predicates.end(), masks.begin(), masks.end());
  });
  state.carry = w.carry;
  state.spin_iterations = w.spin_iterations;
  state.spin_lanes = w.spin_lanes;
  state.spin_pc = w.spin_pc;
  state.enclosing = w.enclosing;
  state.stack = w.stack;
  state.fragments = w.fragments;
}

bool LivelockDetector::equal(const Recorded& state, const Warp& w) {
  if (state.stack.pc() != w.stack.pc() || state.stack.active() != w.stack.active() ||
      state.carry != w.carry)
    return false;
  if (iterations_matter(w) &&
      (state.spin_iterations != w.spin_iterations || state.spin_lanes != w.spin_lanes ||
       state.spin_pc != w.spin_pc || state.enclosing != w.enclosing))
    return false;
  bool same = true;
  const auto* registers = state.registers.data();
  const auto* predicates = state.predicates.data();
  for_each_clock_free_register(w, [&](std::span<const std::uint8_t> bytes) {
    same = same && std::memcmp(registers, bytes.data(), bytes.size()) == 0;
    registers += bytes.size();
  });
  for_each_clock_free_predicate(w, [&](std::span<const std::uint32_t> masks) {
    same = same && std::equal(masks.begin(), masks.end(), predicates);
    predicates += masks.size();
  });
  return same && equal_stacks(state.stack, w.stack) &&
         std::equal(state.fragments.begin(), state.fragments.end(), w.fragments.begin(),
                    w.fragments.end(), equal_stacks);
}

}  // namespace heddle::exec
