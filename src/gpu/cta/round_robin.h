// The default CTA scheduler: round robin in linear order, x fastest. Every cycle each SM takes at
// most one CTA. The order starts after the SM that was served last, also in the kernel before, as
// in GPGPU-Sim: so successive small grids use all SMs.
#pragma once

#include <memory>

#include "gpu/cta/cta_policy.h"

namespace heddle::gpu {

class RoundRobin final : public CtaScheduler {
 public:
  explicit RoundRobin(const SmLayout& layout = {})
      : first_sm_(layout.first_cluster * layout.sms_per_cluster) {}
  void begin_kernel(const KernelStart& start) override;
  void dispatch(Cycle from, Cycle to, std::vector<int>& free_slots,
                std::vector<Placement>& placements) override;
  bool exhausted() const override { return next_ == count_; }

 private:
  std::uint64_t next_ = 0, count_ = 0;
  int first_sm_, sms_ = 0, last_sm_ = -1;
};

// What the GPU's cta_placement names: RoundRobin or SkippingClusters. Policies that change only
// how many CTAs an SM gets call its dispatch() with fewer free slots.
std::unique_ptr<CtaScheduler> make_round_robin(const CtaContext& context);

}  // namespace heddle::gpu
