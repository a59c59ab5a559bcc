// Distinguishes the simulator's threads from those of the simulated program, which runs in the same
// process.
#pragma once

#include <functional>
#include <thread>

namespace heddle {

// Marks the calling thread as the simulator's.
void mark_own_thread();

// Starts such a thread, with all signals blocked.
std::thread joinable_own_thread(std::function<void()> work);
// The same, detached.
void start_own_thread(std::function<void()> work);

// Whether all threads of the process are marked, except the calling one. False when the system does
// not report them.
bool only_own_threads();

}  // namespace heddle
