// What depends on the clock. A loop that reads it is never twice in the same state, but when only
// what it computes from the time changes, and that decides nothing but where it passes on its way
// round (how long it sleeps before it asks again), it waits like any other.
#pragma once

#include <span>
#include <vector>

#include "ptx/flow/cfg.h"

namespace heddle::ptx {

struct ClockFlow {
  std::vector<char> registers;  // by register: it may hold something that depends on the clock.
                                // Empty when no clock is read
  // By instruction. `decided`: a branch that depends on the clock says whether it is made. `acts`:
  // it depends on the clock and does more than to change registers, or is a branch that decides
  // over such instructions or over where the function is left.
  std::vector<char> decided, acts;
};

// `code` is one function; its registers are numbered first_register + 0, 1, ..., `count` in all.
ClockFlow follow_clocks(std::span<const Instruction> code, const Cfg& cfg,
                        std::uint16_t first_register, std::size_t count);

}  // namespace heddle::ptx
