// Decides which SM gets the next CTA. Called only between windows; the placements take effect cycle
// by cycle in the next window.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/types.h"

namespace heddle::gpu {

class CtaDispatcher {
 public:
  struct Placement {
    int sm;
    std::uint64_t cta;
    Cycle at;
  };

  virtual ~CtaDispatcher() = default;
  virtual void begin_kernel(Dim3 grid, int sms, int ctas_per_sm) = 0;
  // free_slots[i]: the number of CTAs that SM i has room for. Appends the placements of cycles
  // [from, to) and subtracts them from free_slots.
  virtual void dispatch(Cycle from, Cycle to, std::vector<int>& free_slots,
                        std::vector<Placement>& placements) = 0;
  virtual bool exhausted() const = 0;  // every CTA of the grid has been placed
};

// Round robin in linear order, x fastest. Every cycle each SM takes at most one CTA. The order
// starts after the SM that was served last, also in the kernel before, as in GPGPU-Sim: so
// successive small grids use all SMs.
class RoundRobinDispatcher final : public CtaDispatcher {
 public:
  void begin_kernel(Dim3 grid, int sms, int ctas_per_sm) override;
  void dispatch(Cycle from, Cycle to, std::vector<int>& free_slots,
                std::vector<Placement>& placements) override;
  bool exhausted() const override { return next_ == count_; }

 private:
  std::uint64_t next_ = 0, count_ = 0;
  int sms_ = 0, last_sm_ = -1;
};

}  // namespace heddle::gpu
