// Ctrl-C and kill: the simulation ends with what is complete.
#pragma once

#include "exec/state/launch.h"

namespace heddle::cuda {

// Takes SIGINT and SIGTERM from now on, unless the program has handlers of its own. The request
// that it returns is set by the first. When the program is not in a CUDA call then, `end` is called
// by a thread of its own as soon as `may_end` says that it may be. parent: the `heddle` that waits
// for the results and passes on what the terminal sends to it; when it is gone, the process ends at
// once.
const exec::StopRequest& take_signals(int parent, bool (*may_end)(), void (*end)(int signal));

}  // namespace heddle::cuda
