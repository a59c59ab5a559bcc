// Decodes instruction names: opcode, modifiers and the operands that must follow. The accepted
// forms are in forms_table.h and the files that it names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/instruction.h"
#include "ptx/type_info.h"

namespace heddle::ptx {

// What one operand of an instruction may be.
struct OperandShape {
  enum class Role : std::uint8_t {
    destination,
    destination_pair /* p or p|q */,
    destination_optional_pair /* d or d|p */,
    source,
    predicate,
    constant,
    address,
    texel /* [image, {coordinates}] */,
    handle /* [image] */,
    tensor /* [tensor map, {coordinates}] */,
    gradient,
    offsets /* in texels */,
    pixel_offsets /* im2col */,
    label,
    call,
    table,
    hint /* checked, without effect: a cache policy */
  };
  Role role = Role::source;
  Type type = Type::none;
  bool optional = false;
  bool relaxed = false;  // the register may be wider than the type
  bool vector = false;   // {a, b, ...} with as many elements as the instruction's vector modifier
  bool pack = false;     // mov: may be a vector whose elements add up to the type
  bool sink = false;     // may be _
  bool address_of = false;     // may be the name of a variable
  bool or_predicate = false;   // may be a predicate
  bool or_descriptor = false;  // a fragment: may be the descriptor of a matrix in shared memory
  Space space = Space::none;   // of an address, when it is not the instruction's
  std::uint8_t elements = 0;   // of a fragment: the number of registers in braces
  std::uint8_t place = 0;  // of a source fragment: its first register in MatrixOperands::src; of
                           // a bulk copy's mbarrier: CopySource::mbarrier
};

// A decoded instruction name: what lowering starts from.
struct InstructionForm {
  Instruction prototype;
  std::vector<OperandShape> operands;
};

// Decodes "mad.lo.s32". Returns an empty string, or why the name is refused.
std::string decode_form(std::string_view name, InstructionForm& form);

// Every accepted form that contains the pattern, one line each, in the manual's notation.
std::string forms_text(std::string_view pattern);

}  // namespace heddle::ptx
