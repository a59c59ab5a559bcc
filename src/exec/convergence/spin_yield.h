// Independent thread scheduling, as far as programs need it (sm_70 and later promise that every
// lane makes progress): a warp whose running lanes spin while others wait for them is cut in two,
// and its parts take turns until they stand at the same place again.
#pragma once

#include "exec/isa/record.h"

namespace heddle::exec {

// A loop that talks to other threads has begun another turn; `r` closes it.
void note_turn(Warp& w, const Record& r, std::uint32_t lanes);

// The running lanes cannot go on before other lanes of the warp have come to the same instruction.
// Makes those run, and says so; false when there are none that could, or when all have come.
bool wait_for_lanes(Warp& w, std::uint32_t wanted);

// The running part has ended; another goes on.
void resume_parked(Warp& w);

}  // namespace heddle::exec
