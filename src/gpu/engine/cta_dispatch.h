// What CTA schedulers see of the launches, and what they place.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/types.h"
#include "gpu/cta/cta_policy.h"
#include "gpu/engine/analysis_cache.h"
#include "gpu/engine/gpcs.h"
#include "gpu/engine/hardware.h"
#include "gpu/engine/running_kernels.h"
#include "gpu/engine/share_epochs.h"
#include "gpu/engine/window_clock.h"

namespace heddle::gpu {

class CtaDispatch {
 public:
  // share limits the CTAs of kernels that run at once.
  CtaDispatch(const CtaPolicy& policy, std::uint64_t seed, Hardware& hardware, WindowClock& clock,
              RunningKernels& running, const ShareEpochs& share);

  Needs needs() { return scheduler(schedulers_, make_scheduler_, 0).needs(); }
  // The launch, which has a number and does not run yet, gets its CTA scheduler.
  void begin_kernel(RunningKernel& k, CtaControl& control);
  // Before the window until `to`. The kernels that run get their CTAs one after the other: the next
  // one gets what remains.
  void dispatch(Cycle to);
  // A CTA of the launch, or of any, may start now.
  bool can_start(const RunningKernel& k) const;
  bool can_start() const;
  // CTAs of the SM finished in the last window.
  void record_finished(std::size_t sm, std::span<const sm::FinishedCta> ctas);
  // Adds the statistics of the CTA schedulers of one kernel, or of all.
  void report_statistics(sm::PolicyReport& into, int kernel) const;

 private:
  using Maker = std::function<std::unique_ptr<CtaScheduler>()>;
  // By number of a kernel: it continues with the next kernel of that number.
  using Schedulers = std::vector<std::unique_ptr<CtaScheduler>>;

  static CtaScheduler& scheduler(Schedulers& all, const Maker& make, int number);
  void dispatch(RunningKernel& k, Cycle to);
  void place_ctas(RunningKernel& k, Cycle to);
  void place(RunningKernel& k, const Placement& placement);
  void place_cluster(RunningKernel& k, const Placement& placement);
  void announce_last_cta(RunningKernel& k);
  CtaScheduler& scheduler_for(const RunningKernel& k);
  static void describe_clusters(const RunningKernel& k, const Gpcs& gpcs, KernelStart& start);
  int free_clusters(const RunningKernel& k, std::size_t gpc) const;
  static void finish_in_cluster(RunningKernel& k, std::size_t gpc, const sm::FinishedCta& cta);
  // The scheduler's places for CTAs, or for clusters.
  std::size_t places(const RunningKernel& k) const {
    return k.launch.clusters ? gpcs_.count() : hardware_.sms();
  }
  int free_places(const RunningKernel& k, std::size_t i) const {
    return k.launch.clusters ? free_clusters(k, i) : free_slots(k, i);
  }
  int free_slots(const RunningKernel& k, std::size_t sm) const;

  Hardware& hardware_;
  WindowClock& clock_;
  RunningKernels& running_;
  const ShareEpochs& share_;
  Gpcs gpcs_;
  Maker make_scheduler_, make_cooperative_;
  // For a launch with clusters a GPC is what an SM is for another one, and a cluster what a CTA is.
  Maker make_for_clusters_, make_cooperative_for_clusters_;
  Schedulers schedulers_, cooperative_, for_clusters_, cooperative_for_clusters_;
  AnalysisCache analyses_;
  // Of dispatch().
  std::vector<int> free_slots_;
  std::vector<Placement> placements_;
  std::vector<Cycle> next_start_;  // by SM: the first cycle without a start in this window
};

}  // namespace heddle::gpu
