// The limits of a run's timed part, and launches that are finished without timing at them.
#pragma once

#include <cstdint>

#include "base/types.h"
#include "exec/state/launch.h"
#include "gpu/engine/hardware.h"
#include "gpu/engine/running_kernels.h"

namespace heddle::gpu {

// Until when the engine advances.
struct Until {
  const exec::StopRequest* stop = nullptr;
  // Of the launches that run, from their first start on; 0: no limit.
  std::uint64_t cycles = 0, thread_instructions = 0;
  Cycle time = Cycle::never();

  // instructions: thread instructions of the launches that run.
  template <class Instructions>
  bool reached(Cycle now, const RunningKernels& running, Instructions&& instructions) const {
    if (running.empty()) return false;
    if (cycles && now - running.first_start() >= cycles) return true;
    return thread_instructions && instructions() >= thread_instructions;
  }
};

// Computes the rest of a launch without timing. The caller ends its statistics before. Returns what
// was executed.
exec::FunctionalCounts finish_untimed(RunningKernel& k, const Hardware& hardware,
                                      const exec::StopRequest* stop,
                                      const exec::LastCtas& last = {});

}  // namespace heddle::gpu
