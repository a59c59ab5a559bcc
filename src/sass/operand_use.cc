#include "sass/operand_use.h"

#include <algorithm>

namespace heddle::sass {
namespace {

bool is_one_of(Opcode opcode, std::initializer_list<Opcode> list) {
  return std::find(list.begin(), list.end(), opcode) != list.end();
}

bool is_atomic(Opcode o) {
  return is_one_of(o, {Opcode::ATOM, Opcode::ATOMG, Opcode::ATOMS, Opcode::RED, Opcode::REDG});
}

// Bits of the type of an atomic.
int atomic_bytes(const Instruction& i) {
  if (const auto type = modifier_of<AtomicType>(i))
    return *type == AtomicType::n64 || *type == AtomicType::S64 || *type == AtomicType::F64_RN ? 8
                                                                                               : 4;
  if (const auto type = modifier_of<SharedType>(i)) return *type == SharedType::n64 ? 8 : 4;
  if (const auto type = modifier_of<CasType>(i)) return *type == CasType::n64 ? 8 : 4;
  if (const auto type = modifier_of<CasWidth>(i)) return *type == CasWidth::n64 ? 8 : 4;
  return 4;
}

struct MatrixRegisters {
  int a = 1, b = 1, c = 1;
};
MatrixRegisters matrix_registers(const Instruction& i) {
  if (i.opcode == Opcode::IMMA) {
    switch (modifier_of<IntShape>(i).value_or(IntShape::n8816)) {
      case IntShape::n16816: return {2, 1, 4};
      case IntShape::n16832: return {4, 2, 4};
      default: return {1, 1, 2};
    }
  }
  if (i.opcode == Opcode::DMMA) return {2, 2, 4};
  const bool wide = modifier_of<HalfAccumulator>(i) == HalfAccumulator::F32;
  const int c = wide ? 4 : 2;
  if (has_flag(i, "TF32")) return {4, 2, c};
  return modifier_of<HalfShape>(i) == HalfShape::n16816 ? MatrixRegisters{4, 2, c}
                                                        : MatrixRegisters{2, 1, c};
}

}  // namespace

AccessShape access_of(const Instruction& i) {
  if (is_atomic(i.opcode)) return {atomic_bytes(i), 1, false};
  if (i.opcode == Opcode::LDSM) {
    const auto count = modifier_of<MatrixCount>(i).value_or(MatrixCount::n1_);
    return {4, 1 << static_cast<int>(count), false};
  }
  int width = -1;
  if (const auto w = modifier_of<Width>(i)) width = static_cast<int>(*w);
  if (const auto w = modifier_of<ConstantWidth>(i)) width = static_cast<int>(*w);
  if (const auto w = modifier_of<CopyWidth>(i))
    return {*w == CopyWidth::n128 ? 16 : *w == CopyWidth::n64 ? 8 : 4, 1, false};
  switch (width) {
    case 0: return {1, 1, false};
    case 1: return {1, 1, true};
    case 2: return {2, 1, false};
    case 3: return {2, 1, true};
    case 4: return {4, 1, false};
    case 5: return {4, 2, false};
    case 6: return {4, 4, false};
    default: return {};
  }
}

int register_count(const Instruction& i, std::size_t operand) {
  const OperandForm& form = i.form->operands[operand];
  if (form.kind != OperandKind::reg && form.kind != OperandKind::uniform) return form.registers;
  if (is_one_of(i.opcode, {Opcode::HMMA, Opcode::IMMA, Opcode::DMMA})) {
    const MatrixRegisters registers = matrix_registers(i);
    return operand == 1 ? registers.a : operand == 2 ? registers.b : registers.c;
  }
  if (is_atomic(i.opcode)) return atomic_bytes(i) / 4;
  if (i.opcode == Opcode::CS2R) return modifier_of<RegisterWidth>(i) == RegisterWidth::n32 ? 1 : 2;
  if (i.opcode == Opcode::MATCH && !form.written)
    return modifier_of<MatchWidth>(i) == MatchWidth::U64 ? 2 : 1;
  if (is_one_of(i.opcode,
                {Opcode::LDG, Opcode::LD, Opcode::LDS, Opcode::LDL, Opcode::LDC, Opcode::ULDC,
                 Opcode::STG, Opcode::ST, Opcode::STS, Opcode::STL, Opcode::LDSM}))
    return form.hidden ? 2 : access_of(i).count;  // hidden: the descriptor of global memory
  return form.registers;
}

AddressWidth address_width(const Instruction& i, const OperandForm& form) {
  if (form.text.find(".U32") != std::string::npos) return {false, true};
  const bool wide =
      form.text.find(".64") != std::string::npos || has_flag(i, "E") ||
      (i.form->name.find(".E") != std::string::npos && !is_one_of(i.opcode, {Opcode::LDGSTS}));
  return {wide, wide};
}

int address_shift(const Instruction& i, std::size_t operand) {
  const auto& modifiers = i.form->modifiers;
  for (std::size_t m = 0; m < modifiers.size(); ++m) {
    if (modifiers[m].kind != ModifierKind::Stride ||
        modifiers[m].operand != static_cast<int>(operand))
      continue;
    return i.modifiers[m] == 0 ? 0 : i.modifiers[m] + 1;  // X1, X4, X8, X16
  }
  return 0;
}

}  // namespace heddle::sass
