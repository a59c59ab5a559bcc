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

// From now on the calling thread has no descriptors, and those that it opens are its own: other
// threads can neither close them nor get their numbers. /proc/thread-self/fd names them. False,
// with errno, when the system cannot do that.
bool separate_descriptors();

}  // namespace heddle
