#include "sass/register_ranges.h"

#include "sass/image_fields.h"
#include "sass/operand_use.h"

namespace heddle::sass {
namespace {

int surface_coordinates(const Instruction& i) {
  switch (modifier_of<SurfaceShape>(i).value_or(SurfaceShape::n1D)) {
    case SurfaceShape::n1D:
    case SurfaceShape::n1D_BUFFER: return 1;
    case SurfaceShape::n1D_ARRAY:
    case SurfaceShape::n2D: return 2;
    case SurfaceShape::n2D_ARRAY:
    case SurfaceShape::n3D: break;
  }
  return 3;
}

// Of the place [UR] of a bulk copy: an address of global memory or of a tensor map; one of shared
// memory, with the barrier of a load behind it, then the coordinates.
int registers_of_place(const Instruction& i, std::size_t operand) {
  const int coordinates = tensor_dimensions(i);
  const bool global = coordinates > 0          ? operand == 1
                      : is_bulk_from_shared(i) ? false
                                               : (operand == 1) == is_bulk_load(i);
  if (global) return 2;
  return operand == 1 ? 1 : (is_bulk_load(i) ? 2 : 1) + coordinates;
}

}  // namespace

RegisterRanges register_ranges(const Instruction& i, std::size_t operand) {
  const OperandForm& form = i.form->operands[operand];
  const Operand& o = i.operands[operand];
  RegisterRanges all;
  const auto add = [&](bool uniform, bool of_address, int first, int count) {
    if (first != (uniform ? kZeroUniformRegister : kZeroRegister))
      all.ranges[all.count++] = {uniform, of_address, first, count};
  };
  switch (form.kind) {
    case OperandKind::reg: add(false, false, o.index, register_count(i, operand)); break;
    case OperandKind::uniform: add(true, false, o.index, register_count(i, operand)); break;
    case OperandKind::constant:
      add(false, true, o.index, 1);
      add(true, true, o.uniform, 1);
      break;
    case OperandKind::memory: {
      const AddressWidth width = address_width(i, form);
      const int bases = is_of_image(i.opcode) ? surface_coordinates(i) : width.wide_base ? 2 : 1;
      add(false, true, o.index, bases);
      add(true, true, o.uniform,
          is_bulk_copy(i)      ? registers_of_place(i, operand)
          : width.wide_uniform ? 2
                               : 1);
      add(true, true, o.descriptor, form.descriptor_ahead > 0 ? 1 : 2);
      break;
    }
    default: break;
  }
  return all;
}

bool has_all_registers(const Instruction& i) {
  for (std::size_t k = 0; k < i.form->operands.size(); ++k)
    for (const RegisterRange& range : register_ranges(i, k))
      if (range.first + range.count > (range.uniform ? kUniformRegisters : kRegisters))
        return false;
  return true;
}

}  // namespace heddle::sass
