// The share policy while several kernels run: which kernels there are, what each did in an epoch,
// and the quotas that the SMs get.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/types.h"
#include "gpu/engine/hardware.h"
#include "gpu/engine/running_kernels.h"
#include "gpu/engine/window_clock.h"
#include "gpu/share/share_scheduler.h"

namespace heddle::gpu {

class ShareEpochs {
 public:
  ShareEpochs(std::unique_ptr<ShareScheduler> policy, Hardware& hardware, WindowClock& clock,
              RunningKernels& running);

  void programs_changed(const std::vector<std::uint32_t>& present);
  // A kernel has begun or ended, and at least one runs. A new epoch begins.
  void kernels_changed();
  // No kernel runs.
  void stop() { end_ = Cycle::never(); }
  // Between windows.
  void end_epoch_when_due();
  // The most CTAs of the kernel on the SM; ShareScheduler::kNoLimit.
  int most_ctas(const RunningKernel& k, std::size_t sm) const {
    return policy_->most_ctas(k.number, static_cast<int>(sm));
  }
  // An SM runs CTAs of one kernel at a time.
  bool exclusive_sms() const { return needs_.exclusive_sms; }
  void report_statistics(sm::PolicyReport& into) const { policy_->report_statistics(into); }

 private:
  // Of a kernel on an SM since it began.
  struct Progress {
    sm::Sm::Issued issued{};
    std::uint64_t slots = 0, lost_slots = 0;  // with ShareNeeds::memory
  };
  std::vector<SharedEpoch> measure_epoch();
  void add_memory_figures(std::vector<SharedEpoch>& epochs);
  void set_quotas();
  Progress& progress_of(const RunningKernel& k, std::size_t sm) {
    return before_[static_cast<std::size_t>(k.number) * hardware_.sms() + sm];
  }

  std::unique_ptr<ShareScheduler> policy_;
  const ShareNeeds needs_;
  Hardware& hardware_;
  WindowClock& clock_;
  RunningKernels& running_;
  Cycle began_, end_ = Cycle::never();  // never() unless several kernels run
  std::uint64_t data_cycles_ = 0;       // of the DRAM, at its start
  std::vector<Progress> before_;        // at its start, by kernel and SM
};

}  // namespace heddle::gpu
