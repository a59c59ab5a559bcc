// Calls that copy their arguments: of recursive functions, and through pointers. Every function has
// one set of register rows and one place for its call parameters. A framed function saves the
// values of an outer call of the same function there, lane by lane, and restores them when the lane
// returns. Its local variables are on a stack in local memory.
#pragma once

#include "exec/state/machine.h"

namespace heddle::exec {

// The stack space of a call besides the callee's variables: a return address.
inline constexpr std::uint32_t kReturnBytes = 8;
inline constexpr std::uint32_t kStackAlign = 16;

inline std::uint32_t align_up(std::uint32_t value, std::uint32_t align) {
  return (value + align - 1) / align * align;
}

// The lanes in `mask` enter a function, one call level deeper.
void enter_function(Warp& w, const DecodedInstruction& r, std::uint32_t function,
                    std::uint32_t mask);
// The lanes are about to return: restores what their call saved.
void restore_frames(Warp& w, std::uint32_t mask);
// The lanes have ended: removes them from all activations.
void forget_lanes(Warp& w, std::uint32_t mask);

}  // namespace heddle::exec
