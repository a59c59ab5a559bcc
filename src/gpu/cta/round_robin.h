// The default CTA scheduler: round robin in linear order, x fastest. Every cycle each SM takes at
// most one CTA. The order starts after the SM that was served last, also in the kernel before, as
// in GPGPU-Sim: so successive small grids use all SMs. Slots that became free in the last window
// are served in the order of a search in each of its cycles, although their CTAs start now.
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
  void on_finished(const FinishedCta& cta) override {
    if (!exhausted()) freed_.push_back({cta.end, cta.sm});
  }

 private:
  struct FreedSlot {
    Cycle at;
    int sm;
  };
  void search(Cycle searched, Cycle to, std::vector<int>& free_slots,
              std::vector<Placement>& placements);

  std::vector<FreedSlot> freed_;   // since the last dispatch
  std::vector<int> open_;          // by SM: slots that are free in the cycle of the search
  std::vector<Cycle> next_start_;  // by SM
  std::uint64_t next_ = 0, count_ = 0;
  int first_sm_, sms_ = 0, last_sm_ = -1;
};

// What the GPU's cta_placement names: RoundRobin or SkippingClusters. Policies that change only
// how many CTAs an SM gets call its dispatch() with fewer free slots.
std::unique_ptr<CtaScheduler> make_round_robin(const CtaContext& context);

}  // namespace heddle::gpu
