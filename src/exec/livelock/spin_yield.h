// Spin yield: independent thread scheduling as far as programs need it (from sm_70 on
// every lane makes progress). A warp whose running lanes spin while other lanes wait is split
// into diverged fragments, which run alternately until they reach the same place again.
#pragma once

#include "exec/state/decoded_instruction.h"
#include "exec/state/warp.h"

namespace heddle::exec {

// The branch `r`, which closes a spin loop, was taken by `lanes`: the loop begins another
// iteration.
void note_loop_iteration(Warp& w, const DecodedInstruction& r, std::uint32_t lanes);

// Counts an iteration of such a loop; true when it shall let others run.
bool shall_yield(Warp& w, const DecodedInstruction& r, std::uint32_t lanes);

// The running lanes cannot continue before the `wanted` lanes have reached the same instruction.
// Switches to a fragment that can run and returns true; returns false when no such fragment exists
// or all wanted lanes have arrived.
bool run_lanes_first(Warp& w, std::uint32_t wanted);

// The running fragment has ended: another one runs.
void resume_fragment(Warp& w);

}  // namespace heddle::exec
