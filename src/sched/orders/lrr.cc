#include "sched/framework/policy_entry.h"

namespace heddle::sched {
namespace {

// Loose round robin: the next issuable warp in slot order after the one that issued last. All warps
// advance together. Lines that neighbours share stay in the cache, but the warps also reach their
// long operations together.
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
  WarpSlot last_ = WarpSlot::none;  // kept across idle cycles, warps and kernels
};

}  // namespace

PolicyEntry lrr() {
  return policy<LooseRoundRobin>("lrr", "Loose round robin: the next issuable warp in slot order",
                                 "GPGPU-Sim's default for newer GPUs",
                                 {.look = 0, .topics = {Topic::shared_lines, Topic::open_rows}});
}

}  // namespace heddle::sched
