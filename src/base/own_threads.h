// Distinguishes the simulator's threads from those of the simulated program, which runs in the same
// process.
#pragma once

#include <functional>

namespace heddle {

// Marks the calling thread as the simulator's.
void mark_own_thread();

// Starts such a thread, detached and with all signals blocked.
void start_own_thread(std::function<void()> work);

// Whether all threads of the process are marked, except the calling one. False when the system does
// not report them.
bool only_own_threads();

}  // namespace heddle
