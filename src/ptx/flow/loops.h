// Natural loops: a back edge leads to a block that dominates its source. Back edges to one header
// form one loop. Cycles with two entries (irreducible code) are not natural loops and are ignored.
#pragma once

#include <span>
#include <vector>

#include "ptx/flow/cfg.h"
#include "ptx/kernel.h"

namespace heddle::ptx {

struct LoopForest {
  std::vector<Loop> loops;               // outermost first
  std::vector<std::uint16_t> innermost;  // by block: index into loops, or Loop::kNone
  std::size_t steps = 0;                 // edges that the search followed
};
LoopForest find_loops(const Cfg& cfg);

// The CUDA line of a loop: that of the branch that closes it, which is the line of the for, while
// or do statement, otherwise that of its first instruction with a known line. Line 0: none is
// known.
const SourceLine& line_of(const Kernel& kernel, const Loop& loop);

}  // namespace heddle::ptx
