#include "sched/policy_entry.h"

namespace heddle::sched {
namespace {

// Long operations first: warps whose next instruction is a long operation come before all others, so that latencies overlap. Inside
// both classes greedy, then oldest.
class LongFirst final : public sm::WarpScheduler {
 public:
  WarpSlot pick(const sm::IssueView& view) override {
    const WarpMask long_ones = view.issuable & view.head_is_long;
    const WarpMask first = long_ones.any() ? long_ones : view.issuable;
    return first.test(greedy_) ? greedy_ : view.oldest(first);
  }
  sm::EventSet listens() const override { return sm::Event::issue | sm::Event::warp; }
  void on_issue(const sm::Issue& issue) override { greedy_ = issue.warp; }
  void on_warp(const sm::WarpEvent& event) override {
    if (!event.launch && event.warp == greedy_) greedy_ = WarpSlot::none;
  }

 private:
  WarpSlot greedy_ = WarpSlot::none;
};

}  // namespace

PolicyEntry long_first() {
  return policy<LongFirst>("lfws", "Long operations first, then greedy-then-oldest", "Liu et al., IEICE 2023");
}

}  // namespace heddle::sched
