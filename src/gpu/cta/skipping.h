// The search of the CCWS authors' simulator (GPGPU-Sim 3.1), chosen by the GPU's cta_placement.
// Every cycle as many clusters are tried as there are; each takes at most one CTA, for its SMs in
// turn. The search starts after the cluster that was served last. A cluster that gets a CTA moves
// this start within the cycle, so that the search skips clusters: 0, 2, 5, 9, ... modulo their
// number.
#pragma once

#include "gpu/cta/cta_scheduler.h"

namespace heddle::gpu {

class SkippingClusters final : public CtaScheduler {
 public:
  explicit SkippingClusters(const SmLayout& layout);
  void begin_kernel(const KernelStart& start) override;
  void dispatch(Cycle from, Cycle to, std::vector<int>& free_slots,
                std::vector<Placement>& placements) override;
  bool exhausted() const override { return next_ == count_; }

 private:
  int take_sm(int cluster, std::vector<int>& free_slots);

  SmLayout layout_;
  std::uint64_t next_ = 0, count_ = 0;
  int last_cluster_;
  std::vector<int> last_sm_;  // of each cluster
};

}  // namespace heddle::gpu
