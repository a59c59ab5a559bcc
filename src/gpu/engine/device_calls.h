// Between windows, serves the calls of CUDA's device runtime that kernels have made.
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/engine/hardware.h"
#include "gpu/engine/launch_queue.h"
#include "gpu/engine/running_kernel.h"
#include "gpu/engine/window_clock.h"
#include "gpu/nested/nested_launches.h"

namespace heddle::gpu {

class DeviceCalls {
 public:
  DeviceCalls(Hardware& hardware, WindowClock& clock) : hardware_(hardware), clock_(clock) {}

  // What serves the calls of a program, until the next call.
  void set_program(std::uint32_t program, NestedLaunches* nested);
  void serve();
  // Warps whose calls have returned continue.
  void resume_callers();
  void ctas_ended(const QueuedKernel& kernel);
  // Nested launches that have not started will run without timing.
  void stop_timing(LaunchQueue& queue);

 private:
  Hardware& hardware_;
  WindowClock& clock_;
  std::vector<NestedLaunches*> programs_;  // null: without device runtime
};

}  // namespace heddle::gpu
