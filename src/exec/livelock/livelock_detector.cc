#include "exec/livelock/livelock_detector.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>

#include "exec/isa/lanes.h"
#include "exec/livelock/clock_free_state.h"
#include "exec/state/global_memory.h"

namespace heddle::exec {
namespace {

using ptx::OpClass;
using ptx::Opcode;

// Does the instruction leave everything but the warp's own registers as it was? Atomics are judged
// by what they do.
bool harmless(const Warp& w, const Record& r) {
  const ptx::Instruction& i = *r.instruction;
  if (i.clock_acts || (r.flow == Flow::leave && w.stack.call_depth() == 0)) return false;
  switch (i.opcode) {
    case Opcode::cp_async:
    case Opcode::bulk_load:
    case Opcode::vprintf:
    case Opcode::assertfail:
    case Opcode::device_malloc:
    case Opcode::device_free: return false;
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

// A store to the threads' own memory?
bool is_private(const Warp& w, const Record& r, std::uint32_t mask) {
  const ptx::Instruction& i = *r.instruction;
  if (i.op_class != OpClass::store) return false;
  if (i.space == ptx::Space::local || i.space == ptx::Space::frame) return true;
  if (i.space != ptx::Space::generic || r.uniform_pointer || i.opcode != Opcode::st) return false;
  const auto* base = source<std::uint64_t>(w, r, 0);
  for (; mask != 0; mask &= mask - 1) {
    const std::uint64_t address =
        base[std::countr_zero(mask)] + static_cast<std::uint64_t>(r.offset);
    if (address < kLocalWindow || address >= kParamWindow) return false;
  }
  return true;
}

bool same(const SimtStack& a, const SimtStack& b) {
  if (a.depth() != b.depth()) return false;
  for (int i = 0; i < a.depth(); ++i)
    if (a.entry(i) != b.entry(i)) return false;
  return true;
}

// Only where lanes wait for the turning ones does it matter how long these have turned: then they
// give way.
bool turns_matter(const Warp& w) { return w.stack.depth() > 1 || !w.parked.empty(); }

// Are there lanes of which the clock says how they go on?
bool clock_decides(const Warp& w, const SimtStack& stack) {
  for (int i = 0; i < stack.depth(); ++i)
    if (w.machine->code[stack.entry(i).pc].instruction->clock_decides) return true;
  return false;
}
bool clock_decides(const Warp& w) {
  return clock_decides(w, w.stack) ||
         std::any_of(w.parked.begin(), w.parked.end(),
                     [&](const SimtStack& stack) { return clock_decides(w, stack); });
}

}  // namespace

void LivelockDetector::begin() {
  seen_.clear();
  changed_ = told_ = false;
}

bool LivelockDetector::recurs(const Warp& w) const {
  const auto found = seen_.find(&w);
  return found != seen_.end() && found->second.recurs;
}

void LivelockDetector::look(const Warp& w, const Record& r, std::uint32_t mask) {
  if (mask && !harmless(w, r)) {
    changed_ = true;
    told_ = told_ || !is_private(w, r, mask);
    return;
  }
  if (changed_) return;
  Seen& seen = seen_[&w];
  if (seen.recurs || clock_decides(w)) return;
  if (seen.steps == 0)
    take(seen, w);
  else if (same(seen, w))
    seen.recurs = true;
  if (++seen.steps > seen.kept_for) seen.steps = 0, seen.kept_for *= 2;
}

void LivelockDetector::take(Seen& seen, const Warp& w) {
  seen.registers.clear();
  seen.predicates.clear();
  for_each_clock_free_register(w, [&](std::span<const std::uint8_t> bytes) {
    seen.registers.insert(seen.registers.end(), bytes.begin(), bytes.end());
  });
  for_each_clock_free_predicate(w, [&](std::span<const std::uint32_t> masks) {
    seen.predicates.insert(seen.predicates.end(), masks.begin(), masks.end());
  });
  seen.carry = w.carry;
  seen.turns = w.spin_turns;
  seen.turning = w.spin_lanes;
  seen.turn_pc = w.spin_pc;
  seen.enclosing = w.enclosing;
  seen.stack = w.stack;
  seen.parked = w.parked;
}

bool LivelockDetector::same(const Seen& seen, const Warp& w) {
  if (seen.stack.pc() != w.stack.pc() || seen.stack.active() != w.stack.active() ||
      seen.carry != w.carry)
    return false;
  if (turns_matter(w) && (seen.turns != w.spin_turns || seen.turning != w.spin_lanes ||
                          seen.turn_pc != w.spin_pc || seen.enclosing != w.enclosing))
    return false;
  bool same = true;
  const auto* registers = seen.registers.data();
  const auto* predicates = seen.predicates.data();
  for_each_clock_free_register(w, [&](std::span<const std::uint8_t> bytes) {
    same = same && std::memcmp(registers, bytes.data(), bytes.size()) == 0;
    registers += bytes.size();
  });
  for_each_clock_free_predicate(w, [&](std::span<const std::uint32_t> masks) {
    same = same && std::equal(masks.begin(), masks.end(), predicates);
    predicates += masks.size();
  });
  return same && exec::same(seen.stack, w.stack) &&
         std::equal(seen.parked.begin(), seen.parked.end(), w.parked.begin(), w.parked.end(),
                    [](const SimtStack& a, const SimtStack& b) { return exec::same(a, b); });
}

}  // namespace heddle::exec
