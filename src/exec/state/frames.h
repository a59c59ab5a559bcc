// Calls that copy their arguments: of functions that take part in recursion, and through pointers.
// Every function has one set of register rows and one place for its call parameters; a framed
// function saves what an outer call of it holds there, lane by lane, and gives it back when the
// lane returns. Local variables of framed functions lie on a stack in local memory.
#pragma once

#include "exec/state/machine.h"

namespace heddle::exec {

// What a call leaves on the stack besides the callee's variables: a return address.
inline constexpr std::uint32_t kReturnBytes = 8;
inline constexpr std::uint32_t kStackAlign = 16;

inline std::uint32_t align_up(std::uint32_t value, std::uint32_t align) {
  return (value + align - 1) / align * align;
}

// The lanes in `mask` enter a function, one call level deeper than they are.
void enter(Warp& w, const Record& r, std::uint32_t function, std::uint32_t mask);
// The lanes are about to leave their call level.
void give_back(Warp& w, std::uint32_t mask);
// The lanes have ended.
void forget(Warp& w, std::uint32_t mask);

}  // namespace heddle::exec
