// The networks of the GPCs, through which CTAs of a cluster access the shared memory of each other,
// and the barriers of clusters. Works between windows: accesses reach their SM in the order in
// which they left, each SM takes them one after the other, and what they do to memory is done at
// the end of the window in which they arrive.
#pragma once

#include <cstdint>
#include <vector>

#include "base/types.h"
#include "gpu/engine/hardware.h"
#include "gpu/engine/running_kernels.h"
#include "gpu/engine/window_clock.h"

namespace heddle::gpu {

class ClusterNetwork {
 public:
  ClusterNetwork(Hardware& hardware, WindowClock& clock, const RunningKernels& running);

  // The window until clock.now() has ended on all SMs.
  void end_window();
  // When the next access arrives; never() when none is under way.
  Cycle next_arrival() const;

 private:
  struct Arrival {
    Cycle at;
    std::size_t sm;  // from which it comes
    int kernel;
    std::uint32_t access;
  };
  void take_requests();
  Cycle arrival_of(std::size_t sm, const sm::RemoteRequest& request);
  void perform_arrivals();
  void open_barriers(RunningKernel& k);
  void open_barrier(const RunningKernel& k, std::uint64_t cluster);
  // The end of the window in which the cycle is.
  Cycle window_end(Cycle at) const;

  Hardware& hardware_;
  WindowClock& clock_;
  const RunningKernels& running_;
  std::vector<Arrival> arrivals_;    // by time
  std::vector<Cycle> free_;          // by SM: when its port takes the next access
  std::vector<Cycle> last_arrival_;  // by SM: of the accesses that it has sent
};

}  // namespace heddle::gpu
