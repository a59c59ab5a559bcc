#include "sm/issue/control_law.h"

#include <algorithm>
#include <utility>

namespace heddle::sm {
namespace {

bool meet(const RegisterUse::Mask& a, const RegisterUse::Mask& b) {
  return ((a[0] & b[0]) | (a[1] & b[1])) != 0;
}

bool contains(const std::uint16_t* registers, std::uint8_t count, std::uint16_t reg) {
  return std::find(registers, registers + count, reg) != registers + count;
}

bool is_memory(const InstructionTiming& t) { return t.unit == UnitClass::mem; }

bool is_variable(const InstructionTiming& t) {
  return is_memory(t) || t.control.write_barrier != isa::ControlWord::kNone;
}

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
  if (older.unit == UnitClass::dp && t.unit != UnitClass::dp && is_variable(t)) return 2;
  const std::uint32_t lower =
      is_wide_product(older) && reg == older.registers.instruction->writes[0];
  return lower + (is_wide_product(t) && is_upper_addend(*t.registers.instruction, reg) ? 2 : 0);
}

}  // namespace

std::uint32_t ControlLaw::violations(const InFlight& older, const InstructionTiming& timing,
                                     Cycle now, LaneMask executed) {
  const RegisterUse &use = timing.registers, &before = older.timing->registers;
  if (use.masked && before.masked && !meet(before.written, use.touched) &&
      !meet(before.touched, use.written))
    return 0;
  const isa::Instruction &i = *use.instruction, &o = *before.instruction;
  const Cycle written = is_variable(timing) ? Cycle::never() : now + dependence_of(timing);
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

// Whatever its predecessor issued is complete, so the entries allow everything in time.
void ControlLaw::Slot::start(std::uint32_t its_age) {
  age = its_age;
  in_flight.clear();
  if (entries.empty()) entries.resize(kEntries);
}

bool ControlLaw::Slot::allows(const isa::Instruction& i, Cycle now, Cycle written) const {
  for (std::size_t k = 0; k < i.read_count; ++k) {
    const Entry& e = entry(i.reads[k]);
    const std::uint64_t more = i.reads[k] == i.guard_register ? e.guard_cycles : 0;
    if (e.writers > 0 || e.ready + more > now) return false;
  }
  for (std::size_t k = 0; k < i.write_count; ++k) {
    const Entry& e = entry(i.writes[k]);
    if (e.writers > 0 || e.readers > 0 || e.ready > written) return false;
  }
  return true;
}

void ControlLaw::Slot::add(const InFlight& f) {
  const isa::Instruction& i = *f.timing->registers.instruction;
  for (std::size_t k = 0; k < i.write_count; ++k) {
    Entry& e = entry(i.writes[k]);
    if (f.ready == Cycle::never()) {
      ++e.writers;
    } else {
      const Cycle guard_ready = std::max(e.ready + e.guard_cycles, f.guard_ready);
      e.ready = std::max(e.ready, f.ready);
      e.guard_cycles = static_cast<std::uint16_t>(guard_ready - e.ready);
    }
  }
  for (std::size_t k = 0; f.unread && k < i.read_count; ++k) ++entry(i.reads[k]).readers;
  in_flight.push_back(f);
}

void ControlLaw::Slot::end_reads(InFlight& f) {
  if (!std::exchange(f.unread, false)) return;
  const isa::Instruction& i = *f.timing->registers.instruction;
  for (std::size_t k = 0; k < i.read_count; ++k) --entry(i.reads[k]).readers;
}

void ControlLaw::Slot::end_writes(const InFlight& f) {
  if (f.ready != Cycle::never()) return;
  const isa::Instruction& i = *f.timing->registers.instruction;
  for (std::size_t k = 0; k < i.write_count; ++k) --entry(i.writes[k]).writers;
}

std::uint32_t ControlLaw::issue(const Op& op, LaneMask active, std::uint32_t age,
                                std::uint32_t predicate_latency) {
  Slot& warp = of(op.warp);
  if (warp.age != age || warp.entries.empty()) warp.start(age);
  const Cycle now = op.issued;
  const InstructionTiming& timing = *op.timing;
  const isa::Instruction& i = *op.instruction;
  const bool variable = is_variable(timing);
  const Cycle written = variable ? Cycle::never() : now + dependence_of(timing);
  std::uint32_t found = 0;
  if (!warp.allows(i, now, written))
    for (const InFlight& older : warp.in_flight)
      if ((older.lanes & active).any()) found += violations(older, timing, now, op.executed);
  const bool unread = variable && i.read_count > 0;
  if (!unread && (op.executed.none() || i.write_count == 0)) return found;
  Cycle ready = now, guard_ready = now;
  if (i.write_count > 0) {
    ready = written;
    guard_ready =
        variable || i.on_uniform_datapath ? ready : std::max(ready, now + predicate_latency);
  }
  constexpr std::size_t kMany = 8;
  if (warp.in_flight.size() >= kMany)
    std::erase_if(warp.in_flight, [now](const InFlight& f) {
      return !f.unread && f.ready <= now && f.guard_ready <= now;
    });
  warp.add({&timing, op.sequence, op.executed, ready, guard_ready, unread});
  return found;
}

void ControlLaw::read(WarpSlot slot, std::uint64_t sequence) {
  Slot& warp = of(slot);
  const auto reader = std::find_if(warp.in_flight.rbegin(), warp.in_flight.rend(),
                                   [&](const InFlight& f) { return f.sequence == sequence; });
  if (reader == warp.in_flight.rend()) return;
  const UnitClass unit = reader->timing->unit;
  for (InFlight& f : warp.in_flight) {
    if (f.sequence > sequence) break;
    if (f.timing->unit == unit) warp.end_reads(f);
  }
}

void ControlLaw::complete(const Op& op) {
  if (!is_variable(*op.timing)) return;
  read(op.warp, op.sequence);
  Slot& warp = of(op.warp);
  const auto f = std::find_if(warp.in_flight.begin(), warp.in_flight.end(),
                              [&](const InFlight& x) { return x.sequence == op.sequence; });
  if (f == warp.in_flight.end()) return;
  warp.end_writes(*f);
  warp.in_flight.erase(f);
}

}  // namespace heddle::sm
