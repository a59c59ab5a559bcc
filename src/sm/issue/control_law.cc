#include "sm/issue/control_law.h"

#include <algorithm>

namespace heddle::sm {
namespace {

bool meet(const RegisterUse::Mask& a, const RegisterUse::Mask& b) {
  return ((a[0] & b[0]) | (a[1] & b[1])) != 0;
}

bool contains(const std::uint16_t* registers, std::uint8_t count, std::uint16_t reg) {
  return std::find(registers, registers + count, reg) != registers + count;
}

bool is_memory(const InstructionTiming& t) { return t.unit == UnitClass::mem; }

// The uniform datapath takes two cycles (Huerta et al., MICRO 2025), of which GuidedBackEnd knows
// nothing.
std::uint32_t dependence_of(const InstructionTiming& t) {
  constexpr std::uint32_t kUniform = 2;
  return t.registers.instruction->on_uniform_datapath ? kUniform : t.dependence;
}

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
  if (older.unit == UnitClass::dp && t.unit != UnitClass::dp && t.has_variable_latency()) return 2;
  const std::uint32_t lower =
      is_wide_product(older) && reg == older.registers.instruction->writes[0];
  return lower + (is_wide_product(t) && is_upper_addend(*t.registers.instruction, reg) ? 2 : 0);
}

}  // namespace

// An instruction that issued before another of its warp.
struct ControlLaw::Older {
  const InstructionTiming* timing;
  LaneMask lanes;
  Cycle ready, guard_ready;  // of the result: never() while that is not known
  bool unread;
};

std::uint32_t ControlLaw::violations(const Older& older, const InstructionTiming& timing, Cycle now,
                                     LaneMask executed) {
  const isa::Instruction& i = *timing.registers.instruction;
  const isa::Instruction& o = *older.timing->registers.instruction;
  const Cycle written =
      timing.has_variable_latency() ? Cycle::never() : now + dependence_of(timing);
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

// Whatever its predecessor issued is complete.
void ControlLaw::Slot::start(std::uint32_t its_age) {
  age = its_age;
  count = 0;
  in_flight.clear();
  find_registers();
  recent.resize(kRecent);
}

void ControlLaw::Slot::add(const Fixed& f, std::uint64_t wait) {
  recent[count++ % kRecent] = f;
  longest = std::max(longest, wait);
}

void ControlLaw::Slot::add(const Variable& v) {
  in_flight.push_back(v);
  include_registers(v);
}

void ControlLaw::Slot::end_reads(std::uint64_t sequence, UnitClass unit) {
  for (Variable& v : in_flight) {
    if (v.sequence > sequence) return;
    if (v.timing->unit == unit) v.unread = false;
  }
}

void ControlLaw::Slot::include_registers(const Variable& v) {
  const RegisterUse& use = v.timing->registers;
  masked &= use.masked;
  for (std::size_t k = 0; k < RegisterUse::kMaskWords; ++k) {
    awaited[k] |= use.written[k];
    if (v.unread) unread[k] |= use.touched[k];
  }
}

void ControlLaw::Slot::find_registers() {
  awaited = unread = {};
  masked = true;
  for (const Variable& v : in_flight) include_registers(v);
}

bool ControlLaw::Slot::meets_in_flight(const RegisterUse& use) const {
  return !masked || !use.masked || meet(awaited, use.touched) || meet(unread, use.written);
}

// Those whose result, or the guard that it is, is ready need no look.
std::uint32_t ControlLaw::of_fixed(const Slot& warp, const Op& op, LaneMask active,
                                   std::uint32_t predicate_latency) {
  const RegisterUse& use = op.timing->registers;
  const bool guarded = use.instruction->guard_register != isa::kNoRegister;
  const std::uint64_t window =
      guarded ? std::max<std::uint64_t>(warp.longest, predicate_latency) : warp.longest;
  std::uint32_t found = 0;
  for (std::uint32_t n = warp.count; n > 0 && warp.count - n < kRecent; --n) {
    const Fixed& f = warp.recent[(n - 1) % kRecent];
    if (op.issued - f.issued >= window) break;
    const RegisterUse& before = f.timing->registers;
    if (use.masked && before.masked && !meet(before.written, use.touched)) continue;
    if ((f.lanes & active).none()) continue;
    const Cycle ready = f.issued + dependence_of(*f.timing);
    const Cycle guard_ready = before.instruction->on_uniform_datapath
                                  ? ready
                                  : std::max(ready, f.issued + predicate_latency);
    found += violations({f.timing, f.lanes, ready, guard_ready, false}, *op.timing, op.issued,
                        op.executed);
  }
  return found;
}

std::uint32_t ControlLaw::of_variable(const Slot& warp, const Op& op, LaneMask active) {
  if (warp.in_flight.empty() || !warp.meets_in_flight(op.timing->registers)) return 0;
  std::uint32_t found = 0;
  for (const Variable& v : warp.in_flight)
    if ((v.lanes & active).any())
      found += violations({v.timing, v.lanes, Cycle::never(), Cycle::never(), v.unread}, *op.timing,
                          op.issued, op.executed);
  return found;
}

std::uint32_t ControlLaw::issue(const Op& op, LaneMask active, std::uint32_t age,
                                std::uint32_t predicate_latency) {
  Slot& warp = of(op.warp);
  if (warp.age != age || warp.recent.empty()) warp.start(age);
  const InstructionTiming& timing = *op.timing;
  const isa::Instruction& i = *op.instruction;
  const std::uint32_t found =
      of_fixed(warp, op, active, predicate_latency) + of_variable(warp, op, active);
  const bool writes = op.executed.any() && i.write_count > 0;
  if (!timing.has_variable_latency()) {
    if (writes) warp.add(Fixed{&timing, op.issued, op.executed}, dependence_of(timing));
  } else if (writes || i.read_count > 0) {
    warp.add(Variable{&timing, op.sequence, op.executed, i.read_count > 0});
  }
  return found;
}

void ControlLaw::read(WarpSlot slot, std::uint64_t sequence) {
  Slot& warp = of(slot);
  const auto reader = std::find_if(warp.in_flight.begin(), warp.in_flight.end(),
                                   [&](const Variable& v) { return v.sequence == sequence; });
  if (reader == warp.in_flight.end()) return;
  warp.end_reads(sequence, reader->timing->unit);
  warp.find_registers();
}

void ControlLaw::end(const Op& op) {
  Slot& warp = of(op.warp);
  const auto v = std::find_if(warp.in_flight.begin(), warp.in_flight.end(),
                              [&](const Variable& x) { return x.sequence == op.sequence; });
  if (v == warp.in_flight.end()) return;
  warp.end_reads(op.sequence, op.timing->unit);
  warp.in_flight.erase(v);
  warp.find_registers();
}

}  // namespace heddle::sm
