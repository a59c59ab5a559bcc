// Which registers and instructions depend on a clock. The livelock detector ignores state that
// depends on a clock, where the clock influences nothing but registers and the paths within a loop
// (for example, how long a waiting loop sleeps). Otherwise a loop that reads a clock would never
// repeat a state.
#pragma once

#include <span>
#include <vector>

#include "ptx/flow/cfg.h"

namespace heddle::ptx {

struct ClockFlow {
  // By register: its value may depend on a clock. Empty when the function reads no clock.
  std::vector<char> registers;
  // By instruction. decided: a branch that depends on a clock decides whether it executes. acts: it
  // depends on a clock and does more than change registers; or it is a branch that depends on a
  // clock and decides about such an instruction or about an exit of the function.
  std::vector<char> decided, acts;
};

// `code` is one function; its registers are numbered first_register + 0, 1, ..., `count` in all.
ClockFlow find_clock_dependence(std::span<const Instruction> code, const Cfg& cfg,
                                std::uint16_t first_register, std::size_t count);

}  // namespace heddle::ptx
