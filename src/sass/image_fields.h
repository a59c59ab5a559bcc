// The instruction of PTX that a texture or surface instruction does. The opcode stays nop where PTX
// has no such instruction, or the place of an operand is not known.
#pragma once

#include <optional>

#include "sass/kernel.h"

namespace heddle::sass {

bool is_of_image(Opcode opcode);
// TEX and its kind, TXQ: the components that are wanted, a bit for each.
std::uint64_t components_of(const Instruction& instruction);
bool has_level(const Instruction& instruction);  // TEX, TLD: a level of detail is given

// With .B: the register that has the image's handle; kZeroRegister: none has.
std::optional<std::size_t> bindless_handle(const Instruction& instruction);

void set_image_fields(KernelInstruction& instruction, int architecture);

}  // namespace heddle::sass
