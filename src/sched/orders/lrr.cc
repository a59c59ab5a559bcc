#include "sched/framework/policy_entry.h"

namespace heddle::sched {
namespace {

// Loose round robin: the next warp in slot order, after the one that issued last, that can issue.
// All warps advance together, so that what neighbours share stays in the cache; they also reach
// their long operations together.
class LooseRoundRobin final : public sm::WarpScheduler {
 public:
  WarpSlot pick(const sm::IssueView& view) override {
    return view.issuable.next_cyclic(last_.index + 1);
  }
  WarpMask visited_before(const sm::IssueView&, WarpMask among, WarpSlot chosen) const override {
    return sm::IssueView::between(among, last_, chosen);
  }
  void on_issue(const sm::Issue& issue) override { last_ = issue.warp; }

 private:
  WarpSlot last_ = WarpSlot::none;  // survives idle cycles, warps and kernels
};

}  // namespace

PolicyEntry loose_round_robin() {
  return policy<LooseRoundRobin>("lrr", "Loose round robin: the next warp that can issue",
                                 "GPGPU-Sim's default for newer GPUs");
}

}  // namespace heddle::sched
