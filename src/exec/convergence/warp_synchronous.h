// Lanes of a warp that make an instruction together although the branches that parted them meet
// only behind it (ptx::ConvergencePoint). As on GPUs of sm_70 and later, lanes that are at a
// shuffle, a vote or a barrier first wait for those that it names. Only for those that can still
// come before the lanes would meet anyway: masks that name lanes which do not come are many in
// older programs, and hold nobody up.
#pragma once

#include <optional>

#include "exec/isa/record.h"

namespace heddle::exec {

// The entry of the warp's stack whose lanes the instruction at its pc, for the lanes in `mask`, has
// to wait for: they are on their way to it, or stand at it too.
std::optional<int> awaited_entry(const Warp& w, const Record& r, std::uint32_t mask);

// Lets that entry's lanes run first, or takes them in. True when there was one: then the
// instruction is made again later.
bool gather(Warp& w, const Record& r, std::uint32_t mask);

// The lanes that have to make the instruction with those in `mask`.
std::uint32_t wanted_lanes(const Warp& w, const Record& r, std::uint32_t mask);

}  // namespace heddle::exec
