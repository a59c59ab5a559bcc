#include "gpu/cta/skipping.h"

#include <numeric>

namespace heddle::gpu {

SkippingClusters::SkippingClusters(const SmLayout& layout)
    : layout_(layout),
      last_cluster_((layout.first_cluster + layout.clusters - 1) % layout.clusters),
      last_sm_(static_cast<std::size_t>(layout.clusters), layout.sms_per_cluster - 1) {}

void SkippingClusters::begin_kernel(const KernelStart& start) {
  next_ = 0;
  count_ = start.grid.count();
}

void SkippingClusters::dispatch(Cycle from, Cycle to, std::vector<int>& free_slots,
                                std::vector<Placement>& placements) {
  int room = std::accumulate(free_slots.begin(), free_slots.end(), 0);
  for (Cycle at = from; at < to && room > 0 && !exhausted(); ++at)
    for (int i = 0; i < layout_.clusters && !exhausted(); ++i) {
      const int cluster = (i + last_cluster_ + 1) % layout_.clusters;
      const int sm = take_sm(cluster, free_slots);
      if (sm < 0) continue;
      placements.push_back({sm, next_++, at});
      --room;
      last_cluster_ = cluster;
    }
}

// The next SM of the cluster with room, or -1.
int SkippingClusters::take_sm(int cluster, std::vector<int>& free_slots) {
  int& last = last_sm_[static_cast<std::size_t>(cluster)];
  for (int i = 0; i < layout_.sms_per_cluster; ++i) {
    const int place = (last + 1 + i) % layout_.sms_per_cluster,
              sm = cluster * layout_.sms_per_cluster + place;
    if (free_slots[static_cast<std::size_t>(sm)] == 0) continue;
    --free_slots[static_cast<std::size_t>(sm)];
    last = place;
    return sm;
  }
  return -1;
}

}  // namespace heddle::gpu
