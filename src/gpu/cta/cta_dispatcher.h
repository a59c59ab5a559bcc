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

// The SMs as the dispatcher sees them. SM i belongs to cluster i / sms_per_cluster.
struct SmLayout {
  int clusters = 1, sms_per_cluster = 1;
  int first_cluster = 0;  // gets the first CTA of a program
};

// Round robin in linear order, x fastest. Every cycle each SM takes at most one CTA. The order
// starts after the SM that was served last, also in the kernel before, as in GPGPU-Sim: so
// successive small grids use all SMs.
class RoundRobinDispatcher final : public CtaDispatcher {
 public:
  explicit RoundRobinDispatcher(const SmLayout& layout = {})
      : first_sm_(layout.first_cluster * layout.sms_per_cluster) {}
  void begin_kernel(Dim3 grid, int sms, int ctas_per_sm) override;
  void dispatch(Cycle from, Cycle to, std::vector<int>& free_slots,
                std::vector<Placement>& placements) override;
  bool exhausted() const override { return next_ == count_; }

 private:
  std::uint64_t next_ = 0, count_ = 0;
  int first_sm_, sms_ = 0, last_sm_ = -1;
};

// The search of the CCWS authors' simulator (GPGPU-Sim 3.1). Every cycle as many clusters are tried
// as there are; each takes at most one CTA, for its SMs in turn. The search starts after the
// cluster that was served last. A cluster that gets a CTA moves this start within the cycle, so
// that the search skips clusters: 0, 2, 5, 9, ... modulo their number.
class SkippingDispatcher final : public CtaDispatcher {
 public:
  explicit SkippingDispatcher(const SmLayout& layout);
  void begin_kernel(Dim3 grid, int sms, int ctas_per_sm) override;
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
