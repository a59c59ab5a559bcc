// Where lanes of a warp come together that no reconvergence point brings together.
//
// Lanes that a branch parts meet at its reconvergence point. Compiled code can have them do something together before that: where one way out of a loop
// leaves the function by a flag that others clear, where `a || b` guards a shuffle, where a `break` is nested. GPUs of sm_70 and later wait there for the
// lanes that the instruction's mask names.
#pragma once

#include <span>
#include <vector>

#include "ptx/cfg.h"
#include "ptx/kernel.h"

namespace heddle::ptx {

// Of one function, whose first instruction is `base` in its kernel. `together`, by instruction: do the lanes of a warp make it together?
std::vector<Rendezvous> find_rendezvous(const Cfg& cfg, const std::vector<char>& together, Pc base);

}  // namespace heddle::ptx
