// What the name of a machine instruction, with its modifiers, says: "LDG.E.128.CONSTANT".
#pragma once

#include <cstdint>
#include <string_view>

#include "isa/instruction.h"

namespace heddle::trace {

struct Mnemonic {
  isa::OpClass op_class = isa::OpClass::alu;
  isa::Space space = isa::Space::none;
  isa::BarrierOp barrier = isa::BarrierOp::none;
  isa::CopyStep copy = isa::CopyStep::none;
  isa::CacheOperator cache = isa::CacheOperator::none;
  isa::Ordering ordering = isa::Ordering::weak;
  std::uint8_t access_bytes = 0, vector = 1;  // memory: as in isa::Instruction
  std::uint32_t matrix_work = 0;
  // 32-bit registers of an operand that the trace names by its first register.
  struct Widths {
    std::uint8_t written = 1;
    std::uint8_t address = 1;                       // memory: the first source
    std::uint8_t first = 1, second = 1, third = 1;  // the sources, for memory those after it
  } registers;
};

// Throws FormatError for an instruction that is not known, and for one that needs values which a
// trace does not have.
Mnemonic read_mnemonic(std::string_view text);

}  // namespace heddle::trace
