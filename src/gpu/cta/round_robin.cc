#include <numeric>

#include "gpu/cta/cta_dispatcher.h"

namespace heddle::gpu {

void RoundRobinDispatcher::begin_kernel(Dim3 grid, int sms, int /*ctas_per_sm*/) {
  next_ = 0;
  count_ = grid.count();
  if (sms_ == sms) return;  // continues after the SM that was served last in the kernel before
  sms_ = sms;
  last_sm_ = (first_sm_ + sms - 1) % sms;
}

void RoundRobinDispatcher::dispatch(Cycle from, Cycle to, std::vector<int>& free_slots,
                                    std::vector<Placement>& placements) {
  int room = std::accumulate(free_slots.begin(), free_slots.end(), 0);
  for (Cycle at = from; at < to && room > 0 && !exhausted(); ++at) {
    const int first = last_sm_ + 1;
    for (int i = 0; i < sms_ && !exhausted(); ++i) {
      const int sm = (first + i) % sms_;
      if (free_slots[sm] == 0) continue;
      placements.push_back({sm, next_++, at});
      --free_slots[sm];
      --room;
      last_sm_ = sm;
    }
  }
}

}  // namespace heddle::gpu
