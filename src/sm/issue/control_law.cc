#include "sm/issue/control_law.h"

#include <algorithm>

namespace heddle::sm {

// Whatever its predecessor issued is complete.
void ControlLaw::Slot::start(std::uint32_t its_age) {
  age = its_age;
  count = 0;
  in_flight.clear();
  find_registers();
}

void ControlLaw::Slot::add(const Fixed& f, std::uint64_t wait) {
  recent.resize(kRecent);
  recent[count++ % kRecent] = f;
  longest = std::max(longest, wait);
}

void ControlLaw::Slot::add(const Variable& v) {
  in_flight.push_back(v);
  include_registers(v);
}

void ControlLaw::Slot::end_reads(std::uint64_t sequence, UnitClass unit) {
  ended = true;
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
  ended = false;
  for (const Variable& v : in_flight) include_registers(v);
}

bool ControlLaw::Slot::meets_in_flight(const RegisterUse& use) {
  const auto meets = [&] {
    return !masked || !use.masked || meet(awaited, use.touched) || meet(unread, use.written);
  };
  if (in_flight.empty() || !meets()) return false;
  if (!ended) return true;
  find_registers();
  return meets();
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
    if (may_need(use, f.timing->registers) && (f.lanes & active).any())
      found += violations(OlderInstruction::fixed(*f.timing, f.lanes, f.issued, predicate_latency),
                          *op.timing, op.issued, op.executed);
  }
  return found;
}

std::uint32_t ControlLaw::of_variable(Slot& warp, const Op& op, LaneMask active) {
  if (!warp.meets_in_flight(op.timing->registers)) return 0;
  std::uint32_t found = 0;
  for (const Variable& v : warp.in_flight)
    if ((v.lanes & active).any())
      found += violations({v.timing, v.lanes, Cycle::never(), Cycle::never(), v.unread}, *op.timing,
                          op.issued, op.executed);
  return found;
}

std::uint32_t ControlLaw::compare(const Op& op, LaneMask active, std::uint32_t age,
                                  std::uint32_t predicate_latency) {
  Slot& warp = of(op.warp);
  if (warp.age != age) warp.start(age);
  const InstructionTiming& timing = *op.timing;
  const isa::Instruction& i = *op.instruction;
  const bool covered = timing.proven != ProvenLaw::nothing;
  std::uint32_t found = of_variable(warp, op, active);
  if (!covered) found += of_fixed(warp, op, active, predicate_latency);
  const bool writes = op.executed.any() && i.write_count > 0;
  if (timing.variable_latency) {
    if (writes || i.read_count > 0)
      warp.add(Variable{&timing, op.sequence, op.executed, i.read_count > 0});
  } else if (writes && !covered) {
    warp.add(Fixed{&timing, op.issued, op.executed}, dependence_of(timing));
  }
  return found;
}

void ControlLaw::end_reads(Slot& warp, std::uint64_t sequence) {
  const auto reader = std::find_if(warp.in_flight.begin(), warp.in_flight.end(),
                                   [&](const Variable& v) { return v.sequence == sequence; });
  if (reader != warp.in_flight.end()) warp.end_reads(sequence, reader->timing->unit);
}

void ControlLaw::end(const Op& op) {
  Slot& warp = of(op.warp);
  const auto v = std::find_if(warp.in_flight.begin(), warp.in_flight.end(),
                              [&](const Variable& x) { return x.sequence == op.sequence; });
  if (v == warp.in_flight.end()) return;
  warp.end_reads(op.sequence, op.timing->unit);
  warp.in_flight.erase(v);
}

}  // namespace heddle::sm
