#include "sched/framework/policy_entry.h"

namespace heddle::sched {
namespace {

// Youngest first: the reverse of oldest first. It starves the warps that others depend on, which
// tests the simulator.
class YoungestFirst final : public sm::WarpScheduler {
 public:
  WarpSlot pick(const sm::IssueView& view) override {
    WarpSlot best = view.issuable.lowest();
    view.issuable.for_each([&](WarpSlot warp) {
      if (view.age[warp.index] > view.age[best.index]) best = warp;
    });
    return best;
  }
  WarpMask visited_before(const sm::IssueView& view, WarpMask among,
                          WarpSlot chosen) const override {
    among.reset(chosen);
    return among & ~view.older(among, chosen);
  }
  sm::EventSet subscribed_events() const override { return {}; }
};

}  // namespace

PolicyEntry youngest() {
  return policy<YoungestFirst>("youngest", "The youngest issuable warp",
                               "a stress test, from no paper",
                               {.look = 12, .topics = {Topic::own_lines, Topic::tail}});
}

}  // namespace heddle::sched
