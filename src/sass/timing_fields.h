// The fields of isa::Instruction that follow from a decoded instruction.
#pragma once

#include "sass/kernel.h"

namespace heddle::sass {

// Registers as the scoreboard counts them: R0 ..., then UR0 ..., P0 ..., UP0 ... of those that a
// kernel uses.
struct RegisterNumbering {
  int registers = 0, uniform_registers = 0;

  std::uint16_t reg(int n) const { return static_cast<std::uint16_t>(n); }
  std::uint16_t uniform(int n) const { return static_cast<std::uint16_t>(registers + n); }
  std::uint16_t predicate(int n) const {
    return static_cast<std::uint16_t>(registers + uniform_registers + n);
  }
  std::uint16_t uniform_predicate(int n) const {
    return static_cast<std::uint16_t>(predicate(7) + n);
  }
  std::uint32_t count() const { return static_cast<std::uint32_t>(uniform_predicate(7)); }
};

// Raises the counts to what the instruction uses.
void count_registers(const Instruction& instruction, RegisterNumbering& numbers);
void set_timing_fields(KernelInstruction& instruction, const RegisterNumbering& numbers);

}  // namespace heddle::sass
