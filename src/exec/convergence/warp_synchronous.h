// Warp-synchronous instructions: lanes execute them together, although the branches that separated
// the lanes reconverge only later (ptx::ConvergencePoint). As on GPUs from sm_70 on, lanes at a
// shuffle, a vote or a barrier wait for the lanes in the member mask. They wait only for lanes that
// can still reach the instruction before the reconvergence point: many older programs have member
// masks that name lanes which never come.
#pragma once

#include <optional>

#include "exec/isa/record.h"

namespace heddle::exec {

// The stack entry whose lanes have to arrive before the instruction at the warp's pc can execute
// for the lanes in `mask`: they can still reach it, or are at it in another entry.
std::optional<int> awaited_entry(const Warp& w, const Record& r, std::uint32_t mask);

// Runs that entry's lanes first, or merges them into the running ones. True when there was such an
// entry: then the instruction executes later.
bool wait_for_members(Warp& w, const Record& r, std::uint32_t mask);

// The lanes that execute the instruction together with those in `mask`.
std::uint32_t member_lanes(const Warp& w, const Record& r, std::uint32_t mask);

}  // namespace heddle::exec
