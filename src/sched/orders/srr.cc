#include "sched/framework/policy_entry.h"

namespace heddle::sched {
namespace {

// Strict round robin: the slot idles until the current warp issues. Only finished warps and warps
// at a barrier are skipped. A warp finishes or waits only after an issue of its own, so the current
// warp changes at most once between two picks and can be computed at the later pick.
class StrictRoundRobin final : public sm::WarpScheduler {
 public:
  WarpSlot pick(const sm::IssueView& view) override {
    const WarpMask contenders = view.live & view.supervised & ~view.waiting;
    if (issued_ || !contenders.test(current_))
      current_ = contenders.next_cyclic(current_.index + 1);
    issued_ = false;
    return view.issuable.test(current_) ? current_ : WarpSlot::none;
  }
  WarpMask visited_before(const sm::IssueView&, WarpMask, WarpSlot) const override {
    return {};  // it examines the current warp only
  }
  void on_issue(const sm::Issue&) override { issued_ = true; }

 private:
  WarpSlot current_ = WarpSlot::none;
  bool issued_ = false;  // the current warp has issued; the next pick moves on
};

}  // namespace

PolicyEntry srr() {
  return policy<StrictRoundRobin>("srr", "Strict round robin: stalled warps are not skipped",
                                  "Liu et al., IEICE 2023 (as a baseline)",
                                  {.look = 6, .topics = {Topic::shared_lines, Topic::open_rows}});
}

}  // namespace heddle::sched
