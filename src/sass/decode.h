// From 128 bits to an instruction.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "sass/instruction.h"
#include "sass/word.h"

namespace heddle::sass {

// Why a word is not decoded: "opcode 0x836 of sm_90 is not known", "LDG with bit 37 ...".
struct NotDecoded {
  std::string reason;
};

// `address` is that of the instruction in its kernel; labels are relative to it. The architecture
// is one of architecture.h.
std::variant<Instruction, NotDecoded> decode(const InstructionWord& word, int architecture,
                                             std::uint64_t address);

}  // namespace heddle::sass
