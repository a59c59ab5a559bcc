#include "sched/orders/greedy_order.h"

namespace heddle::sched {
namespace {

// Greedy, then youngest: issue from one warp until it cannot issue, then from the youngest issuable
// warp. With control words the compiler's stalls and yields decide when a warp cannot issue, so
// that the compiler guides the order.
class GreedyThenYoungest final : public GreedyOrder {
 public:
  GreedyThenYoungest() : GreedyOrder("cggty") {}
  WarpSlot pick(const sm::IssueView& view) override {
    if (view.issuable.test(greedy())) return greedy();
    WarpSlot best = view.issuable.lowest();
    view.issuable.for_each([&](WarpSlot warp) {
      if (view.age[warp.index] > view.age[best.index]) best = warp;
    });
    return best;
  }
  WarpMask visited_before(const sm::IssueView& view, WarpMask among,
                          WarpSlot chosen) const override {
    if (chosen == greedy()) return {};
    const WarpMask older = view.older(among, chosen);
    among.reset(chosen);
    WarpMask visited = among & ~older;
    if (among.test(greedy())) visited.set(greedy());
    return visited;
  }
};

}  // namespace

PolicyEntry cggty() {
  return policy<GreedyThenYoungest>("cggty", "Greedy, then the youngest issuable warp",
                                    "Huerta et al., MICRO 2025",
                                    {.look = 26, .topics = {Topic::own_lines, Topic::tail}});
}

}  // namespace heddle::sched
