// What CTA schedulers need to be counted, their epochs, and the CTAs that they pause.
#pragma once

#include <cstdint>
#include <vector>

#include "base/types.h"
#include "gpu/cta/cta_scheduler.h"
#include "gpu/engine/hardware.h"
#include "gpu/engine/running_kernels.h"
#include "gpu/engine/window_clock.h"

namespace heddle::gpu {

class CtaEpochs {
 public:
  // needs: of the CTA schedulers.
  CtaEpochs(const Needs& needs, Hardware& hardware, WindowClock& clock, RunningKernels& running);

  // Of a kernel, valid until its end: what its CTA scheduler asks for between windows.
  CtaControl& control(int kernel) { return requests_[static_cast<std::size_t>(kernel)]; }
  // Kernels have begun on an idle GPU. Kernels that start later join the epochs.
  void begin();
  Cycle next() const { return next_; }  // the end of the epoch; never() when nobody needs epochs
  // After a window.
  void serve();

 private:
  // Carried out when the window has ended for all SMs.
  class Requests final : public CtaControl {
   public:
    struct Request {
      int sm;
      std::uint64_t cta;
      bool pause;
    };
    void pause(int sm, std::uint64_t cta) override { list.push_back({sm, cta, true}); }
    void resume(int sm, std::uint64_t cta) override { list.push_back({sm, cta, false}); }
    std::vector<Request> list;
  };

  std::vector<SmEpoch> measure_epoch();
  std::vector<SmEpoch> epochs_of_gpcs(const RunningKernel& k,
                                      const std::vector<SmEpoch>& sms) const;
  void pause_cluster(const RunningKernel& k, std::uint64_t cluster, bool pause);
  void end_epoch();

  const Needs needs_;
  Hardware& hardware_;
  WindowClock& clock_;
  RunningKernels& running_;
  std::vector<Requests> requests_;  // by number of the kernel
  Cycle began_, next_ = Cycle::never();
};

}  // namespace heddle::gpu
