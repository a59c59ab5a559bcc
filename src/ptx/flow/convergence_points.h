// Convergence points: warp-synchronous instructions and barriers that lanes of a divergent warp can
// reach on different paths before their reconvergence point.
//
// Compiled code has them where a flag decides whether a lane returns after a loop, where `a || b`
// guards a shuffle, and at nested `break`s. Programs have matching instructions in several branches
// or called functions. GPUs of sm_70 and later wait there for the lanes of the member mask.
#pragma once

#include <bitset>
#include <span>
#include <vector>

#include "ptx/flow/cfg.h"
#include "ptx/kernel.h"

namespace heddle::ptx {

// Numbers of the operations of a kernel: matching instructions (sync_operations.h) have one number.
// 16 barriers of 5 kinds, and fewer than 64 operations with member masks.
using SyncOperations = std::bitset<192>;

// What an instruction executes warp-synchronously. A call executes what its callees execute.
struct WarpSynchrony {
  bool converges = false;     // a warp-synchronous instruction or a barrier
  SyncOperations operations;  // those with member masks, and barriers
  SyncOperations in_several;  // a call through a pointer: those of several callees
  bool operator==(const WarpSynchrony&) const = default;
};

// One function of a kernel.
struct FunctionSyncs {
  const Cfg& cfg;
  std::vector<WarpSynchrony> synchrony;  // by instruction
  Pc base;                               // its first instruction in the kernel
  std::span<Instruction> code;
};

// The convergence points of a kernel. Sets Instruction::convergence_point and matching_point.
std::vector<ConvergencePoint> find_convergence_points(std::span<const FunctionSyncs> functions);

}  // namespace heddle::ptx
