#include "sched/orders/two_level.h"

namespace heddle::sched {
namespace {

// Two levels; active warps whose next instruction is a long operation issue before the others.
class TwoLevelOpt final : public TwoLevelBase {
 public:
  TwoLevelOpt(const Options& options, const PolicyContext& where)
      : TwoLevelBase("two-level-opt", options, where) {}
  WarpSlot pick(const sm::IssueView& view) override {
    step(view);
    const WarpSlot long_one = set_.first_of(view.issuable & view.head_is_long);
    return long_one ? long_one : set_.first_of(view.issuable);
  }
  WarpMask visited_before(const sm::IssueView& view, WarpMask among,
                          WarpSlot chosen) const override {
    return view.head_is_long.test(chosen) ? WarpMask{} : set_.before(among, chosen);
  }
};

}  // namespace

PolicyEntry two_level_opt() {
  return policy<TwoLevelOpt>("two-level-opt", "Two-level, active warps with a long operation first",
                             "Liu et al., IEICE 2023",
                             {.look = 14, .topics = {Topic::shared_lines, Topic::open_rows}});
}

}  // namespace heddle::sched
