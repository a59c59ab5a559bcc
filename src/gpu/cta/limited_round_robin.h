// Round robin with a limit on the CTAs of each SM. The limit may change at any time; CTAs that
// exceed it run to their end.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "gpu/cta/round_robin.h"

namespace heddle::gpu {

class LimitedRoundRobin {
 public:
  explicit LimitedRoundRobin(const CtaContext& context) : order_(make_round_robin(context)) {}

  void begin_kernel(const KernelStart& start, int limit) {
    order_->begin_kernel(start);
    limit_.assign(static_cast<std::size_t>(start.sms), limit);
    resident_.assign(static_cast<std::size_t>(start.sms), 0);
  }
  void dispatch(Cycle from, Cycle to, std::vector<int>& free_slots,
                std::vector<Placement>& placements) {
    room_.resize(free_slots.size());
    for (std::size_t sm = 0; sm < room_.size(); ++sm)
      room_[sm] = std::clamp(limit_[sm] - resident_[sm], 0, free_slots[sm]);
    const std::size_t first = placements.size();
    order_->dispatch(from, to, room_, placements);
    for (std::size_t i = first; i < placements.size(); ++i) {
      const auto sm = static_cast<std::size_t>(placements[i].sm);
      ++resident_[sm];
      --free_slots[sm];
    }
  }
  bool exhausted() const { return order_->exhausted(); }
  void on_finished(const FinishedCta& cta) {
    --resident_[static_cast<std::size_t>(cta.sm)];
    order_->on_finished(cta);
  }

  int resident(int sm) const { return resident_[static_cast<std::size_t>(sm)]; }
  void set_limit(int sm, int limit) { limit_[static_cast<std::size_t>(sm)] = limit; }
  void set_limits(int limit) { std::fill(limit_.begin(), limit_.end(), limit); }

 private:
  std::unique_ptr<CtaScheduler> order_;
  std::vector<int> limit_, resident_, room_;  // by SM
};

}  // namespace heddle::gpu
