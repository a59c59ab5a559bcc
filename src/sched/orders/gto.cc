#include "sched/orders/greedy_order.h"

namespace heddle::sched {
namespace {

// Greedy-then-oldest: issue from one warp until it cannot issue, then from the oldest issuable
// warp, which becomes the greedy one. Few warps run at a time, and their lines stay in the L1.
class GreedyThenOldest final : public GreedyOrder {
 public:
  // On machines whose schedulers run without warps the slot stays greedy, as in GPGPU-Sim.
  explicit GreedyThenOldest(const PolicyContext& where)
      : GreedyOrder("gto", where.cycles_before_ctas > 0) {}
  WarpSlot pick(const sm::IssueView& view) override {
    return view.issuable.test(greedy()) ? greedy() : view.oldest(view.issuable);
  }
  WarpMask visited_before(const sm::IssueView& view, WarpMask among,
                          WarpSlot chosen) const override {
    return view.older_or_greedy(among, greedy(), chosen);
  }
};

}  // namespace

PolicyEntry gto() {
  return policy<GreedyThenOldest>("gto", "Greedy, then the oldest issuable warp",
                                  "Rogers et al., MICRO 2012",
                                  {.look = 1, .topics = {Topic::own_lines, Topic::tail}});
}

}  // namespace heddle::sched
