// How a run is ended from outside: by a signal to the program, by `heddle` through the run control,
// or by the end of `heddle`.
#pragma once

#include "base/run_control.h"
#include "exec/state/launch.h"

namespace heddle::cuda {

// Watches for requests to end from now on, in a thread of its own and by handlers of SIGINT,
// SIGTERM and SIGHUP where the program has none. The first request sets the returned word. If the
// program is not in a CUDA call then, the thread calls `end` as soon as `may_end` returns true.
// A program that handles a signal itself ends by its own handler, or when heddle insists. When
// heddle no longer exists, the process ends at once: nobody reads its results.
// Descriptors belong to the program, which may close those that it has not opened: none is used.
const exec::StopRequest& watch_for_interruption(RunControl& control, bool (*may_end)(),
                                                void (*end)(int signal));

}  // namespace heddle::cuda
