#include "gpu/cta/round_robin.h"

#include <numeric>

#include "gpu/cta/cta_entry.h"
#include "gpu/cta/skipping.h"

namespace heddle::gpu {

void RoundRobin::begin_kernel(const KernelStart& start) {
  next_ = 0;
  count_ = start.grid.count();
  if (sms_ == start.sms) return;  // continues after the SM that was served last
  sms_ = start.sms;
  last_sm_ = (first_sm_ + sms_ - 1) % sms_;
}

void RoundRobin::dispatch(Cycle from, Cycle to, std::vector<int>& free_slots,
                          std::vector<Placement>& placements) {
  int room = std::accumulate(free_slots.begin(), free_slots.end(), 0);
  for (Cycle at = from; at < to && room > 0 && !exhausted(); ++at) {
    const int first = last_sm_ + 1;
    for (int i = 0; i < sms_ && !exhausted(); ++i) {
      const int sm = (first + i) % sms_;
      if (free_slots[static_cast<std::size_t>(sm)] == 0) continue;
      placements.push_back({sm, next_++, at});
      --free_slots[static_cast<std::size_t>(sm)];
      --room;
      last_sm_ = sm;
    }
  }
}

std::unique_ptr<CtaScheduler> make_round_robin(const CtaContext& context) {
  if (context.skips_clusters) return std::make_unique<SkippingClusters>(context.layout);
  return std::make_unique<RoundRobin>(context.layout);
}

namespace {

class RoundRobinPolicy final : public CtaPolicy {
 public:
  const std::string& text() const override { return text_; }
  std::unique_ptr<CtaScheduler> build(const CtaContext& context) const override {
    return make_round_robin(context);
  }

 private:
  std::string text_ = kDefaultCtaScheduler;
};

}  // namespace

CtaEntry rr() {
  auto entry = policies::describe<RoundRobin, CtaEntry>(
      kDefaultCtaScheduler, "round robin over the SMs, as the GPU's cta_placement says", "-");
  entry.parse = [](std::string_view options) -> std::shared_ptr<const CtaPolicy> {
    if (!options.empty())
      policies::parse_parameters(kDefaultCtaScheduler, {}, options, nullptr, CtaEntry::kind.name);
    return std::make_shared<RoundRobinPolicy>();
  };
  return entry;
}

}  // namespace heddle::gpu
