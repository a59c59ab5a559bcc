// Convergence points: warp-synchronous instructions and barriers that lanes of a divergent warp can
// reach on different paths before their reconvergence point.
//
// Compiled code has them where a flag decides whether a lane returns after a loop, where `a || b`
// guards a shuffle, and at nested `break`s. GPUs of sm_70 and later wait there for the lanes of the
// member mask.
#pragma once

#include <span>
#include <vector>

#include "ptx/flow/cfg.h"
#include "ptx/kernel.h"

namespace heddle::ptx {

// What an instruction executes warp-synchronously. A call executes what its callees execute.
struct WarpSynchrony {
  bool converges = false;  // a warp-synchronous instruction or a barrier other than bar.warp.sync
  bool warp_sync = false;  // bar.warp.sync
  bool operator==(const WarpSynchrony&) const = default;
};

// Appends the convergence points of one function to `all` and sets Instruction::convergence_point
// in `code`. `base`: the function's first instruction in its kernel. `synchrony`: by instruction.
void find_convergence_points(const Cfg& cfg, const std::vector<WarpSynchrony>& synchrony, Pc base,
                             std::span<Instruction> code, std::vector<ConvergencePoint>& all);

}  // namespace heddle::ptx
