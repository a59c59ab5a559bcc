// Where lanes of a warp come together that no reconvergence point brings together.
//
// Lanes that a branch parts meet at its reconvergence point. Compiled code can have them do
// something together before that: where one way out of a loop leaves the function by a flag that
// others clear, where `a || b` guards a shuffle, where a `break` is nested. GPUs of sm_70 and later
// wait there for the lanes that the instruction's mask names.
#pragma once

#include <span>
#include <vector>

#include "ptx/flow/cfg.h"
#include "ptx/kernel.h"

namespace heddle::ptx {

// What lanes of a warp do together at an instruction; a call is as good as what it comes to.
struct Together {
  bool here = false;       // they make it together
  bool warp_sync = false;  // it is a bar.warp.sync
  bool operator==(const Together&) const = default;
};

// Adds those of one function, whose first instruction is `base` in its kernel, and tells the
// instructions of `code`. `together`: by instruction.
void find_convergence_points(const Cfg& cfg, const std::vector<Together>& together, Pc base,
                             std::span<Instruction> code, std::vector<ConvergencePoint>& all);

}  // namespace heddle::ptx
