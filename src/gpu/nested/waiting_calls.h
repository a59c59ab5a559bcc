// Timed: the calls of warps, which are served when the window has ended, and the warps that wait in
// cudaDeviceSynchronize.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "exec/services/device_runtime.h"
#include "gpu/nested/launch_order.h"

namespace heddle::exec {
struct Warp;
}

namespace heddle::gpu {

class WaitingCalls {
 public:
  WaitingCalls(const LaunchOrder& order, exec::DeviceRuntime& runtime)
      : order_(order), runtime_(runtime) {}

  void collect(exec::Warp& warp) { calls_.push_back(&warp); }
  bool any() const { return !calls_.empty(); }
  // By cycle, then SM, then issue.
  void serve();
  // The warps whose CTAs have no pending launch any more continue.
  void release();
  // The SMs with warps whose calls have returned since the last call.
  std::vector<std::size_t> take_resumed() { return std::exchange(resumed_, {}); }
  // Launches run functionally from now on: no warp waits.
  void stop() { waiting_.clear(); }

 private:
  const LaunchOrder& order_;
  exec::DeviceRuntime& runtime_;
  std::vector<exec::Warp*> calls_;    // of the window
  std::vector<exec::Warp*> waiting_;  // in cudaDeviceSynchronize
  std::vector<std::size_t> resumed_;
};

}  // namespace heddle::gpu
