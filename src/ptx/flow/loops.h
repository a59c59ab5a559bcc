// Natural loops: a back edge goes to a block that dominates its source. Back edges with one header
// make one loop; cycles that can be entered in two places are no natural loops and are left out.
#pragma once

#include <span>
#include <vector>

#include "ptx/flow/cfg.h"
#include "ptx/kernel.h"

namespace heddle::ptx {

struct LoopForest {
  std::vector<Loop> loops;               // outermost first
  std::vector<std::uint16_t> innermost;  // by block: index into loops, or Loop::kNone
};
LoopForest find_loops(const Cfg& cfg);

}  // namespace heddle::ptx
