#include "gpu/cta/round_robin.h"

#include <algorithm>

#include "gpu/cta/cta_entry.h"
#include "gpu/cta/skipping.h"

namespace heddle::gpu {

void RoundRobin::begin_kernel(const KernelStart& start) {
  next_ = 0;
  count_ = start.grid.count();
  freed_.clear();
  if (sms_ == start.sms) return;  // continues after the SM that was served last
  sms_ = start.sms;
  last_sm_ = (first_sm_ + sms_ - 1) % sms_;
}

void RoundRobin::dispatch(Cycle from, Cycle to, std::vector<int>& free_slots,
                          std::vector<Placement>& placements) {
  std::stable_sort(freed_.begin(), freed_.end(),
                   [](const FreedSlot& a, const FreedSlot& b) { return a.at < b.at; });
  open_ = free_slots;
  for (const FreedSlot& slot : freed_) {
    int& open = open_[static_cast<std::size_t>(slot.sm)];
    open = std::max(open - 1, 0);
  }
  next_start_.assign(static_cast<std::size_t>(sms_), from);
  auto freed = freed_.begin();
  Cycle searched = freed_.empty() ? from : std::min(from, freed_.front().at);
  for (; searched < to && !exhausted(); ++searched) {
    for (; freed != freed_.end() && freed->at <= searched; ++freed) {
      int& open = open_[static_cast<std::size_t>(freed->sm)];
      open = std::min(open + 1, free_slots[static_cast<std::size_t>(freed->sm)]);
    }
    const std::size_t before = placements.size();
    search(searched, to, free_slots, placements);
    if (placements.size() == before && freed == freed_.end()) break;
  }
  freed_.clear();
}

// One search: every SM with an open slot gets a CTA.
void RoundRobin::search(Cycle searched, Cycle to, std::vector<int>& free_slots,
                        std::vector<Placement>& placements) {
  const int first = last_sm_ + 1;
  for (int i = 0; i < sms_ && !exhausted(); ++i) {
    const int sm = (first + i) % sms_;
    const auto at = static_cast<std::size_t>(sm);
    const Cycle start = std::max(searched, next_start_[at]);
    if (open_[at] == 0 || start >= to) continue;
    placements.push_back({sm, next_++, start});
    next_start_[at] = start + 1;
    --open_[at];
    --free_slots[at];
    last_sm_ = sm;
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
