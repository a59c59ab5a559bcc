// Whether the launches that run are in a deadlock or a livelock, and what their warps wait for.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "gpu/engine/cta_dispatch.h"
#include "gpu/engine/hardware.h"
#include "gpu/engine/launch_queue.h"
#include "gpu/engine/running_kernels.h"
#include "gpu/engine/window_clock.h"

namespace heddle::gpu {

class HangDetection {
 public:
  // `policies`: what the message about a deadlock says of them.
  HangDetection(std::string policies, const Hardware& hardware, const WindowClock& clock,
                const RunningKernels& running, const LaunchQueue& queue,
                const CtaDispatch& dispatch)
      : policies_(std::move(policies)),
        hardware_(hardware),
        clock_(clock),
        running_(running),
        queue_(queue),
        dispatch_(dispatch) {}

  // Observes the launch from now on. Its sources exist.
  static void watch(RunningKernel& k);
  // Between windows. Throws exec::KernelFault on a hang.
  void look();
  std::string describe_warps(int max_warps) const;
  // All CTAs of the kernel have finished, so every request of it has been answered, and SMs without
  // CTAs are drained.
  bool complete(const RunningKernel& k) const {
    return k.all_finished() && clock_.without_ctas_are_drained();
  }

 private:
  class Launch;
  bool deadlocked() const;
  bool stalled();
  std::string describe_unstarted() const;

  std::string policies_;
  const Hardware& hardware_;
  const WindowClock& clock_;
  const RunningKernels& running_;
  const LaunchQueue& queue_;
  const CtaDispatch& dispatch_;
  // When the machine was seen to issue last.
  std::uint64_t windows_ = 0, issued_ = 0;
  Cycle last_issue_;
};

}  // namespace heddle::gpu
