#include "sched/orders/two_level.h"

namespace heddle::sched {
namespace {

// Two levels: round robin among a few active warps; one that waits for a long operation or a
// barrier goes behind the pending ones. So the warps reach their long operations at different
// times.
class TwoLevel final : public TwoLevelBase {
 public:
  explicit TwoLevel(const Options& options) : TwoLevelBase("two-level", options) {}
  WarpSlot pick(const sm::IssueView& view) override {
    turn(view);
    return set_.first_of(view.issuable);
  }
  WarpMask visited_before(const sm::IssueView&, WarpMask among, WarpSlot chosen) const override {
    return set_.before(among, chosen);
  }
};

}  // namespace

PolicyEntry two_level() {
  return policy<TwoLevel>("two-level",
                          "Round robin among a few active warps; blocked ones make room",
                          "Gebhart et al., ISCA 2011; GPGPU-Sim's two_level_active");
}

}  // namespace heddle::sched
