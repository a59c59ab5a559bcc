#include "sched/framework/policy_entry.h"

namespace heddle::sched {
namespace {

// Oldest first: the issuable warp that was launched first.
class OldestFirst final : public sm::WarpScheduler {
 public:
  WarpSlot pick(const sm::IssueView& view) override { return view.oldest(view.issuable); }
  WarpMask visited_before(const sm::IssueView& view, WarpMask among,
                          WarpSlot chosen) const override {
    return view.older(among, chosen);
  }
  sm::EventSet subscribed_events() const override { return {}; }
};

}  // namespace

PolicyEntry oldest() {
  return policy<OldestFirst>("oldest", "The oldest issuable warp", "GPGPU-Sim's oldest-first",
                             {.look = 10, .topics = {Topic::own_lines, Topic::tail}});
}

}  // namespace heddle::sched
