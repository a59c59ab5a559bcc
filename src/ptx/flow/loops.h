// Natural loops: a back edge leads to a block that dominates its source. Back edges to one header
// form one loop. Cycles with two entries (irreducible code) are not natural loops and are ignored.
#pragma once

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

}  // namespace heddle::ptx
