#include "sched/orders/greedy_order.h"

namespace heddle::sched {
namespace {

// Greedy-then-round-robin: issue from one warp until it cannot issue, then from the next issuable
// warp in slot order.
class GreedyThenRoundRobin final : public GreedyOrder {
 public:
  GreedyThenRoundRobin() : GreedyOrder("gtrr") {}
  WarpSlot pick(const sm::IssueView& view) override {
    return view.issuable.test(greedy()) ? greedy() : view.issuable.next_cyclic(last_.index + 1);
  }
  WarpMask visited_before(const sm::IssueView&, WarpMask among, WarpSlot chosen) const override {
    if (chosen == greedy()) return {};
    WarpMask before = sm::IssueView::between(among, last_, chosen);
    if (among.test(greedy())) before.set(greedy());
    return before;
  }
  void on_issue(const sm::Issue& issue) override {
    GreedyOrder::on_issue(issue);
    last_ = issue.warp;
  }

 private:
  WarpSlot last_ = WarpSlot::none;
};

}  // namespace

PolicyEntry gtrr() {
  return policy<GreedyThenRoundRobin>("gtrr", "Greedy, then round robin",
                                      "Liu et al., IEICE 2023 (as a baseline)",
                                      {.look = 11, .topics = {Topic::own_lines, Topic::tail}});
}

}  // namespace heddle::sched
