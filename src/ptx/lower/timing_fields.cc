#include "ptx/lower/timing_fields.h"

#include <algorithm>

namespace heddle::ptx {
namespace {

using isa::CopyStep;

CopyStep copy_step_of(Opcode o) {
  switch (o) {
    case Opcode::cp_async: return CopyStep::start;
    case Opcode::cp_async_commit: return CopyStep::commit;
    case Opcode::cp_async_wait: return CopyStep::wait;
    case Opcode::cp_async_arrive: return CopyStep::arrive;
    case Opcode::bulk_load: return CopyStep::bulk_load;
    case Opcode::bulk_store: return CopyStep::bulk_store;
    case Opcode::wgmma: return CopyStep::product;
    case Opcode::wgmma_commit: return CopyStep::commit_products;
    case Opcode::wgmma_wait: return CopyStep::wait_for_products;
    default: return CopyStep::none;
  }
}

std::uint32_t matrix_work_of(const Instruction& i) {
  if (i.opcode == Opcode::wgmma) {  // of one warp: 16 rows
    const auto& shape = i.as<Wgmma>();
    const std::uint32_t depth_of_a = shape.sparse ? shape.k / 2u : shape.k;
    return 16u * shape.n * depth_of_a * element_bits(i.source_type);
  }
  if (i.opcode != Opcode::mma) return 0;
  const auto& matrix = i.as<Matrix>();
  const std::uint32_t depth_of_a = matrix.sparse ? matrix.k / 2u : matrix.k;
  return (is_volta(i) ? 4 : 1) * matrix.m * matrix.n * depth_of_a * element_bits(i.source_type);
}

// Is a register read other than as the guard or as the base of an address?
bool reads_value_of(const Instruction& i, std::uint16_t reg) {
  const bool has_address = (i.is_load() || i.is_store() || i.op_class == OpClass::atomic) &&
                           i.space != Space::texture && i.space != Space::surface;
  if (reg == i.guard_register) return false;
  if (!has_address || !i.src[0] || i.src[0].reg != reg) return true;
  return std::any_of(i.src.begin() + 1, i.src.end(),
                     [reg](const Operand& o) { return o && o.reg == reg; });
}

void add_operand(Instruction& i, std::uint16_t reg) {
  const auto place = std::find(i.reads.begin(), i.reads.begin() + i.read_count, reg);
  i.operands[i.operand_count++] = static_cast<std::uint8_t>(place - i.reads.begin());
}

}  // namespace

void set_timing_fields(Instruction& i) {
  i.copy = copy_step_of(i.opcode);
  if (i.copy == CopyStep::wait) {
    i.waits_for_all_copies = i.as<CopyWait>().all;
    i.groups_left = i.as<CopyWait>().pending_groups;
  }
  if (i.copy == CopyStep::wait_for_products) i.groups_left = i.as<ProductWait>().pending_groups;
  i.minor_opcode =
      i.opcode == Opcode::mul24 || i.opcode == Opcode::mad24 || i.opcode == Opcode::rem;
  i.matrix_work = matrix_work_of(i);
  if (i.guard) i.guard_register = i.guard.reg;
  if (is_memory(i.op_class) && i.src[0]) i.base_register = i.src[0].reg;
  for (std::size_t k = 0; k < i.read_count; ++k)
    if (!reads_value_of(i, i.reads[k])) i.not_values |= std::uint32_t{1} << k;
  if (has_fragments(i.opcode)) {
    for (std::size_t k = 0; k < i.read_count; ++k)
      if (i.reads[k] != i.guard_register) add_operand(i, i.reads[k]);
  } else {
    for (const Operand& operand : i.src)
      if (operand && operand.reg != Operand::kNoReg) add_operand(i, operand.reg);
  }
}

}  // namespace heddle::ptx
