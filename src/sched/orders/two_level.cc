#include "sched/orders/two_level.h"

namespace heddle::sched {
namespace {

// Two levels: round robin within a small active set. A warp that reads the result of a load, or
// waits at a barrier, moves to the end of the pending queue. So the warps reach their long
// operations at different times.
class TwoLevel final : public TwoLevelBase {
 public:
  TwoLevel(const Options& options, const PolicyContext& where)
      : TwoLevelBase("two-level", options, where) {}
  WarpSlot pick(const sm::IssueView& view) override {
    step(view);
    return set_.first_of(view.issuable);
  }
  WarpMask visited_before(const sm::IssueView&, WarpMask among, WarpSlot chosen) const override {
    return set_.before(among, chosen);
  }
};

}  // namespace

PolicyEntry two_level() {
  return policy<TwoLevel>("two-level",
                          "Round robin in a small active set; blocked warps are replaced",
                          "Gebhart et al., ISCA 2011; GPGPU-Sim's two_level_active",
                          {.look = 5, .topics = {Topic::shared_lines, Topic::open_rows}});
}

}  // namespace heddle::sched
