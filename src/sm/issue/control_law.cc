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

std::uint32_t ControlLaw::issue(const Op& op, LaneMask active, std::uint32_t age,
                                std::uint32_t predicate_latency) {
  std::vector<InFlight>& all = of(op.warp);
  const Cycle now = op.issued;
  std::erase_if(all, [&](const InFlight& f) {
    return f.age != age || (!f.unread && f.ready <= now && f.guard_ready <= now);
  });
  const InstructionTiming& timing = *op.timing;
  std::uint32_t found = 0;
  for (const InFlight& older : all)
    if ((older.lanes & active).any()) found += violations(older, timing, now, op.executed);
  const bool variable = is_variable(timing);
  const isa::Instruction& i = *op.instruction;
  const bool unread = variable && i.read_count > 0;
  if (!unread && (op.executed.none() || i.write_count == 0)) return found;
  Cycle ready = now, guard_ready = now;
  if (i.write_count > 0) {
    ready = variable ? Cycle::never() : now + dependence_of(timing);
    guard_ready =
        variable || i.on_uniform_datapath ? ready : std::max(ready, now + predicate_latency);
  }
  all.push_back({&timing, op.sequence, op.executed, age, ready, guard_ready, unread});
  return found;
}

void ControlLaw::read(WarpSlot warp, std::uint64_t sequence) {
  std::vector<InFlight>& all = of(warp);
  const auto reader = std::find_if(all.begin(), all.end(),
                                   [&](const InFlight& f) { return f.sequence == sequence; });
  if (reader == all.end()) return;
  for (InFlight& f : all)
    if (f.sequence <= sequence && f.timing->unit == reader->timing->unit) f.unread = false;
}

void ControlLaw::complete(const Op& op) {
  if (!is_variable(*op.timing)) return;
  read(op.warp, op.sequence);
  std::erase_if(of(op.warp), [&](const InFlight& f) { return f.sequence == op.sequence; });
}

}  // namespace heddle::sm
