#include "exec/stillness.h"

#include <algorithm>
#include <cstring>

namespace heddle::exec {
namespace {

using ptx::OpClass;
using ptx::Opcode;

// Does the instruction leave everything but the warp's own registers as it was? Atomics are judged by what they do.
bool harmless(const Warp& w, const Record& r) {
  const ptx::Instruction& i = *r.instruction;
  if (r.flow == Flow::leave && w.stack.call_depth() == 0) return false;
  switch (i.opcode) {
    case Opcode::cp_async: case Opcode::bulk_load: case Opcode::vprintf: case Opcode::assertfail: case Opcode::device_malloc: case Opcode::device_free: return false;
    case Opcode::read_special: return !ptx::is_dynamic(i.special);
    default: break;
  }
  switch (i.op_class) {
    case OpClass::store: case OpClass::exit_: return false;
    case OpClass::barrier: return i.barrier == ptx::BarrierOp::sync || i.barrier == ptx::BarrierOp::warp_sync;
    default: return true;
  }
}

bool same(const SimtStack& a, const SimtStack& b) {
  if (a.depth() != b.depth()) return false;
  for (int i = 0; i < a.depth(); ++i) {
    const SimtStack::Entry &x = a.entry(i), &y = b.entry(i);
    if (x.pc != y.pc || x.mask != y.mask || x.reconvergence != y.reconvergence || x.call_depth != y.call_depth) return false;
  }
  return true;
}

// Only where lanes wait for the turning ones does it matter how long these have turned: then they give way.
bool turns_matter(const Warp& w) { return w.stack.depth() > 1 || !w.parked.empty(); }

}  // namespace

void Stillness::begin() {
  seen_.clear();
  changed_ = false;
}

bool Stillness::recurs(const Warp& w) const {
  const auto found = seen_.find(&w);
  return found != seen_.end() && found->second.recurs;
}

void Stillness::look(const Warp& w, const Record& r, std::uint32_t mask) {
  if (mask && !harmless(w, r)) {
    changed_ = true;
    return;
  }
  Seen& seen = seen_[&w];
  if (seen.recurs) return;
  if (seen.steps == 0) take(seen, w);
  else if (same(seen, w)) seen.recurs = true;
  if (++seen.steps > seen.kept_for) seen.steps = 0, seen.kept_for *= 2;
}

void Stillness::take(Seen& seen, const Warp& w) {
  const ptx::Kernel& kernel = *w.machine->launch.kernel;
  seen.registers.assign(w.bases[0], w.bases[0] + std::size_t{kernel.register_rows} * 128);
  seen.predicates.assign(w.predicates, w.predicates + kernel.predicate_rows);
  seen.carry = w.carry;
  seen.turns = w.spin_turns;
  seen.turning = w.spin_lanes;
  seen.turn_pc = w.spin_pc;
  seen.enclosing = w.enclosing;
  seen.stack = w.stack;
  seen.parked = w.parked;
}

bool Stillness::same(const Seen& seen, const Warp& w) {
  if (seen.stack.pc() != w.stack.pc() || seen.stack.active() != w.stack.active() || seen.carry != w.carry) return false;
  if (turns_matter(w) && (seen.turns != w.spin_turns || seen.turning != w.spin_lanes || seen.turn_pc != w.spin_pc || seen.enclosing != w.enclosing)) return false;
  return std::memcmp(seen.registers.data(), w.bases[0], seen.registers.size()) == 0 &&
         std::equal(seen.predicates.begin(), seen.predicates.end(), w.predicates) && exec::same(seen.stack, w.stack) &&
         std::equal(seen.parked.begin(), seen.parked.end(), w.parked.begin(), w.parked.end(), [](const SimtStack& a, const SimtStack& b) { return exec::same(a, b); });
}

}  // namespace heddle::exec
