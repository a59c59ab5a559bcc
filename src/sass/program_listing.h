// The code of a cubin, decoded for reading.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "sass/cubin/cubin.h"
#include "sass/decode.h"

namespace heddle::sass {

struct ListedInstruction {
  std::uint64_t address = 0;
  InstructionWord word;
  std::variant<Instruction, NotDecoded> decoded;
  const ListedLine* source = nullptr;  // null: unknown
};

// Every instruction of the code, in the order of addresses. UserError when the architecture is not
// known. The result refers to the code.
std::vector<ListedInstruction> list_code(const Code& code, int architecture);

}  // namespace heddle::sass
