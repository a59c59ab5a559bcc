#include <algorithm>

#include "ptx/lower/function_lowering.h"

namespace heddle::ptx {

namespace {
using Role = OperandShape::Role;
}

LoweredFunction FunctionLowering::run() {
  LoweredFunction out;
  out.first_register = first_register_;
  for (const AstInstruction& instruction : function_.code) {
    out.code.push_back(lower(instruction));
    out.callees.push_back(callees_of(instruction, out.code.back()));
  }
  if (can_fall_off(out.code)) append_ret(out);
  return out;
}

bool FunctionLowering::can_fall_off(const std::vector<Instruction>& code) const {
  if (code.empty()) return true;
  const Instruction& last = code.back();
  const bool stops = last.opcode == Opcode::ret || last.opcode == Opcode::exit ||
                     last.opcode == Opcode::bra || last.opcode == Opcode::brx ||
                     last.opcode == Opcode::trap;
  bool targeted = false;
  for (const Instruction& i : code) targeted |= i.opcode == Opcode::bra && i.target == code.size();
  for (const auto& table : function_.branch_tables)
    for (std::uint32_t t : table) targeted |= t == code.size();
  return !stops || last.guard || targeted;
}

void FunctionLowering::append_ret(LoweredFunction& out) {
  Instruction end;
  end.opcode = Opcode::ret;
  end.op_class = OpClass::return_;
  end.ptx_line = out.code.empty() ? 0 : out.code.back().ptx_line;
  end.source = out.code.empty() ? 0 : out.code.back().source;
  out.code.push_back(end);
  out.callees.emplace_back();
}

std::vector<std::uint32_t> FunctionLowering::callees_of(const AstInstruction& instruction,
                                                        Instruction& out) {
  if (out.opcode != Opcode::call) return {};
  const AstCall& call = function_.calls[instruction.target];
  std::vector<std::uint32_t> callees;
  if (call.callee == kNoIndex) {
    for (const FunctionRef& callee : possible_callees(builder_.ast, ref_.unit, call))
      callees.push_back(builder_.calls.place_of(callee));
    out.src[0] = reg(call.pointer);
    note_registers(out);
    out.opcode = Opcode::call_through_site;
  } else if (const FunctionRef callee = resolve_callee(builder_.ast, ref_.unit, call);
             callee.unit == kNoIndex) {
    out.opcode = host_function(unit_.functions[call.callee].name);
    if (out.opcode == Opcode::device_malloc || out.opcode == Opcode::device_free)
      builder_.kernel.uses_heap = true;
  } else {
    callees.push_back(builder_.calls.place_of(callee));
    const bool copies = builder_.layout.copied_calls.contains({ref_, instruction.target});
    if (!copies && !builder_.calls.is_framed(callee)) return callees;
    out.opcode = Opcode::call_through_site;
  }
  out.payload = CallSiteIndex{static_cast<std::uint32_t>(builder_.kernel.call_sites.size())};
  CallSite site{frame_slots(builder_.layout, ref_.unit, unit_, call.arguments),
                frame_slots(builder_.layout, ref_.unit, unit_, call.results), callees};
  if (out.opcode == Opcode::device_runtime) {
    site.runtime = *runtime_function(unit_.functions[call.callee].name);
    builder_.kernel.uses_device_runtime = true;
    builder_.kernel.launches_kernels |= site.runtime.call == RuntimeCall::launch_device ||
                                        site.runtime.call == RuntimeCall::launch_device_v2;
    builder_.kernel.launches_graphs |= site.runtime.call == RuntimeCall::launch_graph;
    if (site.runtime.call == RuntimeCall::allocate || site.runtime.call == RuntimeCall::free)
      builder_.kernel.uses_heap = true;
  }
  check_host_call(out.opcode, site, call);
  builder_.kernel.call_sites.push_back(std::move(site));
  return callees;
}

void FunctionLowering::check_host_call(Opcode opcode, const CallSite& site,
                                       const AstCall& call) const {
  std::vector<std::uint32_t> wanted;
  switch (opcode) {
    case Opcode::vprintf: wanted = {8, 8}; break;
    case Opcode::assertfail: wanted = {8, 8, 4, 8, 8}; break;
    case Opcode::device_malloc:
    case Opcode::device_free: wanted = {8}; break;
    case Opcode::device_runtime:
      for (const std::uint8_t bytes : site.runtime.argument_bytes)
        if (bytes) wanted.push_back(bytes);
      break;
    default: return;
  }
  bool fits = site.arguments.size() >= wanted.size();
  for (std::size_t i = 0; fits && i < wanted.size(); ++i)
    fits = site.arguments[i].bytes == wanted[i];
  for (const FrameSlot& slot : site.results) fits = fits && slot.bytes <= 8;
  if (!fits)
    fail(call.at, "the arguments do not match the parameters of '" +
                      unit_.functions[call.callee].name + "'");
}

Instruction FunctionLowering::lower(const AstInstruction& instruction) {
  const InstructionForm& form = unit_.forms[instruction.form];
  Instruction out = form.prototype;
  out.ptx_line = instruction.at.line;
  out.source = source_line(instruction);
  if (instruction.guard != kNoIndex) {
    out.guard = reg(instruction.guard);
    out.guard.negated = instruction.guard_negated;
  }
  if (out.opcode == Opcode::bra) out.target = instruction.target;
  if (out.opcode == Opcode::brx) out.payload = BranchTable{instruction.target};
  src_ = 0;
  if (has_fragments(out.opcode)) {
    out.fragments = static_cast<std::uint32_t>(builder_.kernel.matrices.size());
    builder_.kernel.matrices.emplace_back();
  }
  std::uint32_t next = instruction.first_operand;
  for (const OperandShape& shape : form.operands) {
    if (shape.role == Role::label || shape.role == Role::call || shape.role == Role::table)
      continue;
    const AstOperand& operand = function_.operands[next++];
    lower_operand(out, operand, shape);
    if (out.opcode == Opcode::video)
      lower_parts(out, operand, shape.role == Role::destination ? 0 : src_);
    if (shape.role == Role::destination_pair || shape.role == Role::destination_optional_pair) {
      const AstOperand& second = function_.operands[next++];
      if (second.kind == AstOperand::Kind::reg) out.dst[1] = reg(second.index);
    }
  }
  lower_sampler(out, instruction);
  if (out.opcode == Opcode::wgmma_commit) out.barrier = BarrierOp::sync;
  if (out.opcode == Opcode::bar && out.barrier == BarrierOp::none)
    out.barrier = BarrierOp::sync, out.cluster = true;
  // A 128-bit register is two 64-bit registers, so its loads and stores have two elements.
  if (out.type == Type::b128 && out.opcode != Opcode::atom) out.vector = 2;
  if (out.type == Type::b128 && (out.opcode == Opcode::ld || out.opcode == Opcode::st))
    out.type = Type::b64, out.access_bytes = 8;
  note_registers(out);
  return out;
}

std::uint32_t FunctionLowering::source_line(const AstInstruction& instruction) {
  const auto file = unit_.files.find(instruction.file);
  if (instruction.file_line == 0 || file == unit_.files.end()) return 0;
  auto& lines = builder_.kernel.source_lines;
  const auto [place, added] = builder_.source_indices.try_emplace(
      {file->second, instruction.file_line}, static_cast<std::uint32_t>(lines.size()));
  if (added) lines.push_back({file->second, instruction.file_line});
  return place->second;
}

void FunctionLowering::note_registers(Instruction& out) const {
  const auto note = [](auto& list, std::uint8_t& count, const Operand& operand) {
    if (!operand || operand.reg == Operand::kNoReg) return;
    if (std::find(list.begin(), list.begin() + count, operand.reg) != list.begin() + count) return;
    check_invariant(count < list.size(), "an instruction accesses too many registers");
    list[count++] = operand.reg;
  };
  for (const Operand& operand : out.src) note(out.reads, out.read_count, operand);
  note(out.reads, out.read_count, out.guard);
  for (const Operand& operand : out.dst) note(out.writes, out.write_count, operand);
  if (!has_fragments(out.opcode)) return;
  for (const Operand& operand : builder_.kernel.matrices[out.fragments].src)
    note(out.reads, out.read_count, operand);
  for (const Operand& operand : builder_.kernel.matrices[out.fragments].dst)
    note(out.writes, out.write_count, operand);
}

std::vector<FrameSlot> frame_slots(const Layout& layout, std::uint32_t unit, const AstUnit& in,
                                   const std::vector<std::uint32_t>& variables) {
  std::vector<FrameSlot> slots;
  for (std::uint32_t v : variables) {
    slots.push_back({static_cast<std::uint32_t>(layout.offsets.at({unit, v})),
                     static_cast<std::uint32_t>(in.variables[v].bytes)});
  }
  return slots;
}

LoweredFunction lower_function(KernelBuilder& builder, FunctionRef ref) {
  const AstUnit& unit = builder.ast.units[ref.unit];
  const AstFunction& function = unit.functions[ref.function];
  const std::uint32_t first = builder.kernel.architectural_registers;
  builder.kernel.architectural_registers += static_cast<std::uint32_t>(function.registers.size());
  for (const AstRegister& r : function.registers) builder.kernel.register_names.push_back(r.digits);
  if (builder.kernel.architectural_registers >= Operand::kNoReg) {
    throw UserError(unit.where(function.at), "'" + function.name + "' uses too many registers");
  }
  return FunctionLowering(builder, ref, static_cast<std::uint16_t>(first)).run();
}

}  // namespace heddle::ptx
