#include "sched/framework/policy_entry.h"

namespace heddle::sched {
namespace {

// Strict round robin: one warp has the turn, and the slot idles until that warp issues. The turn
// skips only warps that are finished or waiting at a barrier. Only an issue can make the holder
// finish or wait, so the turn moves at most once between two picks and may be worked out at the
// later one.
class StrictRoundRobin final : public sm::WarpScheduler {
 public:
  WarpSlot pick(const sm::IssueView& view) override {
    const WarpMask contenders = view.live & view.supervised & ~view.waiting;
    if (issued_ || !contenders.test(turn_)) turn_ = contenders.next_cyclic(turn_.index + 1);
    issued_ = false;
    return view.issuable.test(turn_) ? turn_ : WarpSlot::none;
  }
  WarpMask visited_before(const sm::IssueView&, WarpMask, WarpSlot) const override {
    return {};
  }  // it looks at the holder of the turn alone
  void on_issue(const sm::Issue&) override { issued_ = true; }

 private:
  WarpSlot turn_ = WarpSlot::none;
  bool issued_ = false;  // the holder has issued; the turn passes on at the next pick
};

}  // namespace

PolicyEntry strict_round_robin() {
  return policy<StrictRoundRobin>("srr", "Strict round robin: no warp is skipped because it stalls",
                                  "Liu et al., IEICE 2023 (as a baseline)");
}

}  // namespace heddle::sched
