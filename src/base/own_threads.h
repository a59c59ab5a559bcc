// Which threads of a process are the simulator's own. A simulated program runs in the process that
// simulates it, with threads of its own beside them.
#pragma once

namespace heddle {

// The calling thread is the simulator's.
void mark_own_thread();

// True when no thread is left beside the calling one and those marked. False where the system does
// not say.
bool only_own_threads();

}  // namespace heddle
