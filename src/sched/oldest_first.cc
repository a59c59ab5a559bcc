#include "sched/policy_entry.h"

namespace heddle::sched {
namespace {

// Oldest first: of the warps that can issue, the one launched first.
class OldestFirst final : public sm::WarpScheduler {
 public:
  WarpSlot pick(const sm::IssueView& view) override { return view.oldest(view.issuable); }
  WarpMask came_to(const sm::IssueView& view, WarpMask among, WarpSlot chosen) const override {
    return view.older(among, chosen);
  }
  sm::EventSet listens() const override { return 0; }
};

}  // namespace

PolicyEntry oldest_first() {
  return policy<OldestFirst>("oldest", "The oldest warp that can issue",
                             "GPGPU-Sim's oldest-first");
}

}  // namespace heddle::sched
