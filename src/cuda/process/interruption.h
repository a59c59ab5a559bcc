// SIGINT and SIGTERM end the simulation with the results of the complete launches.
#pragma once

#include "exec/state/launch.h"

namespace heddle::cuda {

// Handles SIGINT and SIGTERM from now on, unless the program has its own handlers. The first signal
// sets the returned request. If the program is not in a CUDA call then, a separate thread calls
// `end` as soon as `may_end` returns true.
// parent: the process id of the `heddle` that waits for the results and forwards signals of the
// terminal. If it no longer exists, a signal ends the process at once.
const exec::StopRequest& take_signals(int parent, bool (*may_end)(), void (*end)(int signal));

}  // namespace heddle::cuda
