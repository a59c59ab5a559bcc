// Which registers an instruction reads and writes. Execution, the scoreboard and the size of a
// warp's state follow from it.
#pragma once

#include <array>
#include <cstddef>

#include "sass/instruction.h"

namespace heddle::sass {

// Registers, one behind the other, or uniform registers.
struct RegisterRange {
  bool uniform = false;
  bool of_address = false;
  int first = 0, count = 0;
};
// The most that an operand has: base, uniform register and descriptor of an address.
struct RegisterRanges {
  std::array<RegisterRange, 3> ranges{};
  std::size_t count = 0;
  const RegisterRange* begin() const { return ranges.data(); }
  const RegisterRange* end() const { return ranges.data() + count; }
};
// Those of any operand. RZ and URZ stand for as many zeros as are wanted, and are none.
RegisterRanges register_ranges(const Instruction& instruction, std::size_t operand);
// Whether they all exist. Only damaged code has others, such as a pair in R253.
bool has_all_registers(const Instruction& instruction);

}  // namespace heddle::sass
